/** G8: a service process is killed in the middle of 50 receipts; another finishes them. */
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { ordersOf } from '../../src/store/order-documents.ts';
import { useDatabase } from '../support/database.ts';
import { clientOf, freshKey, outcomeOf } from '../support/http-client.ts';
import { orderClient, receiptShape } from '../support/orders.ts';
import { recordMoves } from '../support/recorded-moves.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';

const database = useDatabase();
const { receipts, orders: orderDocuments } = ordersOf(database.db);
const services: ServiceProcess[] = [];

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

async function newService(): Promise<ServiceProcess> {
  const service = await startServiceProcess(database);
  services.push(service);
  return service;
}

const pause = (milliseconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const unfinished = () => receipts.countDocuments({ 'lease.until': { $exists: true } });

describe('a service that is killed in the middle of 50 receipts', () => {
  it('leaves none of them unfinished for 30 s, and none that was not paid for', async () => {
    const [victim, heir] = await Promise.all([newService(), newService()]);
    const [client, other] = [victim, heir].map(({ url }) => clientOf(() => url, adminSecret));
    if (client === undefined || other === undefined) throw new Error('no clients');
    await client.put('/v1/locations/A1', { warehouse: 'W' });
    const skus = Array.from({ length: 10 }, (_, index) => `sku-${index}`);
    await Promise.all(skus.map((sku) => client.put(`/v1/skus/${sku}`, { description: sku })));
    const lines = skus.map((sku, index) => ({ line: index + 1, sku, ordered: 1_000 }));
    const numbers = Array.from({ length: 5 }, (_, index) => `PO-${index}`);
    for (const number of numbers) {
      const made = await orderClient(client).create({ number, supplier: 'ACME', lines });
      expect(made.status).toBe(201);
    }
    const requests = Array.from({ length: 50 }, (_, index) => ({
      number: numbers[index % 5] ?? '',
      key: freshKey(),
      body: { lines: skus.map((_, at) => ({ line: at + 1, location: 'A1', quantity: 1 })) },
    }));
    const sent = requests.map(({ number, key, body }) =>
      orderClient(client)
        .receive(number, body, key)
        .catch(() => undefined),
    );
    while ((await receipts.countDocuments({ state: { $ne: 'pending' } })) < 10) await pause(2);
    victim.process.kill('SIGKILL');
    await once(victim.process, 'exit');
    const killedAt = performance.now();
    await Promise.all(sent);
    const left = await unfinished();
    while ((await unfinished()) > 0) await pause(100);
    expect(performance.now() - killedAt).toBeLessThan(30_000);
    expect(left).toBeGreaterThan(0);
    expect(await orderDocuments.countDocuments({ outcomes: { $ne: [] } })).toBe(0);

    // Now the clients send again what they have no answer for, and all of it is there once.
    const record = recordMoves();
    for (const { number, key, body } of requests) {
      const reply = await orderClient(other).receive(number, body, key);
      expect(['200', '201']).toContain(outcomeOf(reply));
      const receipt = receiptShape.parse(reply.body);
      expect(receipt).toMatchObject({ status: 'completed' });
      record.name(
        receipt.lines.map(({ sku, location, quantity: delta, ordinal = 0 }) => ({
          ...{ sku, location, delta, ordinal },
        })),
      );
    }
    for (const number of numbers) {
      const order = await orderClient(other).order(number);
      expect(order.lines.map(({ received }) => received)).toEqual(skus.map(() => 10));
    }
    for (const sku of skus) {
      const stock = await orderClient(other).stock(sku);
      expect(stock).toMatchObject({ totals: { onHand: 50 }, movementCount: 50 });
    }
    expect(await record.check(other, skus)).toEqual([]);
  });
});
