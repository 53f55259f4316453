/** What the README tells to type works as it stands there. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The blocks between a heading and the next of its rank, by their language. */
function blocks(heading: string, language: string): readonly string[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const found = section.split('\n## ', 1).join('');
  return Array.from(
    found.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms')),
    ([, text = '']) => text,
  );
}

describe('the main operations, typed as the README has them', () => {
  const service = useService();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockroom-readme-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function typed(...commands: readonly string[]): Promise<string> {
    mkdirSync(path.join(folder, '.data'), { recursive: true });
    writeFileSync(path.join(folder, '.data/admin-key'), `${service.secret}\n`);
    const text = commands.join('\n').replaceAll('http://127.0.0.1:8080', service.client.url);
    const { stdout } = await promisify(execFile)('bash', ['-euc', text], { cwd: folder });
    return stdout;
  }

  it('all succeed, and the one that is too much is refused with the answer that is shown', async () => {
    const [operations = '', refused = '', keys = ''] = blocks('The main operations', 'sh');
    const [shown = ''] = blocks('The main operations', 'json');
    const answers = await typed(operations);
    expect(answers).not.toContain('/problems/');
    expect(answers).toContain('"status":"confirmed"');
    expect(answers).toContain('"status":"closed"');
    expect(answers).toContain('"ok":true');
    // A key is used up once: the block again replays, so only what follows it differs.
    const [setUp = ''] = operations.split('\n\n');
    const refusal: unknown = JSON.parse(await typed(setUp, refused));
    expect(refusal).toEqual({ ...(JSON.parse(shown) as object), instance: instanceOf(refusal) });
    expect(await typed(setUp, keys)).toContain('"role":"scanner"');
  });
});

/** The request's id is another each time. */
function instanceOf(refusal: unknown): unknown {
  return typeof refusal === 'object' && refusal !== null && 'instance' in refusal
    ? refusal.instance
    : undefined;
}
