/** The bench's child processes: started, asked one thing at a time, and ended. */
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { LoadResult } from './load.ts';
import type { Order, PortCall, Report, StrategySpec } from './protocol.ts';
import { report } from './protocol.ts';

export interface RunReport {
  readonly result: LoadResult;
  readonly profile?: { readonly file: string; readonly calls: readonly PortCall[] } | undefined;
}

export interface Worker {
  readonly pid: number;
  readonly run: (asked: Omit<Extract<Order, { kind: 'run' }>, 'kind'>) => Promise<RunReport>;
  readonly memory: () => Promise<{ readonly rssBytes: number; readonly heapUsedBytes: number }>;
  readonly stop: () => Promise<void>;
}

export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Ended with the bench, whatever ends it. */
const running = new Set<ChildProcess>();

function start(
  module: URL,
  env: NodeJS.ProcessEnv,
  nodeOptions: readonly string[] = [],
): ChildProcess {
  const child = fork(fileURLToPath(module), {
    execArgv: ['--expose-gc', ...nodeOptions, '--import', import.meta.resolve('tsx')],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(force);
}

export async function endAll(): Promise<void> {
  await Promise.all(Array.from(running, end));
}

export async function startWorker(spec: StrategySpec): Promise<Worker> {
  const child = start(new URL('./worker.ts', import.meta.url), {});
  const ask = async (asked: Order): Promise<Report> => {
    const heard = nextMessage(child);
    child.send(asked);
    const answer = report.parse(await heard);
    if (answer.kind === 'failed') throw new Error(`${spec.strategy}: ${answer.message}`);
    return answer;
  };
  await ask({ kind: 'open', spec });
  return {
    pid: pidOf(child),
    run: async (asked) => {
      const answer = await ask({ kind: 'run', ...asked });
      if (answer.kind !== 'ran') throw new Error(`a worker answered ${answer.kind} to a run`);
      return answer;
    },
    memory: async () => {
      const answer = await ask({ kind: 'memory' });
      if (answer.kind !== 'memory') throw new Error(`a worker answered ${answer.kind}`);
      return answer;
    },
    stop: async () => {
      await ask({ kind: 'close' });
      await end(child);
    },
  };
}

/** A message, or the news that there will be none. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const message = once(child, 'message', { signal }).then(([heard]: unknown[]) => heard);
    const exit = once(child, 'exit', { signal }).then(([code]: unknown[]) => {
      throw new Error(`a process of the bench ended with ${String(code)}`);
    });
    return await Promise.race([message, exit]);
  } finally {
    over.abort();
  }
}

const listening = z.object({ kind: z.literal('listening'), url: z.string() });

async function startServer(
  module: URL,
  env: NodeJS.ProcessEnv,
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  const child = start(module, env, nodeOptions);
  const { url } = listening.parse(await nextMessage(child));
  return { pid: pidOf(child), url, stop: () => end(child) };
}

export interface ServiceOptions {
  readonly uri: string;
  readonly database: string;
  readonly secret: string;
  /** The file for a CPU profile of its whole life, written when it stops. */
  readonly profileInto?: string;
}

/** The service itself, from src/main.ts, with the settings that it has by default. */
export function startService(options: ServiceOptions): Promise<ServerProcess> {
  const { uri, database, secret, profileInto } = options;
  const profiling =
    profileInto === undefined
      ? []
      : [
          '--cpu-prof',
          '--cpu-prof-interval=500',
          '--cpu-prof-dir',
          path.dirname(profileInto),
        ].concat('--cpu-prof-name', path.basename(profileInto));
  const settings = {
    MONGODB_URI: uri,
    MONGODB_DATABASE: database,
    ADMIN_API_KEY: secret,
    HOST: '127.0.0.1',
    PORT: '0',
  };
  return startServer(new URL('../../src/main.ts', import.meta.url), settings, profiling);
}

export function startSqlRoute(
  form: 'tx' | 'one',
  postgres: string,
  schema: string,
): Promise<ServerProcess> {
  return startServer(new URL('./sql-route.ts', import.meta.url), {
    BENCH_FORM: form,
    BENCH_POSTGRES: postgres,
    BENCH_SCHEMA: schema,
  });
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('a process of the bench did not start');
  return pid;
}
