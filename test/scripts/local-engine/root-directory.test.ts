import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  provideRootDirectory,
  type RootDirectoryOptions,
} from '../../../scripts/local-engine/root-directory.ts';

let cacheFolder = '';

beforeEach(async () => {
  cacheFolder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-cache-'));
});

afterEach(async () => {
  await rm(cacheFolder, { recursive: true, force: true });
});

function options(
  build: RootDirectoryOptions['build'],
  messages: string[] = [],
): RootDirectoryOptions {
  return {
    cacheFolder,
    recipe: 'recipe',
    build,
    remove: (directory) => rm(directory, { recursive: true, force: true }),
    progress: (message) => messages.push(message),
  };
}

async function buildWhole(directory: string): Promise<void> {
  await mkdir(directory);
  await writeFile(path.join(directory, 'whole'), 'whole');
}

const neverBuild = (): Promise<void> => Promise.reject(new Error('built twice'));

describe('the root directory', () => {
  it('is built once and found the next time', async () => {
    const first = await provideRootDirectory(options(buildWhole));
    expect(await readdir(first)).toEqual(['whole']);
    expect(await provideRootDirectory(options(neverBuild))).toBe(first);
  });

  it('is built by one of two that start at once; the other says that it waits', async () => {
    const { promise: isBuilding, resolve: building } = deferred();
    const { promise: mayFinish, resolve: finish } = deferred();
    const messages: string[] = [];
    const first = provideRootDirectory(
      options(async (directory) => {
        building();
        await mayFinish;
        await buildWhole(directory);
      }),
    );
    await isBuilding;
    const second = provideRootDirectory({
      ...options(neverBuild),
      progress: (message) => {
        messages.push(message);
        finish();
      },
    });
    expect(await second).toBe(await first);
    expect(messages).toEqual(['another run is preparing the database; waiting for it']);
    expect(await readdir(cacheFolder)).toEqual(['recipe']);
  });

  it('is never seen half built, and a failed build leaves nothing', async () => {
    const failing = provideRootDirectory(
      options(async (directory) => {
        await buildWhole(directory);
        expect(await readdir(cacheFolder)).not.toContain('recipe');
        throw new Error('no mirror');
      }),
    );
    await expect(failing).rejects.toThrow('no mirror');
    expect(await readdir(cacheFolder)).toEqual([]);
    await provideRootDirectory(options(buildWhole));
  });

  it('is built anew after a run that was killed, whose leftovers are removed', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', fixture(), cacheFolder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const leftover = await readdir(cacheFolder);
    expect(leftover).toEqual([expect.stringContaining('.building-')]);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const messages: string[] = [];
    const directory = await provideRootDirectory(options(buildWhole, messages));
    expect(await readdir(directory)).toEqual(['whole']);
    expect(await readdir(cacheFolder)).toEqual(['recipe']);
    expect(messages).toEqual(['removing what an interrupted run left behind']);
  });
});

function fixture(): string {
  return fileURLToPath(new URL('fixtures/interrupted-build.ts', import.meta.url));
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
