/** What CI makes of the registry's answers, with a registry that answers as the test says. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../.ci/audit', import.meta.url));
let folder = '';

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function audit(answer: string, code: number) {
  folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-audit-'));
  const npm = path.join(folder, 'npm');
  await writeFile(npm, `#!/bin/sh\ncat <<'END'\n${answer}\nEND\nexit ${code}\n`);
  await chmod(npm, 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const { status, stdout } = spawnSync(script, [], { env, encoding: 'utf8' });
  return { status, said: stdout };
}

describe('the audit', () => {
  it('passes where nothing is found', async () => {
    expect(await audit('{ "auditReportVersion": 2 }', 0)).toEqual({
      status: 0,
      said: 'no high finding\n',
    });
  });

  it('fails on a finding, and shows it', async () => {
    const { status, said } = await audit('{ "auditReportVersion": 2, "name": "left-pad" }', 1);
    expect(status).toBe(1);
    expect(said).toContain('left-pad');
  });

  it.each([0, 1])(
    'says loudly that it knows nothing where nobody answers, npm exits %i',
    async (code) => {
      const { status, said } = await audit('{ "message": "405 Method Not Allowed" }', code);
      expect(status).toBe(0);
      expect(said).toContain('SKIPPED');
    },
  );
});
