/**
 * Puts a backup into an empty database. The files are judged before the first write; collections,
 * validators and indexes are there before the first document.
 */
import type { Db, Document } from 'mongodb';
import { prepareSchema } from '../../src/store/schema.ts';
import { readLines } from './line-file.ts';
import type { Manifest } from './manifest.ts';
import { fileOf } from './manifest.ts';
import { settleBarcodes } from './settle-barcodes.ts';

const bulkSize = 200;

/** @throws where anything stands in the database, or a count differs from the manifest's. */
export async function putBack(db: Db, folder: string, manifest: Manifest): Promise<void> {
  const taken = await collectionsInUse(db);
  if (taken.length > 0) {
    throw new Error(`the database ${db.databaseName} is not empty: it has ${taken.join(', ')}`);
  }
  await prepareSchema(db);
  for (const { name, documents } of manifest.collections) {
    const restored = await insertAll(db, name, readLines(fileOf(folder, name)));
    if (restored !== documents) {
      throw new Error(`${name} has ${restored} documents in place of ${documents}`);
    }
  }
  await settleBarcodes(db);
}

async function collectionsInUse(db: Db): Promise<readonly string[]> {
  const inUse: string[] = [];
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.startsWith('system.')) continue;
    if ((await db.collection(name).findOne({}, { projection: { _id: 1 } })) !== null) {
      inUse.push(name);
    }
  }
  return inUse;
}

async function insertAll(
  db: Db,
  name: string,
  documents: AsyncIterable<Document>,
): Promise<number> {
  let count = 0;
  let bulk: Document[] = [];
  const send = async (): Promise<void> => {
    if (bulk.length === 0) return;
    await db.collection(name).insertMany(bulk, { ordered: true });
    count += bulk.length;
    bulk = [];
  };
  for await (const document of documents) {
    bulk.push(document);
    if (bulk.length === bulkSize) await send();
  }
  await send();
  return count;
}
