/** Gives the whole test run one database engine, in a data folder that goes with it. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEngine } from '../../scripts/local-engine/engine.ts';

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

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'stockroom-test-'));
  const engine = await startEngine({ dataDirectory });
  project.provide('engine', {
    uri: engine.uri,
    kind: engine.kind,
    ...(engine.postgresUrl === undefined ? {} : { postgresUrl: engine.postgresUrl }),
    ...(engine.kind === 'given' ? {} : { dataDirectory }),
  });
  return async () => {
    await engine.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
}
