/** A database of its own for each test file, on the engine of the run. */
import { randomUUID } from 'node:crypto';
import { MongoClient, type Db } from 'mongodb';
import { afterAll, beforeAll, inject } from 'vitest';

export interface TestDatabase {
  readonly uri: string;
  readonly name: string;
  /** A client for arranging and looking; connected while the file's tests run. */
  readonly client: MongoClient;
  readonly db: Db;
}

/** Makes the database before a file's tests and drops it after them. */
export function useDatabase(): TestDatabase {
  const { uri } = inject('engine');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new MongoClient(uri);
  const db = client.db(name);
  beforeAll(async () => {
    await client.connect();
  });
  afterAll(async () => {
    await db.dropDatabase();
    await client.close();
  });
  return { uri, name, client, db };
}
