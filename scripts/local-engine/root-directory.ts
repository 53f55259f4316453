/**
 * The root directory that PostgreSQL and DocumentDB run in, built once a machine.
 *
 * 1. A directory under its final name is whole: it is built under another name and renamed.
 * 2. One process builds; whoever comes meanwhile waits and uses the result.
 * 3. The builder's lock ends with the builder, so what lies under a building name while the lock is
 *    ours was left by a run that is over, and is removed.
 */
import { access, mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { acquireLock } from './lock.ts';
import type { Progress } from './progress.ts';

export interface RootDirectoryOptions {
  readonly cacheFolder: string;
  /** Names the recipe: another recipe's directory is another directory. */
  readonly recipe: string;
  /** Fills an absent directory; it has no lasting effect outside it. */
  readonly build: (directory: string) => Promise<void>;
  readonly remove: (directory: string) => Promise<void>;
  readonly progress: Progress;
}

const BUILDING = '.building-';

/** The path of the whole root directory, which is built first when there is none. */
export async function provideRootDirectory(options: RootDirectoryOptions): Promise<string> {
  const { cacheFolder, recipe, progress } = options;
  const final = path.join(cacheFolder, recipe);
  if (await exists(final)) return final;

  await mkdir(cacheFolder, { recursive: true });
  const lock = await acquireLock({
    purpose: 'root-directory',
    folder: cacheFolder,
    onWait: () => {
      progress('another run is preparing the database; waiting for it');
    },
  });
  try {
    if (!(await exists(final))) await buildUnderLock(final, options);
  } finally {
    await lock.release();
  }
  return final;
}

async function buildUnderLock(final: string, options: RootDirectoryOptions): Promise<void> {
  const { cacheFolder, recipe, build, remove, progress } = options;
  for (const name of await readdir(cacheFolder)) {
    if (!name.includes(BUILDING)) continue;
    progress('removing what an interrupted run left behind');
    await remove(path.join(cacheFolder, name));
  }
  const temporary = path.join(cacheFolder, `${recipe}${BUILDING}${process.pid}`);
  try {
    await build(temporary);
  } catch (error) {
    await remove(temporary);
    throw error;
  }
  await rename(temporary, final);
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
