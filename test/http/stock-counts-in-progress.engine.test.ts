/** A closing that its request has no time for: 202, where to look, and what is to be seen there. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parseCountId } from '../../src/domain/stock-count.ts';
import { countsOf } from '../../src/store/count-documents.ts';
import { countClient, countShape } from '../support/count-client.ts';
import { freshKey, outcomeOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client, database } = useService({ requestDeadlineMs: 2_000 });
const { makeLocations, newSku, moved, opened, put, end, show, skuOf } = countClient(client);
const counts = countsOf(database.db);

beforeAll(makeLocations);

/** Another process has begun to close it: its lease stands, and it does not get on. */
async function begunElsewhere(id: string): Promise<void> {
  const begun = await counts.updateOne(
    { _id: parseCountId(id) ?? expect.fail('an id'), status: 'open' },
    {
      $set: { status: 'closing', endedBy: 'admin', lease: { holder: 'elsewhere', fence: 2 } },
      $currentDate: { leasedAt: true },
      $inc: { version: 1 },
    } as object,
  );
  expect(begun.matchedCount).toBe(1);
}

describe('the closing of a count that does not end within its request', () => {
  it(
    'is answered 202, first and again, and shows itself closed once it is',
    { timeout: 60_000 },
    async () => {
      const sku = await newSku({ A: 10 });
      const id = await opened({ locations: ['A'], skus: [sku] });
      expect(outcomeOf(await put(id, { sku, location: 'A', counted: 7 }))).toBe('200');
      await begunElsewhere(id);

      const key = freshKey();
      const first = await end(id, 'close', key);
      expect(first).toMatchObject({
        status: 202,
        body: { id, status: 'closing', closedBy: 'admin', lines: [{ variance: -3 }] },
      });
      const place = first.headers.get('location');
      expect(place).toBe(`/v1/stock-counts/${id}`);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      const again = await end(id, 'close', key);
      expect(again.status).toBe(202);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await client.get(place ?? '')).toMatchObject({ body: { status: 'closing' } });

      // What is under way is neither changed nor cancelled, and its pairs are not free yet.
      expect(outcomeOf(await put(id, { sku, location: 'A', counted: 8 }))).toBe('409 count-closed');
      expect(outcomeOf(await end(id, 'cancel'))).toBe('409 count-closed');
      await moved({ type: 'ship', sku, location: 'A', quantity: 2 });

      await counts.updateOne(
        { _id: parseCountId(id) ?? expect.fail('an id') },
        { $set: { leasedAt: new Date(0) } },
      );
      let shown = countShape.parse((await show(id)).body);
      while (shown.status === 'closing') {
        await new Promise((resolve) => setTimeout(resolve, 50));
        shown = countShape.parse((await client.get(place ?? '')).body);
      }
      expect(shown).toMatchObject({
        status: 'closed',
        lines: [{ outcome: 'adjusted', ordinal: 3 }],
      });
      expect(await skuOf(sku)).toMatchObject({ movementCount: 3, totals: { onHand: 5 } });
      const late = await end(id, 'close', key);
      expect(late).toMatchObject({ status: 200, body: shown });
      expect(late.headers.get('idempotent-replayed')).toBe('true');
      expect(late.headers.get('location')).toBeNull();
    },
  );
});
