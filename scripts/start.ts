/**
 * `npm start`: a database for this machine, an admin key, and the service on top of both.
 *
 * The service runs in a process of its own and gets the terminal's signals itself. This process
 * holds the database until the service has finished what was under way. Under npm it ends with npm.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.ts';
import type { Engine } from './local-engine/engine.ts';
import { startEngine } from './local-engine/engine.ts';
import { whenStarterIsGone } from './starter.ts';

interface AdminKey {
  readonly secret: string;
  /** Where it comes from, for the person at the terminal. */
  readonly source: string;
}

const dataDirectory = path.resolve(process.env['DATA_DIR'] ?? '.data');
const mainModule = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The key of the settings, else one that is kept beside the data, for its owner's eyes only. */
async function adminKey(): Promise<AdminKey> {
  const given = process.env['ADMIN_API_KEY'];
  if (given !== undefined && given !== '') return { secret: given, source: 'ADMIN_API_KEY' };
  const file = path.join(dataDirectory, 'admin-key');
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  try {
    const secret = randomBytes(24).toString('base64url');
    await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return { secret: (await readFile(file, 'utf8')).trim(), source: file };
}

/** @returns the exit code of the service. */
async function runService(engine: Engine, key: AdminKey): Promise<number> {
  const service = spawn(process.execPath, ['--import', 'tsx', mainModule], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, MONGODB_URI: engine.uri, ADMIN_API_KEY: key.secret },
  });
  service.on('message', (message) => {
    const url = listeningUrl(message);
    if (url !== undefined) process.stdout.write(greeting(url, engine, key));
  });
  // Ctrl-C reaches the service by itself; a signal sent to this process alone is passed on.
  const pass = (signal: NodeJS.Signals): void => {
    service.kill(signal);
  };
  process.on('SIGTERM', pass);
  process.on('SIGINT', () => undefined);
  if (process.env['npm_lifecycle_event'] !== undefined) {
    whenStarterIsGone(() => {
      pass('SIGTERM');
    });
  }
  return new Promise((resolve, reject) => {
    service.once('error', reject);
    service.once('exit', (code, signal) => {
      resolve(signal === null ? (code ?? 1) : 1);
    });
  });
}

function listeningUrl(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('kind' in message) || message.kind !== 'listening') return undefined;
  return 'url' in message && typeof message.url === 'string' ? message.url : undefined;
}

function greeting(url: string, engine: Engine, key: AdminKey): string {
  return `
Stockroom listens on ${url}
database: ${engine.kind}, because ${engine.why}
admin key (${key.source}): ${key.secret}

  curl -H 'Authorization: Bearer ${key.secret}' ${url}/v1/skus

`;
}

async function start(): Promise<number> {
  const key = await adminKey();
  const building = buildConsole();
  await using engine = await startEngine({ dataDirectory });
  await building;
  return await runService(engine, key);
}

process.exitCode = await start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
