/**
 * PostgreSQL with DocumentDB, run by the supervisor inside its namespaces.
 *
 * 1. The server runs as the root directory's own `postgres` user; it refuses to run as root.
 * 2. Durability stays on: what was acknowledged survives a kill.
 * 3. A cluster under its final name is whole: `initdb` fills another folder, which is renamed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DATA_MOUNT } from './debian-root.ts';
import { runCommand } from './run-command.ts';

/** Sessions for the gateway, and some for whoever connects to PostgreSQL directly. */
export const GATEWAY_SESSIONS = 100;
const MAX_CONNECTIONS = GATEWAY_SESSIONS + 30;

const PROGRAMS = '/usr/lib/postgresql/18/bin';
const START_ATTEMPTS = 20;
const RETRY_AFTER_MS = 250;
const STOP_LIMIT_MS = 30_000;

const SETTINGS: Readonly<Record<string, string | number>> = {
  shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb',
  'cron.database_name': 'postgres',
  // A job would otherwise connect to the port it was made with, where another engine may be by now.
  'cron.use_background_workers': 'on',
  'cron.log_run': 'off',
  'cron.log_statement': 'off',
  'documentdb.localhost_connection_string': 'host=127.0.0.1',
  // Without these two, bulk writes over the same documents in different orders stall for a minute.
  'documentdb.throwDeadlockOnCRUD': 'on',
  deadlock_timeout: '100ms',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: MAX_CONNECTIONS,
  shared_buffers: '256MB',
  work_mem: '16MB',
  max_wal_size: '1GB',
  max_worker_processes: 16,
  max_parallel_workers_per_gather: 0,
  huge_pages: 'off',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Ends the statement of a gateway session that was closed in the middle of it.
  client_connection_check_interval: '250ms',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
};

/**
 * A change of a full SKU document takes megabytes of memory and frees them again. A session keeps
 * them: glibc would give them back each time, and the next change fault them in page by page.
 */
const KEPT_MEMORY: Readonly<Record<string, string>> = {
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
};

export interface PostgresOptions {
  readonly rootDirectory: string;
  readonly port: number;
  readonly log: (line: string) => void;
}

export interface PostgresServer {
  readonly url: string;
  /** Settles when the server is gone, however it went. */
  readonly exited: Promise<void>;
  /** Ends the server cleanly: connections are closed, everything is on disk. */
  stop(): Promise<void>;
  /** Ends the server and its sessions as a power cut would. */
  kill(): Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Makes the cluster on the mounted data folder, if there is none yet. */
export async function prepareCluster({
  rootDirectory,
  log,
}: Pick<PostgresOptions, 'rootDirectory' | 'log'>): Promise<void> {
  const folder = path.join(rootDirectory, DATA_MOUNT);
  const user = await postgresUser(rootDirectory);
  await chown(folder, user.uid, user.gid);
  if (await exists(path.join(folder, 'cluster'))) return;

  await rm(path.join(folder, 'building'), { recursive: true, force: true });
  const inside = `${DATA_MOUNT}/building`;
  const args = ['-D', inside, '-U', 'postgres', '-A', 'trust', '--locale=C', '--encoding=UTF8'];
  await runCommand([...asPostgres(rootDirectory, user), `${PROGRAMS}/initdb`, ...args], log);
  await rename(path.join(folder, 'building'), path.join(folder, 'cluster'));
}

/**
 * Starts the server and waits until it takes commands. After a kill the first attempts can fail,
 * while what is left of the old server lets go of its memory.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    await killStrays(options.rootDirectory);
    const server = await launch(options);
    if (server !== undefined) {
      await createExtension(server.url);
      return server;
    }
    if (attempt === START_ATTEMPTS) throw new Error('PostgreSQL does not start');
    options.log('PostgreSQL ended while starting; trying again');
    await delay(RETRY_AFTER_MS);
  }
}

/** One attempt; undefined when the server ended before it was ready. */
async function launch(options: PostgresOptions): Promise<PostgresServer | undefined> {
  const { rootDirectory, port, log } = options;
  const user = await postgresUser(rootDirectory);
  const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const [program = '', ...args] = [
    ...asPostgres(rootDirectory, user),
    `${PROGRAMS}/postgres`,
    '-D',
    `${DATA_MOUNT}/cluster`,
    ...settings,
  ];
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...KEPT_MEMORY },
  });
  const exited = once(child, 'exit').then(() => undefined);
  const ready = new Promise<true>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      log(line);
      if (line.includes('database system is ready to accept connections')) resolve(true);
    });
  });
  if ((await Promise.race([ready, exited])) !== true) return undefined;
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    exited,
    stop: () => stop(child, exited),
    kill: async () => {
      child.kill('SIGKILL');
      await killStrays(rootDirectory);
      await exited;
    },
  };
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown: sessions end, a checkpoint is written.
  child.kill('SIGINT');
  const limit = new AbortController();
  const overdue = delay(STOP_LIMIT_MS, true, { signal: limit.signal }).catch(() => false);
  const isOverdue = await Promise.race([overdue, exited.then(() => false)]);
  limit.abort();
  if (isOverdue) child.kill('SIGKILL');
  await exited;
}

async function createExtension(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS documentdb CASCADE');
  } finally {
    await client.end();
  }
}

/**
 * Kills the sessions that outlive a killed server: they hold its memory, and a new server waits for
 * it. The process table mounted in the root directory shows the processes of this engine only.
 */
async function killStrays(rootDirectory: string): Promise<void> {
  const processes = path.join(rootDirectory, 'proc');
  for (const name of await readdir(processes)) {
    if (!/^\d+$/.test(name)) continue;
    const command = await commandName(path.join(processes, name, 'comm'));
    if (command !== 'postgres') continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch (error) {
      if (!isCode(error, 'ESRCH')) throw error;
    }
  }
}

async function commandName(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    // The process ended since it was listed.
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return '';
    throw error;
  }
}

function asPostgres(rootDirectory: string, { uid, gid }: User): string[] {
  return ['chroot', `--userspec=${uid}:${gid}`, '--groups=', rootDirectory];
}

async function postgresUser(rootDirectory: string): Promise<User> {
  const users = await readFile(path.join(rootDirectory, 'etc/passwd'), 'utf8');
  const match = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users);
  if (match === null) throw new Error(`${rootDirectory} has no postgres user`);
  return { uid: Number(match[1]), gid: Number(match[2]) };
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The folder, beside the service's other data, that the cluster lives in. */
export async function clusterFolder(dataDirectory: string): Promise<string> {
  const folder = path.join(dataDirectory, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
