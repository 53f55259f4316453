/** G8, G11 of counts: lost answers at every call, and a process killed in the middle of a closing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CountId } from '../../src/domain/stock-count.ts';
import { parseCountId } from '../../src/domain/stock-count.ts';
import { countsOf } from '../../src/store/count-documents.ts';
import {
  countOfEveryKind,
  expectClosedOnce,
  gatedProcess,
  stored,
} from '../support/count-of-every-kind.ts';
import { closing, countIn } from '../support/counting.ts';
import { losingGate } from '../support/crash-gate.ts';
import { useDatabase } from '../support/database.ts';
import type { Client } from '../support/http-client.ts';
import { clientOf, freshKey } from '../support/http-client.ts';
import { plantSku, receipts } from '../support/planted.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';
import { useStockroom } from '../support/stockroom.ts';

describe('a database that loses', () => {
  const room = useStockroom();

  it.each(['request', 'answer'] as const)(
    'the %s of any one call leaves a closing closed, once, and the caller told',
    { timeout: 240_000 },
    async (what) => {
      const watching = losingGate(0, what);
      const watched = await countOfEveryKind(room, `WATCH-${what}`);
      await gatedProcess(room, watching.gate).counts.close(closing(watched.id));
      for (let at = 1; at <= watching.calls(); at += 1) {
        const count = await countOfEveryKind(room, `LOSE-${what}-${at}`);
        const { counts, runs, defects } = gatedProcess(room, losingGate(at, what).gate);
        const closed = countIn(await counts.close(closing(count.id)));
        expect(closed).toEqual(await stored(room, count.id));
        await expectClosedOnce(room, count.id);
        await runs.idle();
        expect(defects).toEqual([]);
      }
    },
  );
});

describe('a service that is killed in the middle of closing 600 lines', () => {
  const database = useDatabase();
  const skus = Array.from({ length: 600 }, (_, n) => `KILL-${String(n).padStart(3, '0')}`);
  const shape = z.object({
    status: z.string(),
    lines: z.array(z.object({ outcome: z.string().optional() })),
  });

  async function countOf(client: Client, id: string): Promise<z.output<typeof shape>> {
    return shape.parse((await client.get(`/v1/stock-counts/${id}`)).body);
  }

  /** Every SKU stands at 1 and is counted as 3. */
  async function countedCount(client: Client): Promise<CountId> {
    const opened = await client.send('POST', '/v1/stock-counts', {
      body: { locations: ['A'], skus },
      key: freshKey(),
    });
    expect(opened.status).toBe(201);
    const id = parseCountId(z.object({ id: z.string() }).parse(opened.body).id);
    if (id === undefined) return expect.fail('the service makes the id');
    const counts = countsOf(database.db);
    const lines = (await counts.findOne({ _id: id }))?.lines.map((line) => ({
      ...line,
      tally: { counted: 3, asOfOrdinal: 1, onHand: 1, by: 'admin' },
    }));
    await counts.updateOne({ _id: id }, [{ $set: { lines: { $literal: lines } } }]);
    return id;
  }

  beforeAll(async () => {
    const { stop, url } = await startServiceProcess(database);
    const client = clientOf(() => url, adminSecret);
    expect((await client.put('/v1/locations/A', { warehouse: 'W' })).status).toBe(201);
    for (let from = 0; from < skus.length; from += 50) {
      const some = skus.slice(from, from + 50);
      await Promise.all(some.map((sku) => plantSku(database.db, sku, receipts(1))));
    }
    await stop();
  });

  it('is finished by another, without a client, within 30 s', { timeout: 120_000 }, async () => {
    const doomed = await startServiceProcess(database);
    const other = await startServiceProcess(database);
    const client = clientOf(() => other.url, adminSecret);
    try {
      const id = await countedCount(client);
      const path = `/v1/stock-counts/${id}/close`;
      const asked = clientOf(() => doomed.url, adminSecret)
        .send('POST', path, { key: freshKey() })
        .catch(() => 'cut off');
      let begun = await countOf(client, id);
      while (!begun.lines.some(({ outcome }) => outcome === 'adjusted')) {
        begun = await countOf(client, id);
      }
      doomed.process.kill('SIGKILL');
      const killedAt = performance.now();
      expect(await asked).toBe('cut off');
      const left = await countOf(client, id);
      expect(left.status).toBe('closing');
      let count = left;
      while (count.status !== 'closed') {
        expect(performance.now() - killedAt).toBeLessThan(30_000);
        await new Promise((resolve) => setTimeout(resolve, 200));
        count = await countOf(client, id);
      }
      expect(count.lines.every(({ outcome }) => outcome === 'adjusted')).toBe(true);
      const stock = await database.db
        .collection('skus')
        .find({}, { projection: { levels: 1, movementCount: 1 } })
        .toArray();
      expect(stock).toHaveLength(600);
      for (const { levels, movementCount } of stock) {
        expect(levels).toEqual([{ location: 'A', onHand: 3 }]);
        expect(movementCount).toBe(2);
      }
      const again = await client.send('POST', path, { key: freshKey() });
      expect(again).toMatchObject({ status: 200, body: { status: 'closed' } });
    } finally {
      doomed.process.kill('SIGKILL');
      await other.stop();
    }
  });
});
