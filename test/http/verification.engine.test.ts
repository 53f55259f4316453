/** The verification of a SKU finds each planted lie, over real HTTP and on the real engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { service } from '../../src/domain/ids.ts';
import type { Collections } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { sku as skuId } from '../support/actions.ts';
import { freshKey, outcomeOf } from '../support/http-client.ts';
import type { PlantedMovement } from '../support/planted.ts';
import { plantSku, receipts } from '../support/planted.ts';
import { useService } from '../support/service.ts';

const { client, database } = useService();
let skus = 0;

beforeAll(async () => {
  expect((await client.put('/v1/locations/A', { warehouse: 'W' })).status).toBe(201);
});

async function planted(history: readonly PlantedMovement[]): Promise<string> {
  const id = `audited-${(skus += 1)}`;
  await plantSku(database.db, id, history);
  return id;
}

describe('a verification', () => {
  const shape = z.strictObject({
    sku: z.string(),
    ok: z.boolean(),
    checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  });

  async function faults(sku: string): Promise<readonly string[]> {
    const { body } = await client.get(`/v1/skus/${sku}/verification`);
    const { ok, checks } = shape.parse(body);
    const failed = checks.filter((check) => !check.ok).map(({ name }) => name);
    expect(ok).toBe(failed.length === 0);
    return failed;
  }

  it('finds nothing wrong where nothing is', async () => {
    const sku = await planted(receipts(700));
    await client.move({ type: 'ship', sku, location: 'A', quantity: 3 });
    const hold = { location: 'A', quantity: 1, ttlSeconds: 60 };
    await client.send('POST', `/v1/skus/${sku}/reservations`, { key: freshKey(), body: hold });
    expect(await faults(sku)).toEqual([]);
    expect(outcomeOf(await client.get('/v1/skus/never-seen/verification'))).toBe('404 not-found');
  });

  const entryOf = (sku: string, ordinal: number) => ({ _id: { sku: skuId(sku), ordinal } });

  interface Lie {
    readonly what: string;
    readonly tell: (collections: Collections, sku: string) => Promise<unknown>;
    readonly found: readonly string[];
  }
  const lies: readonly Lie[] = [
    {
      what: 'a level that was changed',
      tell: ({ skus }, sku) =>
        skus.updateOne({ _id: skuId(sku) }, { $set: { 'levels.0.onHand': 9 } }),
      found: ['levels follow from the history'],
    },
    {
      what: 'an entry that was deleted from the ledger',
      tell: ({ movements }, sku) => movements.deleteOne(entryOf(sku, 20)),
      found: ['the ledger is complete'],
    },
    {
      what: 'an entry of the ledger that was changed',
      tell: ({ movements }, sku) =>
        movements.updateOne(entryOf(sku, 20), { $set: { 'lines.0.delta': 3 } }),
      found: [
        'levels follow from the history',
        'balances and instants follow',
        'the window agrees with the ledger',
      ],
    },
    {
      what: 'an entry that somebody else is named in',
      tell: ({ movements }, sku) =>
        movements.updateOne(entryOf(sku, 20), { $set: { actor: service } }),
      found: ['the window agrees with the ledger'],
    },
    {
      what: 'an instant before the one before',
      tell: ({ movements }, sku) =>
        movements.updateOne(entryOf(sku, 20), { $set: { at: new Date(0) } }),
      found: ['balances and instants follow', 'the window agrees with the ledger'],
    },
    {
      what: 'an ordinal that stands twice in the window',
      tell: ({ skus }, sku) =>
        skus.updateOne({ _id: skuId(sku) }, { $set: { 'movements.20.ordinal': 20 } }),
      found: ['ordinals are contiguous', 'the window agrees with the ledger'],
    },
    {
      what: 'a movement that stands twice in the window, word for word',
      tell: ({ skus }, sku) =>
        skus.updateOne({ _id: skuId(sku) }, [
          {
            $set: {
              movements: {
                $concatArrays: ['$movements', [{ $arrayElemAt: ['$movements', -1] }]],
              },
            },
          },
        ]),
      found: ['ordinals are contiguous'],
    },
    {
      what: 'an entry of the ledger that the document never counted',
      tell: async ({ movements }, sku) => {
        const entry = await movements.findOne(entryOf(sku, 40));
        return entry && movements.insertOne({ ...entry, ...entryOf(sku, 42) });
      },
      found: ['ordinals are contiguous'],
    },
    {
      what: 'a movement that was counted and never recorded',
      tell: ({ skus }, sku) => skus.updateOne({ _id: skuId(sku) }, { $inc: { movementCount: 1 } }),
      found: ['ordinals are contiguous', 'the ledger is complete'],
    },
    {
      what: 'stock at a location that is retired',
      tell: async ({ skus, locations }, sku) => {
        const location = `R-${sku.toUpperCase()}`;
        await client.put(`/v1/locations/${location}`, { warehouse: 'W' });
        await client.send('DELETE', `/v1/locations/${location}`);
        await client.get(`/v1/skus/${sku}`);
        expect(await locations.countDocuments({ retiredAt: { $exists: true } })).toBeGreaterThan(0);
        return skus.updateOne({ _id: skuId(sku) }, [
          { $set: { levels: [{ location: { $literal: location }, onHand: 40 }] } },
        ]);
      },
      found: ['levels follow from the history', 'nothing stands at a retired location'],
    },
  ];

  it.each(lies)('finds $what', async ({ tell, found }) => {
    const sku = await planted(receipts(40));
    expect(await faults(sku)).toEqual([]);
    await tell(collectionsOf(database.db), sku);
    expect(await faults(sku)).toEqual(found);
  });
});
