/** Gives the whole test run one database engine, in a data folder that goes with it. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEngine } from '../../scripts/local-engine/engine.ts';
import { addressFor, dial } from '../../scripts/local-engine/rendezvous.ts';

/** What a test file knows of the engine, by `inject('engine')`. */
export interface ProvidedEngine {
  readonly uri: string;
  readonly kind: 'given' | 'memory-server' | 'documentdb';
  readonly postgresUrl?: string;
  /** Absent where MONGODB_URI gives the engine. A test may join it with `startEngine`. */
  readonly dataDirectory?: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly engine: ProvidedEngine;
  }
}

const PREFIX = 'stockroom-test-';
const LEFTOVER_AGE_MS = 60 * 60_000;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const dataDirectory = await mkdtemp(path.join(os.tmpdir(), PREFIX));
  const remove = (): Promise<void> => rm(dataDirectory, { recursive: true, force: true });
  const engine = await startEngine({ dataDirectory }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  project.provide('engine', {
    uri: engine.uri,
    kind: engine.kind,
    ...(engine.postgresUrl === undefined ? {} : { postgresUrl: engine.postgresUrl }),
    ...(engine.kind === 'given' ? {} : { dataDirectory }),
  });
  return async () => {
    await engine.stop();
    await remove();
  };
}

/** A run that was killed can't remove its folder; its engine ended with it. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = path.join(os.tmpdir(), name);
    const isOld = await stat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs > LEFTOVER_AGE_MS,
      // Another run removes it just now.
      () => false,
    );
    if (!isOld) continue;
    const user = await dial(await addressFor('engine', folder));
    if (user === undefined) await rm(folder, { recursive: true, force: true });
    else user.destroy();
  }
}
