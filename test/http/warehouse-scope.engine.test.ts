/**
 * Keys with warehouses of their own: what they may touch, and what they are shown. W1 is theirs,
 * W2 is not; whatever is said of W2 names one of its locations, all of which begin with FAR.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { roles } from '../../src/domain/api-key.ts';
import { mayDo, permittedOperations } from '../../src/http/permissions.ts';
import type { Client, Reply } from '../support/http-client.ts';
import { clientOf, freshKey } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const service = useService();
const keyShown = z.object({ key: z.string() });
const idShown = z.object({ id: z.string() });
const actionShown = z.object({ actionId: z.string() });

let names = 0;

async function holder(role: string, warehouses: readonly string[]): Promise<Client> {
  const secret = await secretOf(role, warehouses);
  return clientOf(() => service.client.url, secret);
}

async function secretOf(role: string, warehouses: readonly string[]): Promise<string> {
  names += 1;
  const body = { name: `scoped-${names}`, role, warehouses };
  const { key } = keyShown.parse(
    (await service.client.send('POST', '/v1/api-keys', { body })).body,
  );
  return key;
}

/** What stands on both sides. */
interface Ground {
  readonly hold: { readonly near: string; readonly far: string };
  readonly action: { readonly near: string; readonly far: string };
  readonly count: { readonly near: string; readonly far: string };
  readonly receipt: { readonly near: string; readonly far: string };
}

const ground: { current?: Ground } = {};
const standing = (): Ground => ground.current ?? expect.fail('the ground is laid before the tests');

async function lay(): Promise<void> {
  const { client } = service;
  for (const [location, warehouse] of [
    ['NEAR', 'W1'],
    ['NEAR2', 'W1'],
    ['FAR', 'W2'],
    ['FAR2', 'W2'],
  ] as const) {
    await client.put(`/v1/locations/${location}`, { warehouse });
  }
  await client.put('/v1/skus/BOTH', { description: 'on both sides', barcodes: [{ code: '111' }] });
  await client.put('/v1/skus/COUNTED', { description: 'counted' });
  const sides = async (act: (location: string) => Promise<string>) => ({
    near: await act('NEAR'),
    far: await act('FAR'),
  });
  const action = await sides(async (location) => {
    const moved = await client.move({ type: 'receive', sku: 'BOTH', location, quantity: 50 });
    return actionShown.parse(moved.body).actionId;
  });
  await client.move({ type: 'receive', sku: 'COUNTED', location: 'NEAR', quantity: 5 });
  await client.move({ type: 'receive', sku: 'COUNTED', location: 'FAR', quantity: 5 });
  const post = async (path: string, body: object): Promise<string> => {
    const made = await client.send('POST', path, { body, key: freshKey() });
    return idShown.parse(made.body).id;
  };
  const hold = await sides((location) =>
    post('/v1/skus/BOTH/reservations', {
      location,
      quantity: 2,
      ttlSeconds: null,
      reference: 'ref',
    }),
  );
  const count = await sides((location) =>
    post('/v1/stock-counts', { locations: [location], skus: ['COUNTED'] }),
  );
  await client.send('POST', '/v1/purchase-orders', {
    body: { number: 'PO', supplier: 'S', lines: [{ line: 1, sku: 'BOTH', ordered: 90 }] },
    key: freshKey(),
  });
  const receipt = await sides((location) =>
    post('/v1/purchase-orders/PO/receipts', { lines: [{ line: 1, location, quantity: 1 }] }),
  );
  ground.current = { action, hold, count, receipt };
}

beforeAll(lay);

type Side = 'near' | 'far';
type Ask = (client: Client, side: Side) => Promise<Reply>;

const place = (side: Side): string => (side === 'near' ? 'NEAR' : 'FAR');
const get =
  (path: (side: Side) => string): Ask =>
  (client, side) =>
    client.get(path(side));
const send =
  (method: string, path: (side: Side) => string, body?: (side: Side) => unknown): Ask =>
  (client, side) =>
    client.send(method, path(side), {
      key: freshKey(),
      ...(body === undefined ? {} : { body: body(side) }),
    });
const warehouseOf = (side: Side): string => (side === 'near' ? 'W1' : 'W2');
const ofPlace = (side: Side) => ({ sku: 'BOTH', location: place(side), quantity: 1 });
const holdPath = (side: Side) => `/v1/skus/BOTH/reservations/${standing().hold[side]}`;
const countPath = (side: Side) => `/v1/stock-counts/${standing().count[side]}`;
const receiptPath = (side: Side) => `/v1/purchase-orders/PO/receipts/${standing().receipt[side]}`;

/** `far`: what a key of W1 gets where the request names something of W2. */
interface Row {
  readonly ask: Ask;
  readonly far: 403 | 404 | 'the same';
}

/** One row for every operation; those at the end take away what others need. */
const rows: Readonly<Record<string, Row>> = {
  'GET /v1/session': { ask: get(() => '/v1/session'), far: 'the same' },
  'POST /v1/movements': {
    ask: send(
      'POST',
      () => '/v1/movements',
      (side) => ({ type: 'receive', ...ofPlace(side) }),
    ),
    far: 403,
  },
  'POST /v1/movements/batch': {
    ask: async (client, side) => {
      const item = { idempotencyKey: freshKey(), type: 'receive', ...ofPlace(side) };
      const reply = await client.batch([item]);
      if (reply.status !== 200) return reply;
      const { results } = z
        .object({ results: z.array(z.object({ status: z.number() })) })
        .parse(reply.body);
      return { ...reply, status: results[0]?.status ?? 0 };
    },
    far: 403,
  },
  'GET /v1/actions/{key}': { ask: get(() => '/v1/actions/none'), far: 'the same' },
  'GET /v1/movements': {
    ask: get((side) => `/v1/movements?warehouse=${warehouseOf(side)}`),
    far: 403,
  },
  'GET /v1/skus/{sku}/movements': {
    ask: get((side) => `/v1/skus/BOTH/movements?location=${place(side)}`),
    far: 403,
  },
  'GET /v1/skus/{sku}/levels': {
    ask: get(() => '/v1/skus/BOTH/levels?at=2099-01-01T00:00:00Z'),
    far: 'the same',
  },
  'GET /v1/skus/{sku}/verification': {
    ask: get(() => '/v1/skus/BOTH/verification'),
    far: 'the same',
  },
  'GET /v1/skus': { ask: get((side) => `/v1/skus?warehouse=${warehouseOf(side)}`), far: 403 },
  'GET /v1/skus/{sku}': { ask: get(() => '/v1/skus/BOTH'), far: 'the same' },
  'PUT /v1/skus/{sku}': {
    ask: send(
      'PUT',
      () => '/v1/skus/BOTH',
      () => ({
        description: 'on both sides',
        barcodes: [{ code: '111' }],
      }),
    ),
    far: 'the same',
  },
  'GET /v1/barcodes/{code}': { ask: get(() => '/v1/barcodes/111'), far: 'the same' },
  'GET /v1/locations': {
    ask: get((side) => `/v1/locations?warehouse=${warehouseOf(side)}`),
    far: 403,
  },
  'GET /v1/locations/{location}': { ask: get((side) => `/v1/locations/${place(side)}`), far: 403 },
  'GET /v1/locations/{location}/stock': {
    ask: get((side) => `/v1/locations/${place(side)}/stock`),
    far: 403,
  },
  'PUT /v1/locations/{location}': {
    ask: send(
      'PUT',
      (side) => `/v1/locations/${place(side)}2`,
      (side) => ({ warehouse: warehouseOf(side) }),
    ),
    far: 403,
  },
  'GET /v1/reservations': { ask: get(() => '/v1/reservations?reference=ref'), far: 'the same' },
  'POST /v1/skus/{sku}/reservations': {
    ask: send(
      'POST',
      () => '/v1/skus/BOTH/reservations',
      (side) => ({ location: place(side), quantity: 1, ttlSeconds: 60 }),
    ),
    far: 403,
  },
  'GET /v1/skus/{sku}/reservations/{id}': { ask: get(holdPath), far: 404 },
  'PATCH /v1/skus/{sku}/reservations/{id}': {
    ask: send('PATCH', holdPath, () => ({ quantity: 1 })),
    far: 404,
  },
  'GET /v1/purchase-orders': { ask: get(() => '/v1/purchase-orders'), far: 'the same' },
  'GET /v1/purchase-orders/{number}': {
    ask: get(() => '/v1/purchase-orders/PO'),
    far: 'the same',
  },
  'POST /v1/purchase-orders': {
    ask: send(
      'POST',
      () => '/v1/purchase-orders',
      () => ({
        number: freshKey(),
        supplier: 'S',
        lines: [{ line: 1, sku: 'BOTH', ordered: 1 }],
      }),
    ),
    far: 'the same',
  },
  'PATCH /v1/purchase-orders/{number}': {
    ask: send(
      'PATCH',
      () => '/v1/purchase-orders/PO',
      () => ({ supplier: 'T' }),
    ),
    far: 'the same',
  },
  'GET /v1/purchase-orders/{number}/receipts': {
    ask: get(() => '/v1/purchase-orders/PO/receipts'),
    far: 'the same',
  },
  'GET /v1/purchase-orders/{number}/receipts/{id}': { ask: get(receiptPath), far: 404 },
  'POST /v1/purchase-orders/{number}/receipts': {
    ask: send(
      'POST',
      () => '/v1/purchase-orders/PO/receipts',
      (side) => ({
        lines: [{ line: 1, location: place(side), quantity: 1 }],
      }),
    ),
    far: 403,
  },
  'GET /v1/stock-counts': { ask: get(() => '/v1/stock-counts'), far: 'the same' },
  'GET /v1/stock-counts/{id}': { ask: get(countPath), far: 404 },
  'POST /v1/stock-counts': {
    ask: async (client, side) => {
      const opened = await client.send('POST', '/v1/stock-counts', {
        body: { locations: [place(side)], skus: ['BOTH'] },
        key: freshKey(),
      });
      const { data } = idShown.safeParse(opened.body);
      if (data !== undefined && opened.status === 201) {
        await service.client.send('POST', `/v1/stock-counts/${data.id}/cancel`, {
          key: freshKey(),
        });
      }
      return opened;
    },
    far: 403,
  },
  'PUT /v1/stock-counts/{id}/lines': {
    ask: send(
      'PUT',
      (side) => `${countPath(side)}/lines`,
      (side) => ({
        sku: 'COUNTED',
        location: place(side),
        counted: 5,
      }),
    ),
    far: 403,
  },
  'GET /v1/cycle-counts': { ask: get(() => '/v1/cycle-counts'), far: 'the same' },
  'PUT /v1/cycle-counts/{name}': {
    ask: send(
      'PUT',
      (side) => `/v1/cycle-counts/${side}`,
      (side) => ({ locations: [place(side)], every: 'P1D', at: '2099-01-01T00:00:00Z' }),
    ),
    far: 403,
  },
  'GET /v1/cycle-counts/{name}': { ask: get((side) => `/v1/cycle-counts/${side}`), far: 404 },
  'DELETE /v1/cycle-counts/{name}': {
    ask: send('DELETE', (side) => `/v1/cycle-counts/${side}`),
    far: 'the same',
  },
  'GET /v1/reminders': { ask: get(() => '/v1/reminders'), far: 'the same' },
  'PUT /v1/reminders/{actor}/{name}': {
    ask: send(
      'PUT',
      () => '/v1/reminders/clerk/call',
      () => ({ at: '2099-01-01T00:00:00Z' }),
    ),
    far: 'the same',
  },
  'GET /v1/reminders/{actor}/{name}': {
    ask: get(() => '/v1/reminders/clerk/none'),
    far: 'the same',
  },
  'POST /v1/reminders/{actor}/{name}/resume': {
    ask: send('POST', () => '/v1/reminders/clerk/none/resume'),
    far: 'the same',
  },
  'DELETE /v1/reminders/{actor}/{name}': {
    ask: send('DELETE', () => '/v1/reminders/clerk/none'),
    far: 'the same',
  },
  'DELETE /v1/reminders/{actor}': {
    ask: send('DELETE', () => '/v1/reminders/nobody'),
    far: 'the same',
  },
  'POST /v1/api-keys': {
    ask: send(
      'POST',
      () => '/v1/api-keys',
      () => ({
        name: `made-${(names += 1)}`,
        role: 'scanner',
      }),
    ),
    far: 'the same',
  },
  'GET /v1/api-keys': { ask: get(() => '/v1/api-keys'), far: 'the same' },
  'GET /v1/api-keys/{id}': { ask: get(() => '/v1/api-keys/none'), far: 'the same' },
  'DELETE /v1/api-keys/{id}': { ask: send('DELETE', () => '/v1/api-keys/none'), far: 'the same' },
  'POST /v1/api-keys/{id}/rotate': {
    ask: send('POST', () => '/v1/api-keys/none/rotate'),
    far: 'the same',
  },
  'POST /v1/skus/{sku}/reservations/{id}/commit': {
    ask: send('POST', (side) => `${holdPath(side)}/commit`),
    far: 404,
  },
  'DELETE /v1/skus/{sku}/reservations/{id}': { ask: send('DELETE', holdPath), far: 404 },
  'POST /v1/movements/{actionId}/reverse': {
    ask: send(
      'POST',
      (side) => `/v1/movements/${encodeURIComponent(standing().action[side])}/reverse`,
    ),
    far: 403,
  },
  'POST /v1/purchase-orders/{number}/receipts/{id}/reverse': {
    ask: send('POST', (side) => `${receiptPath(side)}/reverse`),
    far: 404,
  },
  'POST /v1/stock-counts/{id}/close': {
    ask: send('POST', (side) => `${countPath(side)}/close`),
    far: 404,
  },
  'POST /v1/stock-counts/{id}/cancel': {
    ask: send('POST', (side) => `${countPath(side)}/cancel`),
    far: 404,
  },
  'POST /v1/purchase-orders/{number}/close': {
    ask: send('POST', () => '/v1/purchase-orders/PO/close'),
    far: 'the same',
  },
  'POST /v1/purchase-orders/{number}/cancel': {
    ask: send('POST', () => '/v1/purchase-orders/PO/cancel'),
    far: 'the same',
  },
  'DELETE /v1/locations/{location}': {
    ask: send('DELETE', (side) => `/v1/locations/${place(side)}2`),
    far: 403,
  },
};

describe('the matrix of roles, operations and warehouses', () => {
  it('has a row for every operation', () => {
    expect(Object.keys(rows).toSorted()).toEqual(permittedOperations.toSorted());
  });

  it.each(roles)('holds for the role %s', async (role) => {
    const scoped = await holder(role, ['W1']);
    for (const [operation, { ask, far }] of Object.entries(rows)) {
      if (!mayDo(role, operation)) {
        for (const side of ['near', 'far'] as const) {
          expect((await ask(scoped, side)).status, operation).toBe(403);
        }
        continue;
      }
      const beyond = await ask(scoped, 'far');
      if (far !== 'the same') expect(beyond.status, `${operation} beyond`).toBe(far);
      const within = await ask(scoped, 'near');
      expect(within.status, `${operation} within: ${JSON.stringify(within.body)}`).not.toBe(403);
      expect(JSON.stringify(within.body), operation).not.toContain('FAR');
      expect(JSON.stringify(beyond.body), operation).not.toContain('FAR');
    }
  });
});

describe('what a key of one warehouse is shown', () => {
  it('is a SKU with its own levels, totals and reservations', async () => {
    const scoped = await holder('auditor', ['W1']);
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
    const scoped = await holder('scanner', ['W1']);
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
    const scoped = await holder('scanner', ['W1']);
    const ship = { type: 'ship', sku: 'BOTH', location: 'NEAR', quantity: 1_000_000 };
    const { status, body } = await scoped.move(ship);
    expect(status).toBe(409);
    expect(JSON.stringify(body)).not.toContain('FAR');
  });

  it('is no other location either where a receipt cannot be sent back', async () => {
    const { client } = service;
    const scoped = await holder('back_office', ['W1']);
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
    const scoped = await holder('auditor', ['W1']);
    const page = await scoped.get('/v1/movements?limit=200');
    expect(JSON.stringify(page.body)).not.toContain('FAR');
    const address = `${service.client.url}/v1/movements`;
    const headers = { Authorization: `Bearer ${await secretOf('auditor', ['W1'])}` };
    const csv = await fetch(address, { headers: { ...headers, Accept: 'text/csv' } });
    const text = await csv.text();
    expect(text).toContain('ordinal');
    expect(text).not.toContain('FAR');
  });
});
