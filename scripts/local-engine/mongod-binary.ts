/**
 * Finds a real `mongod`: on this machine, or by mongodb-memory-server's download.
 *
 * 1. What is on the machine is looked for each time.
 * 2. A download that doesn't get going within seconds is given up, and not tried again for a while.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findProgram } from './debian-root.ts';
import type { Progress } from './progress.ts';
import { typescriptCommand } from './typescript-process.ts';

const FIRST_BYTES_LIMIT_MS = 5_000;
const REMEMBER_FAILURE_MS = 6 * 60 * 60_000;

export type MongodSearch =
  { readonly binary: string; readonly found: string } | { readonly missing: string };

/** A `mongod` to run, or why there is none. */
export async function findMongod(cacheFolder: string, progress: Progress): Promise<MongodSearch> {
  const own = process.env['MONGOMS_SYSTEM_BINARY'] ?? (await findProgram('mongod'));
  if (own !== undefined) return { binary: own, found: 'mongod is installed' };
  const local = await locateDownloaded();
  if (local !== undefined) return { binary: local, found: 'mongod was downloaded earlier' };

  const failureMark = path.join(cacheFolder, 'mongod-download-failed');
  if (await isRecent(failureMark)) return { missing: 'its download failed not long ago' };
  progress('looking for a mongod to download');
  const downloaded = await download(progress);
  if (downloaded !== undefined) {
    await rm(failureMark, { force: true });
    return { binary: downloaded, found: 'mongod was downloaded' };
  }
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(failureMark, '');
  return { missing: 'it can be neither found nor downloaded' };
}

async function locateDownloaded(): Promise<string | undefined> {
  const { DryMongoBinary } = await import('mongodb-memory-server');
  return DryMongoBinary.locateBinary(await DryMongoBinary.generateOptions());
}

/** Downloads in a process that can be ended when the network swallows its request. */
async function download(progress: Progress): Promise<string | undefined> {
  const [program = '', ...args] = typescriptCommand('mongod-download.ts', []);
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, MONGOMS_MAX_RETRIES: '0' },
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), FIRST_BYTES_LIMIT_MS);
  let binary: string | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('binary ')) {
      binary = line.slice('binary '.length);
    } else {
      // Any word of progress means that bytes arrive; from then on the library's own limits hold.
      clearTimeout(limit);
      progress(`  ${line.trim()}`);
    }
  });
  await once(child, 'close');
  clearTimeout(limit);
  return binary;
}

async function isRecent(file: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(file)).mtimeMs < REMEMBER_FAILURE_MS;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
