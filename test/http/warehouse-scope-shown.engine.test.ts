/** What a key of one warehouse is shown of things that stand in two. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freshKey } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { idShown, layGround, secretWithin, within } from '../support/two-warehouses.ts';

const service = useService();

beforeAll(async () => {
  await layGround(service.client);
});

describe('what a key of one warehouse is shown', () => {
  it('is a SKU with its own levels, totals and reservations', async () => {
    const scoped = await within(service.client, 'auditor', ['W1']);
    await service.client.put('/v1/skus/SPLIT', { description: 'split' });
    await service.client.move({ type: 'receive', sku: 'SPLIT', location: 'NEAR', quantity: 3 });
    await service.client.move({ type: 'receive', sku: 'SPLIT', location: 'FAR', quantity: 4 });
    await service.client.move({
      type: 'transfer',
      sku: 'SPLIT',
      from: 'FAR',
      to: 'NEAR',
      quantity: 1,
    });
    expect((await scoped.get('/v1/skus/SPLIT')).body).toMatchObject({
      totals: { onHand: 4, available: 4 },
      levels: [{ location: 'NEAR', onHand: 4 }],
    });
    const { body } = await scoped.get('/v1/skus/SPLIT/movements?limit=1');
    expect(body).toMatchObject({ items: [{ type: 'transfer', lines: [{ location: 'NEAR' }] }] });
    const whole = z.object({ items: z.array(z.unknown()), nextCursor: z.string().nullable() });
    const first = whole.parse(body);
    const next = await scoped.get(
      `/v1/skus/SPLIT/movements?limit=1&cursor=${first.nextCursor ?? expect.fail('more')}`,
    );
    expect(next.body).toMatchObject({ items: [{ type: 'receive', ordinal: 1 }], nextCursor: null });
  });

  it('does not tell a location elsewhere from one that is not there', async () => {
    const scoped = await within(service.client, 'scanner', ['W1']);
    const bodies = await Promise.all(
      ['FAR', 'NOWHERE'].map(async (location) => {
        const receive = { type: 'receive', sku: 'BOTH', location, quantity: 1 };
        const { status, body } = await scoped.move(receive);
        return { status, ...z.looseObject({ instance: z.string() }).parse(body), instance: '' };
      }),
    );
    expect(bodies[0]).toMatchObject({ status: 403, code: 'forbidden' });
    expect(bodies[0]).toEqual(bodies[1]);
  });

  it('names no other location where stock is short', async () => {
    const scoped = await within(service.client, 'scanner', ['W1']);
    const ship = { type: 'ship', sku: 'BOTH', location: 'NEAR', quantity: 1_000_000 };
    const { status, body } = await scoped.move(ship);
    expect(status).toBe(409);
    expect(JSON.stringify(body)).not.toContain('FAR');
  });

  it('is no other location either where a receipt cannot be sent back', async () => {
    const { client } = service;
    const scoped = await within(service.client, 'back_office', ['W1']);
    await client.put('/v1/skus/BACK', { description: 'sent back' });
    await client.move({ type: 'receive', sku: 'BACK', location: 'FAR', quantity: 9 });
    await client.send('POST', '/v1/purchase-orders', {
      body: { number: 'BACK', supplier: 'S', lines: [{ line: 1, sku: 'BACK', ordered: 5 }] },
      key: freshKey(),
    });
    const made = await client.send('POST', '/v1/purchase-orders/BACK/receipts', {
      body: { lines: [{ line: 1, location: 'NEAR', quantity: 5 }] },
      key: freshKey(),
    });
    const { id } = idShown.parse(made.body);
    await client.move({ type: 'ship', sku: 'BACK', location: 'NEAR', quantity: 5 });
    const path = `/v1/purchase-orders/BACK/receipts/${id}/reverse`;
    const reversed = await scoped.send('POST', path, { key: freshKey() });
    expect(reversed).toMatchObject({ status: 409, body: { code: 'insufficient-stock' } });
    expect(JSON.stringify(reversed.body)).not.toContain('FAR');
  });

  it('is an export of its own lines', async () => {
    const scoped = await within(service.client, 'auditor', ['W1']);
    const page = await scoped.get('/v1/movements?limit=200');
    expect(JSON.stringify(page.body)).not.toContain('FAR');
    const address = `${service.client.url}/v1/movements`;
    const headers = {
      Authorization: `Bearer ${await secretWithin(service.client, 'auditor', ['W1'])}`,
    };
    const csv = await fetch(address, { headers: { ...headers, Accept: 'text/csv' } });
    const text = await csv.text();
    expect(text).toContain('ordinal');
    expect(text).not.toContain('FAR');
  });
});
