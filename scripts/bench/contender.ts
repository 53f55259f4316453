/** A strategy that is up and running: its ground, its processes, and how to drive it. */
import { randomBytes } from 'node:crypto';
import { cpuMilliseconds } from './cpu-time.ts';
import type { Tally } from './conservation.ts';
import { nothingYet } from './conservation.ts';
import type { RunFigures, StrategyName, Transport } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Load, LoadResult } from './load.ts';
import { forgetPeak, peakBytes } from './memory.ts';
import type { ServerProcess, Worker } from './processes.ts';
import { startService, startSqlRoute, startWorker } from './processes.ts';
import type { StrategySpec } from './protocol.ts';
import type { Stock } from './stock.ts';

export interface Contender {
  readonly transport: Transport;
  readonly strategy: StrategyName;
  readonly processes: number;
  readonly ground: Ground;
  readonly drive: (stock: Stock, manySkus: number, load: Load) => Promise<Driven>;
  readonly stop: () => Promise<void>;
}

interface Driven {
  readonly figures: RunFigures;
  readonly tallies: readonly Tally[];
}

type DatabaseSpec = Exclude<StrategySpec, { strategy: 'http' }>;

/** A strategy's ground, and what it takes to open the strategy there. */
export interface Plot {
  readonly ground: Ground;
  readonly spec: DatabaseSpec;
  /** The process above all those of the engine, where the bench started it. */
  readonly enginePid: number | undefined;
}

/** Whose memory and processor time count. */
interface Watched {
  readonly own: readonly number[];
  readonly engine: number | undefined;
}

/** In as many processes as are asked for, each with clients of its own. */
export async function inProcess(
  { ground, spec, enginePid }: Plot,
  processes = 1,
): Promise<Contender> {
  const workers: Worker[] = [];
  for (let started = 0; started < processes; started += 1) workers.push(await startWorker(spec));
  const watched: Watched = { own: workers.map(({ pid }) => pid), engine: enginePid };
  return {
    transport: 'in-process',
    strategy: spec.strategy,
    processes,
    ground,
    drive: (stock, manySkus, load) => drive(workers, watched, { stock, manySkus, load }),
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

/** A server in one process and its clients in another; memory and time are the server's. */
export async function overHttp({ ground, spec, enginePid }: Plot): Promise<Contender> {
  const secret = randomBytes(24).toString('base64url');
  const server = await serverOf(spec, secret);
  const worker = await startWorker({ strategy: 'http', url: server.url, secret });
  const watched: Watched = { own: [server.pid], engine: enginePid };
  return {
    transport: 'http',
    strategy: spec.strategy,
    processes: 1,
    ground,
    drive: (stock, manySkus, load) => drive([worker], watched, { stock, manySkus, load }),
    stop: async () => {
      await worker.stop();
      await server.stop();
    },
  };
}

function serverOf(spec: DatabaseSpec, secret: string): Promise<ServerProcess> {
  switch (spec.strategy) {
    case 'path':
      return startService({ uri: spec.uri, database: spec.database, secret });
    case 'tx':
    case 'one':
      return startSqlRoute(spec.strategy, spec.postgres, spec.schema);
    case 'plain':
    case 'bare':
      throw new Error(`${spec.strategy} has no server`);
  }
}

async function drive(
  workers: readonly Worker[],
  { own, engine }: Watched,
  asked: { readonly stock: Stock; readonly manySkus: number; readonly load: Load },
): Promise<Driven> {
  await Promise.all(own.map(forgetPeak));
  const { stock, manySkus, load } = asked;
  const ownBefore = await cpuOf(own);
  const engineBefore = await cpuOf(engine === undefined ? [] : [engine]);
  const reports = await Promise.all(
    workers.map((worker, index) =>
      worker.run({
        stock: stock.name,
        manySkus,
        load: {
          ...load,
          clients: share(load.clients, workers.length, index),
          seed: load.seed + index,
        },
      }),
    ),
  );
  const spent = {
    own: less(await cpuOf(own), ownBefore),
    engine: less(await cpuOf(engine === undefined ? [] : [engine]), engineBefore),
  };
  const peaks = await Promise.all(own.map(peakBytes));
  return combined(
    reports.map(({ result }) => result),
    peaks.filter((peak) => peak !== undefined),
    spent,
  );
}

async function cpuOf(pids: readonly number[]): Promise<number | undefined> {
  if (pids.length === 0) return undefined;
  const times = await Promise.all(pids.map(cpuMilliseconds));
  return times.reduce<number | undefined>(
    (sum, time) => (sum === undefined || time === undefined ? undefined : sum + time),
    0,
  );
}

function less(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}

function share(clients: number, workers: number, index: number): number {
  return Math.floor(clients / workers) + (index < clients % workers ? 1 : 0);
}

function combined(
  results: readonly LoadResult[],
  peaks: readonly number[],
  spentMs: { readonly own: number | undefined; readonly engine: number | undefined },
): Driven {
  const tallies = (results[0]?.tallies ?? []).map((_, index) =>
    results.reduce((sum, result) => plus(sum, result.tallies[index] ?? nothingYet), nothingYet),
  );
  const all = tallies.reduce(plus, nothingYet);
  const elapsedMs = Math.max(...results.map((result) => result.elapsedMs));
  return {
    tallies,
    figures: {
      movementsPerSecond: (all.acknowledged * 1_000) / elapsedMs,
      p50Ms: Math.max(...results.map(({ latency }) => latency.p50)),
      p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
      peakBytes: peaks.length === 0 ? undefined : Math.max(...peaks),
      ownCpuMs: spentMs.own && spentMs.own / all.acknowledged,
      engineCpuMs: spentMs.engine && spentMs.engine / all.acknowledged,
      unknown: all.unknown,
    },
  };
}

function plus(one: Tally, other: Tally): Tally {
  return {
    acknowledged: one.acknowledged + other.acknowledged,
    unknown: one.unknown + other.unknown,
  };
}
