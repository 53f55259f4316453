/**
 * A database that is killed under callers' load, as by a power cut: what it has acknowledged it has
 * promised to keep, and the service promises no more than that.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'vitest';
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../scripts/local-engine/engine.ts';
import { startEngine } from '../../scripts/local-engine/engine.ts';
import { clientOf } from '../support/http-client.ts';
import type { PersistentLoad } from '../support/persistent-load.ts';
import { startPersistentLoad } from '../support/persistent-load.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';

const movementsBetweenKills = 300;
const skus = ['CUT-0', 'CUT-1'];

/** In the order of their making; ended in the other. */
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** An engine of its own, whatever others use. A mongod is not this project's to kill. */
async function newEngine({ skip }: TestContext): Promise<Engine> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-cut-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const engine = await startEngine({ dataDirectory: folder, progress: () => undefined, env: {} });
  ends.push(() => engine.stop());
  if (engine.control === undefined) skip(`${engine.kind} cannot be killed`);
  return engine;
}

async function loadOn({ uri }: Engine): Promise<PersistentLoad> {
  const service = await startServiceProcess({ uri, name: 'cut' });
  ends.push(() => service.stop());
  return startPersistentLoad(() => clientOf(() => service.url, adminSecret), { clients: 16, skus });
}

async function kill({ control }: Engine): Promise<void> {
  await control?.killDatabase();
  await control?.whenUp();
}

describe('a database that is killed under load', () => {
  it('has every movement that was acknowledged, once', { timeout: 120_000 }, async (context) => {
    const engine = await newEngine(context);
    const load = await loadOn(engine);
    for (let kills = 0; kills < 2; kills += 1) {
      await load.reaches(load.answered() + movementsBetweenKills);
      await kill(engine);
    }
    await load.reaches(load.answered() + movementsBetweenKills);
    await load.end();
    expect(load.inexcusable()).toEqual([]);
    expect(await load.check()).toEqual([]);
  });
});
