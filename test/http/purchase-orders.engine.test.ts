/** Orders and receipts over HTTP, on the real engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshKey, outcomeOf, pageOf } from '../support/http-client.ts';
import { orderClient, pathOf, receiptShape, skuOf, units } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
const orders = orderClient(client);

beforeAll(async () => {
  for (const location of ['A1', 'B1']) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse: 'W' })).status).toBe(201);
  }
});

describe('receiving', () => {
  it('brings the goods in, and says by which movement', async () => {
    await orders.orderOf('PO-1', 10);
    const reply = await orders.receive('PO-1', { ...Object(units(4)), reference: 'truck 7' });
    expect(reply.body).toMatchObject({ status: 'completed' });
    expect(reply.status).toBe(201);
    const { id, lines } = receiptShape.parse(reply.body);
    expect(lines).toEqual([{ line: 1, sku: 'sku-PO-1', location: 'A1', quantity: 4, ordinal: 1 }]);
    expect(await orders.order('PO-1')).toMatchObject({
      status: 'partial',
      lines: [{ ordered: 10, received: 4, remaining: 6, status: 'partial' }],
    });
    expect((await orders.stock(skuOf('PO-1'))).totals.onHand).toBe(4);
    expect((await client.get(`${pathOf('PO-1')}/receipts/${id}`)).body).toEqual(reply.body);
    const { items } = pageOf(await client.get(`${pathOf('PO-1')}/receipts`));
    expect(items).toEqual([reply.body]);
    expect(outcomeOf(await orders.receive('PO-1', units(1), freshKey()))).toBe('201');
  });
});
