/** The database that is measured on, and what it calls itself. */
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { z } from 'zod';
import { startEngine } from '../local-engine/engine.ts';
import type { BenchSettings } from './command-line.ts';

export interface MeasuredEngine {
  readonly uri: string;
  /** PostgreSQL itself, where the engine stands on it: the references in SQL run there. */
  readonly postgres: string | undefined;
  readonly name: string;
  /** The process above all of the engine's, where this bench could start it. */
  readonly pid: number | undefined;
  readonly stop: () => Promise<void>;
}

/** A folder on the same kind of disk as real data: a temporary one may be kept in memory. */
const dataDirectory = '.data/bench';

export async function openEngine(settings: BenchSettings): Promise<MeasuredEngine> {
  const engine = await startEngine({
    dataDirectory,
    env: settings.uri === undefined ? {} : { MONGODB_URI: settings.uri },
  });
  const postgres = settings.postgres ?? engine.postgresUrl;
  try {
    const mongo = await mongoName(engine.uri);
    const name = postgres === undefined ? mongo : `${mongo} on ${await postgresName(postgres)}`;
    const { uri, supervisorPid: pid } = engine;
    return { uri, postgres, name, pid, stop: () => engine.stop() };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

const buildInfo = z.object({ version: z.string(), modules: z.array(z.string()).default([]) });

async function mongoName(uri: string): Promise<string> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    const { version, modules } = buildInfo.parse(await client.db().command({ buildInfo: 1 }));
    return modules.includes('documentdb') ? 'DocumentDB' : `MongoDB ${version}`;
  } finally {
    await client.close();
  }
}

async function postgresName(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<{ version: string; fsync: string; commit: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commit`,
    );
    const [row] = result.rows;
    return `PostgreSQL ${row?.version ?? '?'} (fsync ${row?.fsync ?? '?'}, synchronous_commit ${row?.commit ?? '?'})`;
  } finally {
    await client.end();
  }
}
