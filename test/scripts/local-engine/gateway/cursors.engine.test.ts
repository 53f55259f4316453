import { Long, type Document } from 'mongodb';
import { describe, expect, inject, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { isDocumentDb, withPostgres } from './documentdb.ts';

interface Numbered {
  _id: number;
  group: number;
}

const { db } = useDatabase();

async function numbered(name: string, count: number) {
  const collection = db.collection<Numbered>(name);
  await collection.insertMany(Array.from({ length: count }, (_, n) => ({ _id: n, group: n % 3 })));
  return collection;
}

describe('a cursor', () => {
  it('goes over several pages, in order, each document once', async () => {
    const all = await numbered('pages', 250);
    const plain = await all.find().batchSize(17).toArray();
    expect(plain.map((each) => each._id).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 250 }, (_, n) => n),
    );
    const sorted = await all.find().sort({ group: 1, _id: -1 }).batchSize(17).toArray();
    expect(sorted).toHaveLength(250);
    expect(sorted.slice(0, 2).map((each) => each._id)).toEqual([249, 246]);
    const grouped = await all.aggregate([{ $sort: { _id: -1 } }], { batchSize: 17 }).toArray();
    expect(grouped.map((each) => Number(each['_id']))).toEqual(
      Array.from({ length: 250 }, (_, n) => 249 - n),
    );
  });

  it('keeps its place while another one is read in turns with it', async () => {
    const all = await numbered('turns', 60);
    const up = all.find().sort({ _id: 1 }).batchSize(4);
    const down = all.find().sort({ _id: -1 }).batchSize(7);
    for (let n = 0; n < 60; n += 1) {
      expect(await up.next()).toMatchObject({ _id: n });
      expect(await down.next()).toMatchObject({ _id: 59 - n });
    }
    expect([await up.next(), await down.next()]).toEqual([null, null]);
  });

  it('is gone when it was killed', async () => {
    const all = await numbered('killed', 40);
    for (const sort of [{}, { sort: { group: 1 } }]) {
      const first = await db.command({ find: all.collectionName, batchSize: 5, ...sort });
      const id = idOf(first);
      const more = { getMore: id, collection: all.collectionName, batchSize: 5 };
      expect(await db.command(more)).toMatchObject({ cursor: { nextBatch: { length: 5 } } });
      const kill = { killCursors: all.collectionName, cursors: [id] };
      expect(await db.command(kill)).toMatchObject({
        cursorsKilled: { length: 1 },
        cursorsNotFound: { length: 0 },
      });
      expect(await db.command(kill)).toMatchObject({
        cursorsKilled: { length: 0 },
        cursorsNotFound: { length: 1 },
      });
      await expect(db.command(more)).rejects.toMatchObject({ code: 43 });
    }
  });

  it.runIf(isDocumentDb)('gives its PostgreSQL session back, read to the end or left', async () => {
    const all = await numbered('sessions', 300);
    await withPostgres(inject('engine').postgresUrl, async (postgres) => {
      for (let round = 0; round < 150; round += 1) {
        const cursor = all.find().sort({ group: 1 }).batchSize(20);
        await cursor.next();
        if (round % 2 === 0) await cursor.close();
        else await cursor.toArray();
      }
      const { rows } = await postgres.query<{ n: string }>(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'gateway'",
      );
      expect(Number(rows[0]?.n)).toBeLessThan(80);
    });
  });
});

function idOf(reply: Document): Long {
  const cursor: unknown = reply['cursor'];
  const id =
    typeof cursor === 'object' && cursor !== null && 'id' in cursor ? cursor.id : undefined;
  if (typeof id === 'number' && id !== 0) return Long.fromNumber(id);
  if (Long.isLong(id)) return id;
  throw new Error('the reply has no open cursor');
}
