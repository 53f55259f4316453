import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { startFaultyWire, type FaultyWire } from '../../../support/faulty-wire.ts';
import { eventually, isDocumentDb, tableOf, withPostgres } from './documentdb.ts';

interface Counter {
  _id: number;
  n: number;
}

const { db, name } = useDatabase();

describe('an answer that is lost on its way', () => {
  let wire: FaultyWire;
  let client: MongoClient;
  beforeAll(async () => {
    wire = await startFaultyWire(inject('engine').uri);
    client = new MongoClient(wire.uri);
    await client.connect();
  });
  afterAll(async () => {
    await client.close(true);
    await wire.stop();
  });

  it('looks lost to the driver, and the write was applied once', async () => {
    const counters = db.collection<Counter>('lost');
    await counters.insertOne({ _id: 1, n: 0 });
    const remote = client.db(name).collection<Counter>('lost');
    expect(await remote.findOne({ _id: 1 })).toEqual({ _id: 1, n: 0 });

    const lost = wire.impose({ kind: 'cut-off', afterBytes: 0 });
    const update = remote.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    await expect(update).rejects.toBeInstanceOf(MongoNetworkError);
    await expect(update).rejects.not.toBeInstanceOf(MongoServerError);
    await lost;
    wire.mend();
    expect(await counters.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
  });
});

describe.runIf(isDocumentDb)('a session that PostgreSQL ends in the middle of a statement', () => {
  it('looks like a lost answer, not like a definite error', async () => {
    const counters = db.collection<Counter>('ended');
    await counters.insertOne({ _id: 1, n: 0 });
    await withPostgres(inject('engine').postgresUrl, async (postgres) => {
      await postgres.query('BEGIN');
      const table = await tableOf(postgres, name, 'ended');
      await postgres.query(`SELECT 1 FROM ${table} FOR UPDATE`);
      const update = counters.updateOne({ _id: 1 }, { $inc: { n: 1 } });
      const outcome = expect(update).rejects.toSatisfy(
        (error) => error instanceof MongoNetworkError && !(error instanceof MongoServerError),
      );
      await eventually(async () => {
        const { rowCount } = await postgres.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
        );
        return rowCount === 1;
      });
      await outcome;
      await postgres.query('ROLLBACK');
    });
    expect(await counters.findOne({ _id: 1 })).toEqual({ _id: 1, n: 0 });
  });
});
