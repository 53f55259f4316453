/** One key, one effect, one answer: over real HTTP and on the real engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply, Sent } from '../support/http-client.ts';
import { freshKey, outcomeOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client } = useService();

beforeAll(async () => {
  expect((await client.put('/v1/locations/A', { warehouse: 'W' })).status).toBe(201);
});

async function newSku(): Promise<string> {
  const sku = freshKey();
  expect((await client.put(`/v1/skus/${sku}`, { description: 'd' })).status).toBe(201);
  return sku;
}

const receive = (sku: string, quantity = 1) => ({ type: 'receive', sku, location: 'A', quantity });

function expectReplay(again: Reply, first: Reply): void {
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(first.headers.get('idempotent-replayed')).toBeNull();
}

describe('a movement that is sent again', () => {
  it('gets the first answer, whatever happened since', async () => {
    const sku = await newSku();
    const key = freshKey();
    const body = { ...receive(sku, 7), reference: 'PO-1', note: 'with care' };
    const first = await client.move(body, key);
    expect(first).toMatchObject({
      status: 201,
      body: {
        actionId: `admin/${key}`,
        sku,
        ordinal: 1,
        type: 'receive',
        lines: [{ location: 'A', delta: 7, onHand: 7 }],
        reference: 'PO-1',
        note: 'with care',
        actor: 'admin',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      },
    });
    await client.move(receive(sku, 5));
    expectReplay(await client.move(body, key), first);
    expectReplay(await client.move(body, `"${key}"`), first);
  });

  it('may have been sent in a batch, and the other way round', async () => {
    const sku = await newSku();
    const [one, two] = [freshKey(), freshKey()];
    const first = await client.move(receive(sku), one);
    const batch = await client.batch([
      { idempotencyKey: one, ...receive(sku) },
      { idempotencyKey: two, ...receive(sku, 2) },
      { idempotencyKey: two, ...receive(sku, 2) },
    ]);
    expect(batch).toMatchObject({
      status: 200,
      body: {
        results: [
          { idempotencyKey: one, status: 200, movement: first.body },
          { idempotencyKey: two, status: 201, movement: { ordinal: 2 } },
          { idempotencyKey: two, status: 200, movement: { ordinal: 2 } },
        ],
      },
    });
    expect(await client.move(receive(sku, 2), two)).toMatchObject({
      status: 200,
      body: { ordinal: 2 },
    });
  });

  it('is found under its key', async () => {
    const sku = await newSku();
    const key = 'order 7/line'.replace(' ', '+') + freshKey();
    const path = `/v1/actions/${encodeURIComponent(key)}`;
    expect(outcomeOf(await client.get(path))).toBe('404 not-found');
    const first = await client.move(receive(sku), key);
    expect(await client.get(path)).toMatchObject({ status: 200, body: first.body });
    expect(outcomeOf(await client.get('/v1/actions/a%20b'))).toBe('422 validation');
  });

  it('that was refused may be sent again and then succeed', async () => {
    const sku = await newSku();
    const key = freshKey();
    const ship = { ...receive(sku, 3), type: 'ship' };
    expect(outcomeOf(await client.move(ship, key))).toBe('409 insufficient-stock');
    await client.move(receive(sku, 3));
    expect(outcomeOf(await client.move(ship, key))).toBe('201');
  });
});

describe('a key of a request that was turned away', () => {
  it('stays unused', async () => {
    const sku = await newSku();
    const key = freshKey();
    expect(outcomeOf(await client.move(receive(sku, 0), key))).toBe('422 validation');
    expect(outcomeOf(await client.move(receive('nowhere'), key))).toBe('422 unknown-sku');
    expect(outcomeOf(await client.move(receive(sku), key))).toBe('201');
  });
});

describe('a change of a SKU or a location that is sent again', () => {
  interface Change {
    readonly what: string;
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly other?: unknown;
  }
  const changes: readonly Change[] = [
    {
      what: 'a new SKU',
      method: 'PUT',
      path: '/v1/skus/again',
      body: { description: 'first' },
      other: { description: 'second' },
    },
    {
      what: 'a new location',
      method: 'PUT',
      path: '/v1/locations/AGAIN',
      body: { warehouse: 'W', name: 'first' },
      other: { warehouse: 'W', name: 'second' },
    },
  ];

  it.each(changes)('$what gets the first answer', async ({ method, path, body, other }) => {
    const key = freshKey();
    const send = (sent: Sent) => client.send(method, path, sent);
    const first = await send({ body, key });
    expect(first.status).toBe(201);
    expect(first.headers.get('etag')).toBe('"1"');
    expectReplay(await send({ body, key }), first);
    expect(outcomeOf(await send({ body: other }))).toBe('200');
    const again = await send({ body, key });
    expectReplay(again, first);
    expect(again.headers.get('etag')).toBe('"1"');
    expect(outcomeOf(await send({ body: other, key }))).toBe('422 idempotency-key-reused');
    // The repeats have not brought the first state back.
    expect((await client.get(path)).body).toMatchObject({ version: 2 });
  });

  it('a retirement gets the first answer', async () => {
    await client.put('/v1/locations/RETIRED', { warehouse: 'W' });
    const key = freshKey();
    const first = await client.send('DELETE', '/v1/locations/RETIRED', { key });
    expect(first).toMatchObject({ status: 200, body: { location: 'RETIRED', version: 2 } });
    expectReplay(await client.send('DELETE', '/v1/locations/RETIRED', { key }), first);
  });
});

describe('a request that finds what it wants', () => {
  async function newOrder(): Promise<string> {
    const number = freshKey();
    const lines = [{ line: 1, sku: await newSku(), ordered: 1 }];
    const body = { number, supplier: 's', lines };
    const made = await client.send('POST', '/v1/purchase-orders', { key: freshKey(), body });
    expect(made.status).toBe(201);
    return `/v1/purchase-orders/${number}`;
  }

  async function newLocation(): Promise<string> {
    const path = `/v1/locations/${freshKey().toUpperCase().slice(0, 32)}`;
    expect((await client.put(path, { warehouse: 'W' })).status).toBe(201);
    return path;
  }

  it.each([
    ['closes an order', 'POST', newOrder, '/close'],
    ['cancels an order', 'POST', newOrder, '/cancel'],
    ['retires a location', 'DELETE', newLocation, ''],
  ] as const)('and %s once more has its key for itself', async (_, method, make, end) => {
    const [one, other] = [await make(), await make()];
    const send = (path: string, key: string) => client.send(method, path + end, { key });
    expect((await send(one, freshKey())).status).toBe(200);
    const key = freshKey();
    const first = await send(one, key);
    expect(first.status).toBe(200);
    expectReplay(await send(one, key), first);
    expect(outcomeOf(await send(other, key))).toBe('422 idempotency-key-reused');
  });
});
