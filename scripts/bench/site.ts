/** One run of the bench on one engine: the grounds that were laid, and what has to be cleared. */
import { MongoClient } from 'mongodb';
import pg from 'pg';
import type { BenchSettings } from './command-line.ts';
import type { Contender, Plot } from './contender.ts';
import { inProcess, overHttp } from './contender.ts';
import type { MeasuredEngine } from './engine.ts';
import type { StrategyName } from './figures.ts';
import { createGround } from './ground.ts';
import type { Pace } from './measure.ts';
import { mongoSoil } from './mongo-soil.ts';
import { sqlSoil } from './sql-soil.ts';

export interface Site {
  readonly settings: BenchSettings;
  readonly pace: Pace;
  readonly hasSql: boolean;
  /** The ground of a strategy, the same each time; another one under another name. */
  readonly plot: (strategy: StrategyName, name?: string) => Plot;
  readonly inProcess: (strategy: StrategyName, processes?: number) => Promise<Contender>;
  readonly overHttp: (strategy: StrategyName) => Promise<Contender>;
  /** @throws ConservationFault when anything on any ground is not what it has to be. */
  readonly audit: () => Promise<void>;
  readonly clear: () => Promise<void>;
}

export function openSite(
  engine: MeasuredEngine,
  settings: BenchSettings,
  { progress, signal }: Pick<Pace, 'progress' | 'signal'>,
): Site {
  const { uri, postgres, pid: enginePid } = engine;
  const client = new MongoClient(uri);
  const pool = postgres === undefined ? undefined : new pg.Pool({ connectionString: postgres });
  // Another bench on the same engine has another process id.
  const mark = `bench_${process.pid}`;
  const plots = new Map<string, Plot>();

  function lay(strategy: StrategyName, name: string): Plot {
    const database = `${mark}_${name}`;
    switch (strategy) {
      case 'path':
      case 'plain':
      case 'bare': {
        const soil = mongoSoil(client, database, { ledger: strategy !== 'bare' });
        return { ground: createGround(name, soil), spec: { strategy, uri, database }, enginePid };
      }
      case 'tx':
      case 'one': {
        if (pool === undefined || postgres === undefined) {
          throw new Error(`${strategy} needs the engine's PostgreSQL`);
        }
        const ground = createGround(name, sqlSoil(pool, database, strategy));
        return { ground, spec: { strategy, postgres, schema: database }, enginePid };
      }
    }
  }

  function plot(strategy: StrategyName, name: string = strategy): Plot {
    const laid = plots.get(name) ?? lay(strategy, name);
    plots.set(name, laid);
    return laid;
  }

  return {
    settings,
    pace: { ...settings, progress, signal },
    hasSql: pool !== undefined,
    plot,
    inProcess: (strategy, processes) => inProcess(plot(strategy), processes),
    overHttp: (strategy) => overHttp(plot(strategy)),
    audit: async () => {
      for (const { ground } of plots.values()) await ground.audit();
    },
    clear: async () => {
      for (const { ground } of plots.values()) await ground.drop();
      await client.close();
      await pool?.end();
    },
  };
}
