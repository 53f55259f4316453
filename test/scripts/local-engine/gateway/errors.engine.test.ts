import { MongoBulkWriteError, MongoClient, MongoServerError } from 'mongodb';
import type { Client } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { eventually, isDocumentDb, tableOf, withPostgres } from './documentdb.ts';

interface Keyed {
  _id: number;
  k?: number;
}

const { db, client, name } = useDatabase();

/** Some hundreds of milliseconds of work for the database. */
const SLOW = { $expr: { $gt: [{ $size: { $range: [0, 3_000_000] } }, 0] } };

describe('a duplicate key', () => {
  it('is 11000 for one document, in every kind of write', async () => {
    const all = db.collection<Keyed>('single');
    await all.createIndexes([{ key: { k: 1 }, unique: true }]);
    await all.insertMany([
      { _id: 1, k: 1 },
      { _id: 2, k: 2 },
    ]);
    const duplicate = { code: 11000 };
    await expect(all.insertOne({ _id: 1 })).rejects.toMatchObject(duplicate);
    await expect(all.insertOne({ _id: 3, k: 1 })).rejects.toMatchObject(duplicate);
    await expect(all.updateOne({ _id: 2 }, { $set: { k: 1 } })).rejects.toMatchObject(duplicate);
    await expect(all.findOneAndUpdate({ _id: 2 }, { $set: { k: 1 } })).rejects.toMatchObject(
      duplicate,
    );
    await expect(all.replaceOne({ _id: 9 }, { k: 1 }, { upsert: true })).rejects.toMatchObject(
      duplicate,
    );
    expect(await all.countDocuments()).toBe(2);
  });

  it('is told for each of several in an unordered batch, and the others are written', async () => {
    const all = db.collection<Keyed>('batch');
    await all.insertMany([{ _id: 1 }, { _id: 2 }]);
    const batch = [{ _id: 1 }, { _id: 3 }, { _id: 2 }, { _id: 4 }, { _id: 3 }];
    const error = await failure(all.insertMany(batch, { ordered: false }), MongoBulkWriteError);
    const errors = [error.writeErrors].flat().map(({ index, code }) => [index, code]);
    expect(errors).toEqual([
      [0, 11000],
      [2, 11000],
      [4, 11000],
    ]);
    expect(await all.distinct('_id')).toEqual([1, 2, 3, 4]);
  });

  it('stops an ordered batch where it stands', async () => {
    const all = db.collection<Keyed>('ordered');
    const error = await failure(
      all.insertMany([{ _id: 1 }, { _id: 1 }, { _id: 2 }]),
      MongoBulkWriteError,
    );
    expect(error).toMatchObject({ code: 11000, insertedCount: 1 });
    expect(await all.distinct('_id')).toEqual([1]);
  });
});

describe('a time limit', () => {
  it('ends its command with 50 and no other', async () => {
    const all = db.collection<Keyed>('slow');
    await all.insertOne({ _id: 1 });
    await expect(all.find(SLOW, { maxTimeMS: 20 }).toArray()).rejects.toMatchObject({ code: 50 });
    expect(await all.find(SLOW).toArray()).toHaveLength(1);
    expect(await all.find(SLOW, { maxTimeMS: 60_000 }).toArray()).toHaveLength(1);
    await expect(all.updateOne(SLOW, { $set: { k: 1 } }, { maxTimeMS: 20 })).rejects.toMatchObject({
      code: 50,
    });
    expect(await all.findOne({ _id: 1 })).toEqual({ _id: 1 });
  });
});

describe('a command the gateway does not know', () => {
  it.runIf(isDocumentDb)('is refused with 59', async () => {
    for (const command of ['mapReduce', 'saslStart', 'replSetGetStatus', 'constructor']) {
      await expect(db.command({ [command]: 1 })).rejects.toMatchObject({
        code: 59,
        codeName: 'CommandNotFound',
      });
    }
    expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  it.runIf(isDocumentDb)('is refused where it would begin a transaction', async () => {
    const begin = { find: 'x', startTransaction: true, autocommit: false, txnNumber: 1 };
    await expect(db.command(begin)).rejects.toMatchObject({ code: 20 });
    const session = client.startSession();
    try {
      const inside = session.withTransaction(() => db.collection('x').insertOne({}, { session }));
      await expect(inside).rejects.toThrow();
    } finally {
      await session.endSession();
    }
    expect(await db.collection('x').countDocuments()).toBe(0);
  });
});

describe.runIf(isDocumentDb)('two writers in each other’s way', () => {
  it('get WriteConflict (112) where PostgreSQL finds a deadlock', async () => {
    const all = db.collection<Keyed>('conflict');
    await all.insertMany([
      { _id: 1, k: 0 },
      { _id: 2, k: 0 },
    ]);
    let applied = 0;
    let refusal: unknown;
    await withPostgres(inject('engine').postgresUrl, async (postgres) => {
      // Whoever has waited longest without a check finds the deadlock: the gateway's session, if the
      // other one asks within its 100 ms. On a busy machine that can take another attempt.
      await postgres.query("SET deadlock_timeout = '1s'");
      const table = await tableOf(postgres, name, 'conflict');
      for (let attempt = 0; attempt < 10 && refusal === undefined; attempt += 1) {
        refusal = await meetInTheMiddle(postgres, table, () =>
          all.updateMany({}, { $inc: { k: 1 } }),
        );
        if (refusal === undefined) applied += 1;
      }
    });
    expect(refusal).toMatchObject({ code: 112, codeName: 'WriteConflict' });
    expect(await all.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, k: applied },
      { _id: 2, k: applied },
    ]);
  });
});

/** Locks the second document, waits for `write` to hold the first one, and asks for that too. */
async function meetInTheMiddle(
  postgres: Client,
  table: string,
  write: () => Promise<unknown>,
): Promise<unknown> {
  const lock = `SELECT 1 FROM ${table}
    WHERE document OPERATOR(documentdb_api_catalog.@=) $1::documentdb_core.bson FOR UPDATE`;
  await postgres.query('BEGIN');
  await postgres.query(lock, ['{"_id": 2}']);
  const outcome = write().then(
    () => undefined,
    (error: unknown) => error,
  );
  await eventually(() => isWaitedFor(postgres));
  // This side may be the one that is refused.
  await postgres.query(lock, ['{"_id": 1}']).catch(() => undefined);
  await postgres.query('ROLLBACK');
  return outcome;
}

describe.runIf(isDocumentDb)('a client that goes away', () => {
  it('ends the statement that ran for it, which then changes nothing', async () => {
    const all = db.collection<Keyed>('abandoned');
    await all.insertOne({ _id: 1, k: 0 });
    await withPostgres(inject('engine').postgresUrl, async (postgres) => {
      const table = await tableOf(postgres, name, 'abandoned');
      await postgres.query('BEGIN');
      await postgres.query(`SELECT 1 FROM ${table} FOR UPDATE`);
      const impatient = new MongoClient(inject('engine').uri);
      const update = impatient
        .db(name)
        .collection<Keyed>('abandoned')
        .updateOne({ _id: 1 }, { $inc: { k: 1 } });
      const lost = expect(update).rejects.toThrow();
      await eventually(() => isWaitedFor(postgres));
      await impatient.close(true);
      await lost;
      await eventually(async () => !(await isWaitedFor(postgres)));
      await postgres.query('ROLLBACK');
    });
    expect(await all.findOne({ _id: 1 })).toEqual({ _id: 1, k: 0 });
  });
});

/** True while some session waits for a lock that this one holds. */
async function isWaitedFor(postgres: Client): Promise<boolean> {
  const { rows } = await postgres.query<{ found: number }>(
    'SELECT 1 AS found FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
  );
  return rows.length > 0;
}

async function failure<E extends MongoServerError>(
  promise: Promise<unknown>,
  type: abstract new (...args: never[]) => E,
): Promise<E> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof type) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
