/**
 * A database for development and tests, whatever the machine has: the one named by MONGODB_URI, or a
 * real mongod, or DocumentDB.
 */
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import type { EngineKind } from './control-protocol.ts';
import { buildDebianRoot, RECIPE, removeDebianRoot } from './debian-root.ts';
import { findMongod } from './mongod-binary.ts';
import { reportOnStderr, type Progress } from './progress.ts';
import { provideRootDirectory } from './root-directory.ts';
import { joinOrStart, joinRunning, type Membership } from './supervisor-client.ts';

export interface EngineOptions {
  /** The folder whose data the engine serves; it is made when it doesn't exist. */
  readonly dataDirectory: string;
  readonly progress?: Progress;
  readonly env?: NodeJS.ProcessEnv;
}

/** For tests that kill the database. */
interface EngineControl {
  /** Kills PostgreSQL as a power cut would; it starts again by itself on the same ports. */
  killDatabase(): Promise<void>;
  /** Settles when the database takes commands again. */
  whenUp(): Promise<void>;
}

export interface Engine extends AsyncDisposable {
  readonly uri: string;
  readonly kind: 'given' | EngineKind;
  /** Why this one was taken, in a few words. */
  readonly why: string;
  /** PostgreSQL itself, where the engine is DocumentDB. */
  readonly postgresUrl?: string;
  readonly control?: EngineControl;
  /** The process that runs the engine, where this project does. */
  readonly supervisorPid?: number;
  /** Settles when the engine is gone, by request or not; never for a given one. */
  readonly ended: Promise<void>;
  /** Leaves the engine; it ends with its last user, and then this waits for its end. */
  stop(): Promise<void>;
}

/** Joins or starts the engine of a data folder, and says in a line which one and why. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { dataDirectory, progress = reportOnStderr, env = process.env } = options;
  const given = env['MONGODB_URI'];
  const engine =
    given !== undefined && given !== ''
      ? givenEngine(given)
      : await localEngine(path.resolve(dataDirectory), progress);
  progress(`database: ${engine.kind}, because ${engine.why}`);
  return engine;
}

function givenEngine(uri: string): Engine {
  const stop = (): Promise<void> => Promise.resolve();
  return {
    uri,
    kind: 'given',
    why: 'MONGODB_URI names it',
    ended: new Promise(() => undefined),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function localEngine(dataDirectory: string, progress: Progress): Promise<Engine> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const running = await joinRunning(dataDirectory);
  if (running !== undefined) {
    return asEngine(running, 'it runs already on this data folder');
  }
  return startChosen(dataDirectory, progress);
}

/** A folder stays with the engine that wrote its data; a new one gets the first that can be had. */
async function startChosen(dataDirectory: string, progress: Progress): Promise<Engine> {
  const cache = cacheFolder();
  if (await exists(path.join(dataDirectory, 'postgres', 'cluster'))) {
    return startDocumentDb(dataDirectory, cache, progress, 'this folder holds its data');
  }
  const mongod = await findMongod(cache, progress);
  const isNeeded = await exists(path.join(dataDirectory, 'mongod', 'WiredTiger'));
  if ('missing' in mongod) {
    if (isNeeded) throw noEngine(`this folder's data needs mongod, and ${mongod.missing}`);
    const why = `there is no mongod (${mongod.missing})`;
    return startDocumentDb(dataDirectory, cache, progress, why);
  }
  const { binary, found } = mongod;
  try {
    return asEngine(await joinOrStart(dataDirectory, { kind: 'memory-server', binary }), found);
  } catch (error) {
    if (isNeeded) throw noEngine(`mongod does not start on this folder`, error);
    progress(`mongod does not start: ${String(error)}`);
    return startDocumentDb(dataDirectory, cache, progress, 'mongod does not start');
  }
}

async function startDocumentDb(
  dataDirectory: string,
  cache: string,
  progress: Progress,
  why: string,
): Promise<Engine> {
  try {
    const rootDirectory = await provideRootDirectory({
      cacheFolder: cache,
      recipe: RECIPE,
      build: (directory) => buildDebianRoot(directory, progress),
      remove: removeDebianRoot,
      progress,
    });
    const spec = { kind: 'documentdb', rootDirectory } as const;
    return asEngine(await joinOrStart(dataDirectory, spec), why);
  } catch (error) {
    throw noEngine(`${why}; DocumentDB can't be had either`, error);
  }
}

function asEngine({ engine, ended, ask, leave }: Membership, why: string): Engine {
  const { uri, kind, postgresUrl, pid } = engine;
  return {
    uri,
    kind,
    why,
    ...(postgresUrl === undefined ? {} : { postgresUrl }),
    ...(kind === 'documentdb'
      ? {
          control: {
            killDatabase: () => ask('kill-database'),
            whenUp: () => ask('await-database'),
          },
        }
      : {}),
    supervisorPid: pid,
    ended,
    stop: leave,
    [Symbol.asyncDispose]: leave,
  };
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}

function noEngine(reason: string, cause?: unknown): Error {
  const detail = cause instanceof Error ? `\n  ${cause.message}` : '';
  return new Error(
    `No database: ${reason}.${detail}
Three ways out:
  1. set MONGODB_URI to a MongoDB that runs;
  2. install mongod, or give this machine access to MongoDB's downloads;
  3. on Debian or a relative of it, as root, give it access to a Debian mirror (and to unshare).`,
    { cause },
  );
}
