import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useService } from '../../support/service.ts';

const here = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const sample = here('scripts/demo/sample');
const service = useService();

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command as npm does, and waits for its end. */
async function run(script: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', here(script), ...args, '--url', service.client.url],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, STOCKROOM_API_KEY: service.secret },
    },
  );
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode, out, err };
}

const demo = (prefix: string) => run('scripts/demo/demo.ts', '--prefix', prefix);

const skus = z.object({
  items: z.array(
    z.object({
      sku: z.string(),
      version: z.number(),
      movementCount: z.number(),
      totals: z.object({ onHand: z.number() }),
    }),
  ),
});

async function standing(prefix: string): Promise<z.infer<typeof skus>['items']> {
  const { items } = skus.parse((await service.client.get(`/v1/skus?q=${prefix}-`)).body);
  return items;
}

/** Applied and replayed, from the last line of the table of steps. */
function counts({ out }: Ended): readonly string[] {
  return /^all +(?:\d+) +(\d+) +(\d+) /m.exec(out)?.slice(1) ?? [];
}

describe('the replay against the service', () => {
  it('leaves the stock that the sample names, and changes nothing the second time', async () => {
    const first = await demo('ONE');
    expect(first).toMatchObject({ code: 0 });
    expect(first.out).toContain('On hand equals unitsInStock for each of 8 SKUs.');
    expect(counts(first)).toEqual(['60', '0']);
    const before = await standing('ONE');
    expect(before.map(({ totals }) => totals.onHand)).toEqual([14, 32, 120, 410, 0, 27, 0, 5]);

    const second = await demo('ONE');
    expect(second).toMatchObject({ code: 0 });
    expect(counts(second)).toEqual(['0', '60']);
    expect(await standing('ONE')).toEqual(before);
  });

  it('exits with 1 on a level that is not as the input says, and names the SKU', async () => {
    expect(await demo('TWO')).toMatchObject({ code: 0 });
    const planted = await service.client.move(
      { type: 'adjust', sku: 'TWO-0003', location: 'TWO-NORTH-01', delta: 1, reason: 'found' },
      'planted',
    );
    expect(planted.status).toBe(201);
    const wrong = await demo('TWO');
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/^TWO-0003 +121 +120 +1$/m);
  });

  it('turns an edited folder away before it changes anything', async () => {
    expect(await demo('THREE')).toMatchObject({ code: 0 });
    const before = await standing('THREE');
    const folder = await mkdtemp(join(tmpdir(), 'stockroom-replay-'));
    try {
      await cp(sample, folder, { recursive: true });
      const lines = join(folder, 'order_details.csv');
      await writeFile(lines, (await readFile(lines, 'utf8')).replace('5001,1,1', '5001,1,2'));
      const edited = await run('scripts/replay/replay.ts', folder, '--prefix', 'THREE');
      expect(edited.code).toBe(1);
      expect(edited.err).toContain('THREE-0001: this folder, under this API key, did not open');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    expect(await standing('THREE')).toEqual(before);
  });

  it('exits with 1 when the key is turned away', async () => {
    const refused = await run('scripts/demo/demo.ts', '--key', 'nobody-has-such-a-key');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('turns the API key away (401');
  });
});
