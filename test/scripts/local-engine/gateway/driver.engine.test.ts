import { Binary, Decimal128, Double, Int32, Long, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';

interface Thing extends Document {
  _id: number;
}

interface Listed {
  _id: number;
  n: number;
  list: number[];
}

const { db } = useDatabase();
let lastCollection = 0;

function things(documents: readonly Document[] = []) {
  lastCollection += 1;
  const collection = db.collection<Thing>(`things${lastCollection}`);
  return documents.length === 0
    ? Promise.resolve(collection)
    : collection
        .insertMany(documents.map((d, index) => ({ _id: index, ...d })))
        .then(() => collection);
}

describe('the driver reads', () => {
  it('with filter, projection, sort, skip and limit', async () => {
    const all = await things(Array.from({ length: 20 }, (_, n) => ({ n, parity: n % 2 })));
    const found = await all
      .find({ parity: 1 }, { projection: { n: 1, _id: 0 } })
      .sort({ n: -1 })
      .skip(2)
      .limit(3)
      .toArray();
    expect(found).toEqual([{ n: 15 }, { n: 13 }, { n: 11 }]);
  });

  it('expressions in a projection', async () => {
    const all = await things([{ list: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }]);
    const wanted = { $filter: { input: '$list', as: 'e', cond: { $in: ['$$e.id', ['a', 'c']] } } };
    const found = await all.findOne(
      {},
      { projection: { wanted, last: { $last: '$list' }, now: '$$NOW' } },
    );
    expect(found).toMatchObject({ wanted: [{ id: 'a' }, { id: 'c' }], last: { id: 'c' } });
    expect(found?.['now']).toBeInstanceOf(Date);
  });

  it('counts, distinct values and aggregates', async () => {
    const all = await things([{ k: 'a' }, { k: 'b' }, { k: 'a' }]);
    expect(await all.countDocuments({ k: 'a' })).toBe(2);
    expect((await all.distinct('k')).toSorted()).toEqual(['a', 'b']);
    const grouped = await all
      .aggregate([{ $group: { _id: '$k', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
      .toArray();
    expect(grouped).toEqual([
      { _id: 'a', n: 2 },
      { _id: 'b', n: 1 },
    ]);
  });

  it('every type back as it was written', async () => {
    const all = await things();
    const document = {
      _id: 1,
      int: new Int32(1),
      double: new Double(1),
      long: Long.fromString('9007199254740993'),
      decimal: Decimal128.fromString('1.10'),
      text: '$x.y \0 日本 😀',
      date: new Date(1_700_000_000_123),
      binary: new Binary(Buffer.from([0, 255])),
      objectId: new ObjectId(),
      nested: { list: [null, true, { a: [] }] },
    };
    await all.insertOne(document);
    const found = await all.findOne({ _id: 1 }, { promoteValues: false });
    expect(found).toMatchObject({
      int: new Int32(1),
      double: new Double(1),
      long: document.long,
      decimal: document.decimal,
    });
    expect(await all.findOne({ _id: 1 })).toMatchObject({
      text: document.text,
      date: document.date,
      nested: document.nested,
    });
  });
});

describe('the driver writes', () => {
  it('with update operators, on one and on many', async () => {
    const all = await things([{ n: 1, list: [1, 2] }, { n: 2 }, { n: 3 }]);
    const listed = db.collection<Listed>(all.collectionName);
    const push = { list: { $each: [3], $slice: -2 } };
    await listed.updateOne({ _id: 0 }, { $inc: { n: 5 }, $push: push });
    expect(await all.findOne({ _id: 0 })).toEqual({ _id: 0, n: 6, list: [2, 3] });
    const many = await all.updateMany({ n: { $lt: 6 } }, { $set: { seen: true } });
    expect(many).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
    expect(await all.updateOne({ _id: 99 }, { $set: { n: 0 } })).toMatchObject({ matchedCount: 0 });
  });

  it('upserts, replacements and deletions', async () => {
    const all = await things([{ n: 1 }]);
    const upserted = await all.updateOne({ _id: 7 }, { $set: { n: 7 } }, { upsert: true });
    expect(upserted).toMatchObject({ upsertedId: 7, upsertedCount: 1 });
    await all.replaceOne({ _id: 0 }, { m: 2 });
    expect(await all.findOne({ _id: 0 })).toEqual({ _id: 0, m: 2 });
    expect(await all.deleteMany({})).toMatchObject({ deletedCount: 2 });
  });

  it('a pipeline whose result comes back, with the database clock and literal text', async () => {
    const all = await things([{ version: 4, log: [{ id: 'a', at: new Date(0) }] }]);
    const entry = {
      $mergeObjects: [{ $literal: { id: '$b', 'in.side': '$$NOW' } }, { at: '$$NOW' }],
    };
    const found = await all.findOneAndUpdate(
      { _id: 0, version: 4 },
      [{ $set: { version: { $add: ['$version', 1] }, log: { $concatArrays: ['$log', [entry]] } } }],
      { returnDocument: 'after', projection: { _id: 0, version: 1, last: { $last: '$log' } } },
    );
    const at: unknown = expect.any(Date);
    expect(found).toMatchObject({ version: 5, last: { id: '$b', 'in.side': '$$NOW', at } });
    expect(
      await all.findOneAndUpdate({ _id: 0, version: 4 }, [{ $set: { version: 9 } }]),
    ).toBeNull();
  });

  it('a mixed batch', async () => {
    const all = await things([{ n: 1 }, { n: 2 }]);
    const result = await all.bulkWrite([
      { insertOne: { document: { _id: 10 } } },
      { updateOne: { filter: { _id: 0 }, update: { $set: { n: 9 } } } },
      { deleteOne: { filter: { _id: 1 } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, modifiedCount: 1, deletedCount: 1 });
  });
});

describe('the driver manages', () => {
  it('unique, partial and multikey indexes, which queries then use', async () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ tags: [`t${n}`, `u${n}`] }));
    const all = await things([{ tags: ['a', 'b'], gtin: '1' }, ...many]);
    await all.createIndex({ tags: 1 });
    await all.createIndexes([
      { key: { gtin: 1 }, unique: true, partialFilterExpression: { gtin: { $exists: true } } },
    ]);
    expect(await all.find({ tags: 'b' }).toArray()).toHaveLength(1);
    const plan = await all.find({ tags: 'b' }).explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('IXSCAN');
    await all.insertMany([{ _id: 1020 }, { _id: 1021 }]);
    await expect(all.insertOne({ _id: 1022, gtin: '1' })).rejects.toMatchObject({ code: 11000 });
    expect((await all.indexes()).map((index) => index.name)).toEqual(['_id_', 'tags_1', 'gtin_1']);
    await all.dropIndex('tags_1');
    expect(await all.indexExists('tags_1')).toBe(false);
  });

  it('a build that fails, which is told and leaves no index', async () => {
    const all = await things([{ n: 1 }, { n: 1 }]);
    await expect(all.createIndexes([{ key: { n: 1 }, unique: true }])).rejects.toMatchObject({
      code: 11000,
    });
    expect(await all.indexes()).toHaveLength(1);
  });

  it('validators, at creation and later, which every kind of write obeys', async () => {
    const name = 'validated';
    const schema = { required: ['n'], properties: { n: { bsonType: 'int', minimum: 0 } } };
    const all = await db.createCollection<Thing>(name, { validator: { $jsonSchema: schema } });
    const refused = { code: 121 };
    await all.insertOne({ _id: 1, n: 0 });
    await expect(all.insertOne({ _id: 2, n: -1 })).rejects.toMatchObject(refused);
    await expect(all.updateOne({ _id: 1 }, { $set: { n: -1 } })).rejects.toMatchObject(refused);
    await expect(
      all.findOneAndUpdate({ _id: 1 }, [{ $set: { n: { $subtract: ['$n', 1] } } }]),
    ).rejects.toMatchObject(refused);
    await db.command({ collMod: name, validator: { $expr: { $lte: ['$n', 5] } } });
    await expect(all.updateOne({ _id: 1 }, { $set: { n: 6 } })).rejects.toMatchObject(refused);
    expect(await all.findOne({ _id: 1 })).toEqual({ _id: 1, n: 0 });
  });

  it('collections and databases', async () => {
    await db.createCollection('made');
    const names = (await db.listCollections().toArray()).map((each) => each.name);
    expect(names).toContain('made');
    await db.dropCollection('made');
    expect(await db.listCollections({ name: 'made' }).toArray()).toEqual([]);
    const databases = await db.admin().listDatabases();
    expect(databases.databases.map((each) => each.name)).toContain(db.databaseName);
  });
});
