import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { startCuttingProxy, type CuttingProxy } from './cutting-proxy.ts';

interface Counter {
  _id: number;
  n: number;
}

const { db, name } = useDatabase();

describe('an answer that is lost on its way', () => {
  let proxy: CuttingProxy;
  let client: MongoClient;
  beforeAll(async () => {
    proxy = await startCuttingProxy(inject('engine').uri);
    client = new MongoClient(proxy.uri);
    await client.connect();
  });
  afterAll(async () => {
    await client.close(true);
    await proxy[Symbol.asyncDispose]();
  });

  it('looks lost to the driver, and the write was applied once', async () => {
    const counters = db.collection<Counter>('lost');
    await counters.insertOne({ _id: 1, n: 0 });
    const remote = client.db(name).collection<Counter>('lost');
    expect(await remote.findOne({ _id: 1 })).toEqual({ _id: 1, n: 0 });

    proxy.loseAnswers();
    const update = remote.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    await expect(update).rejects.toBeInstanceOf(MongoNetworkError);
    await expect(update).rejects.not.toBeInstanceOf(MongoServerError);
    proxy.passAnswers();
    expect(await counters.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
  });
});
