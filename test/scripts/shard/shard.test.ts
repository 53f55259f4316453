import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../scripts/shard/apply.ts';
import { applyPlan } from '../../../scripts/shard/apply.ts';
import { readCommandLine } from '../../../scripts/shard/command-line.ts';
import { printed, shardings } from '../../../scripts/shard/plan.ts';

describe('the plan', () => {
  it('spreads SKUs, barcodes and claims by the hash of their ids, the ledger by its ids', () => {
    expect(
      printed('stock-1', shardings)
        .split('\n')
        .filter((line) => !line.startsWith('//')),
    ).toEqual([
      'sh.shardCollection("stock-1.skus", {"_id":"hashed"});',
      'sh.shardCollection("stock-1.barcodes", {"_id":"hashed"});',
      'sh.shardCollection("stock-1.actions", {"_id":"hashed"});',
      'sh.shardCollection("stock-1.movements", {"_id":1});',
    ]);
  });

  it('can be had for some collections only', () => {
    const read = readCommandLine([
      '--apply',
      '--collection',
      'movements',
      '--collection',
      'actions',
    ]);
    expect(read).toMatchObject({
      apply: true,
      plan: [{ collection: 'actions' }, { collection: 'movements' }],
    });
  });

  it.each([['--collection', 'orders'], ['--collection'], ['--force'], ['skus']])(
    'cannot be had otherwise: %j %j',
    (...args) => {
      expect(readCommandLine(args).kind).toBe('unusable');
    },
  );
});

/** A cluster that answers as the driver would, and keeps what it was told. */
function cluster(hello: Document, indexes: Readonly<Record<string, readonly Document[]>> = {}) {
  const sharded: string[] = [];
  const asked: Cluster = {
    hello: () => Promise.resolve(hello),
    indexes: (collection) => Promise.resolve(indexes[collection] ?? [{ name: '_id_' }]),
    shard: ({ collection, key }) => {
      sharded.push(`${collection} ${JSON.stringify(key)}`);
      return Promise.resolve();
    },
  };
  return { asked, sharded };
}

const mongos = { msg: 'isdbgrid', isWritablePrimary: true };

describe('applying the plan', () => {
  it('shards each collection through a router', async () => {
    const { asked, sharded } = cluster(mongos);
    expect(await applyPlan(asked, shardings)).toEqual([]);
    expect(sharded).toEqual([
      'skus {"_id":"hashed"}',
      'barcodes {"_id":"hashed"}',
      'actions {"_id":"hashed"}',
      'movements {"_id":1}',
    ]);
  });

  it.each([
    ['a member of a replica set', { isWritablePrimary: true, setName: 'rs0' }],
    ['a server alone', { isWritablePrimary: true }],
  ])('is refused by %s, before anything is done', async (_, hello) => {
    const { asked, sharded } = cluster(hello);
    expect(await applyPlan(asked, shardings)).toEqual([expect.stringContaining('no mongos')]);
    expect(sharded).toEqual([]);
  });

  it('is refused as a whole where a unique index stands in the way of one', async () => {
    const { asked, sharded } = cluster(mongos, {
      skus: [{ name: '_id_' }, { name: 'barcode', unique: true }, { name: 'moved' }],
    });
    expect(await applyPlan(asked, shardings)).toEqual([
      expect.stringContaining('index barcode is unique'),
    ]);
    expect(sharded).toEqual([]);
    const others = shardings.filter(({ collection }) => collection !== 'skus');
    expect(await applyPlan(asked, others)).toEqual([]);
    expect(sharded).toHaveLength(3);
  });
});
