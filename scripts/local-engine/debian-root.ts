/** Builds the root directory out of Debian's packages with mmdebstrap. */
import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { debianMirror } from './apt-sources.ts';
import { isRoot, namespaced, namespacedForMyLifetime } from './namespaces.ts';
import type { Progress } from './progress.ts';
import { runCommand } from './run-command.ts';

/** The suite that has DocumentDB. Change the recipe's name with anything that changes its result. */
const SUITE = 'forky';
export const RECIPE = 'documentdb-forky-pg18-1';
/** The folder inside the root directory that a data folder is mounted on. */
export const DATA_MOUNT = '/engine';

const PACKAGES = ['postgresql-18', 'postgresql-18-documentdb'];

/** Fills `directory` with PostgreSQL and DocumentDB: half a minute and some 670 MB. */
export async function buildDebianRoot(directory: string, progress: Progress): Promise<void> {
  const mirror = await debianMirror();
  if (mirror === undefined) {
    throw new Error('no Debian mirror in the apt sources of this machine');
  }
  await ensureMmdebstrap(progress);
  await mkdir(path.dirname(directory), { recursive: true });
  progress('fetching PostgreSQL and DocumentDB from Debian: once a machine, about 670 MB on disk');
  const stopBeat = heartbeat(progress);
  try {
    // The builder and its mounts end with this process, so that an interrupted build is really over.
    await runCommand(
      [
        ...(isRoot() ? namespacedForMyLifetime() : ['setpriv', '--pdeathsig', 'TERM']),
        'mmdebstrap',
        `--mode=${isRoot() ? 'root' : 'unshare'}`,
        '--variant=minbase',
        `--include=${PACKAGES.join(',')}`,
        '--aptopt=APT::Install-Recommends "false"',
        '--aptopt=Acquire::Check-Valid-Until "false"',
        `--customize-hook=mkdir "$1"${DATA_MOUNT}`,
        SUITE,
        directory,
        mirror,
      ],
      (line) => {
        if (line.startsWith('I: ')) progress(`  ${line.slice(3)}`);
      },
    );
  } finally {
    stopBeat();
  }
}

/** Removes a root directory, whoever inside it owns the files. */
export async function removeDebianRoot(directory: string): Promise<void> {
  const asInside = isRoot() ? [] : namespaced();
  await runCommand([...asInside, 'rm', '-rf', '--one-file-system', directory]);
}

async function ensureMmdebstrap(progress: Progress): Promise<void> {
  if (await isInstalled('mmdebstrap')) return;
  if (!isRoot() || !(await isInstalled('apt-get'))) {
    throw new Error('mmdebstrap is not installed, and installing it needs root and apt');
  }
  progress('installing mmdebstrap with apt');
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q'];
  await runCommand([...apt, 'update']);
  await runCommand([...apt, 'install', '-y', '--no-install-recommends', 'mmdebstrap']);
}

async function isInstalled(program: string): Promise<boolean> {
  return (await findProgram(program)) !== undefined;
}

/** The file that a program's name stands for in the PATH. */
export async function findProgram(program: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, program);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** A sign of life during the long silences of a download. */
function heartbeat(progress: Progress): () => void {
  const started = performance.now();
  const timer = setInterval(() => {
    progress(`  … ${Math.round((performance.now() - started) / 1000)} s`);
  }, 10_000);
  return () => {
    clearInterval(timer);
  };
}
