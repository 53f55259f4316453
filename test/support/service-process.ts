/** The service as a process of its own, started from its entry point. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const adminSecret = 'a-key-for-tests-only';

export interface ServiceProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything it has logged so far. */
  readonly log: () => string;
  /** Sends SIGTERM and waits for the end. @returns the exit code. */
  readonly stop: () => Promise<number | null>;
}

interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly awaitReady?: boolean;
  /** A module to load before the service, by its URL. */
  readonly preload?: string;
}

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Resolves once it listens and its database is prepared, unless `awaitReady` is false. */
export async function startServiceProcess(
  database: { readonly uri: string; readonly name: string },
  { env = {}, awaitReady = true, preload }: ProcessOptions = {},
): Promise<ServiceProcess> {
  const preloads = ['tsx', ...(preload === undefined ? [] : [preload])];
  const imports = preloads.flatMap((module) => ['--import', module]);
  const child = spawn(process.execPath, [...imports, entry], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.name,
      PORT: '0',
      ADMIN_API_KEY: adminSecret,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the service ended before it listened:\n${log}`);
  });
  const url = await Promise.race([listening(child), ended]);
  if (awaitReady) await ready(url);
  return {
    url,
    process: child,
    log: () => log,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      return child.exitCode;
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && 'url' in message && typeof message.url === 'string') {
        resolve(message.url);
      }
    });
  });
}

/** Resolves when /readyz says so; it asks again as long as the test has time. */
export async function ready(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
