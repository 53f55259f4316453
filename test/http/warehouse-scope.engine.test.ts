/**
 * Keys with warehouses of their own: what they may touch, and what they are shown. W1 is theirs,
 * W2 is not; whatever is said of W2 names one of its locations, all of which begin with FAR.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { roles } from '../../src/domain/api-key.ts';
import { mayDo, permittedOperations } from '../../src/http/permissions.ts';
import type { Client, Reply } from '../support/http-client.ts';
import { freshKey } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import type { Ground, Side } from '../support/two-warehouses.ts';
import { idShown, layGround, nameOfKey, warehousesOf, within } from '../support/two-warehouses.ts';

const service = useService();

const ground: { current?: Ground } = {};
const standing = (): Ground => ground.current ?? expect.fail('the ground is laid before the tests');

beforeAll(async () => {
  ground.current = await layGround(service.client);
});

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
const ofPlace = (side: Side) => ({ sku: 'BOTH', location: place(side), quantity: 1 });
const holdPath = (side: Side) => `/v1/skus/BOTH/reservations/${standing().hold[side]}`;
const countPath = (side: Side) => `/v1/stock-counts/${standing().count[side]}`;
const keyPath = (side: Side) => `/v1/api-keys/${standing().key[side]}`;
const receiptPath = (side: Side) => `/v1/purchase-orders/PO/receipts/${standing().receipt[side]}`;

const appointmentPath = (side: Side) => `/v1/dock/holds/${standing().appointment[side]}`;

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
    ask: get((side) => `/v1/movements?warehouse=${warehousesOf[side]}`),
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
  'GET /v1/skus': { ask: get((side) => `/v1/skus?warehouse=${warehousesOf[side]}`), far: 403 },
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
    ask: get((side) => `/v1/locations?warehouse=${warehousesOf[side]}`),
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
      (side) => ({ warehouse: warehousesOf[side] }),
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
    ask: async (client, side) => {
      const removed = await send('DELETE', () => `/v1/cycle-counts/${side}`)(client, side);
      if (removed.status !== 200) return removed;
      // It says the name that it was given, whether there is one or not.
      expect(removed.body).toEqual({ name: side, state: 'removed' });
      return { ...removed, body: {} };
    },
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
    ask: get((side) => `/v1/reminders/~cycle-count/${side}`),
    far: 404,
  },
  'POST /v1/reminders/{actor}/{name}/resume': {
    ask: send('POST', (side) => `/v1/reminders/~cycle-count/${side}/resume`),
    far: 404,
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
      (side) => ({ name: nameOfKey(), role: 'scanner', warehouses: [warehousesOf[side]] }),
    ),
    far: 403,
  },
  'GET /v1/api-keys': { ask: get(() => '/v1/api-keys'), far: 'the same' },
  'GET /v1/api-keys/{id}': { ask: get(keyPath), far: 404 },
  'POST /v1/api-keys/{id}/rotate': {
    ask: send('POST', (side) => `${keyPath(side)}/rotate`),
    far: 404,
  },
  'DELETE /v1/api-keys/{id}': { ask: send('DELETE', keyPath), far: 404 },
  'GET /v1/dock/slots': {
    ask: get((side) => `/v1/dock/slots?warehouse=${warehousesOf[side]}`),
    far: 403,
  },
  'GET /v1/dock/slots/availability': {
    ask: get((side) => `/v1/dock/slots/availability?warehouse=${warehousesOf[side]}`),
    far: 403,
  },
  'POST /v1/dock/slots': {
    ask: send(
      'POST',
      () => '/v1/dock/slots',
      (side) => ({
        warehouse: warehousesOf[side],
        startsAt: '2030-01-31T08:00:00Z',
        endsAt: '2030-01-31T09:00:00Z',
        capacity: 1,
      }),
    ),
    far: 403,
  },
  'POST /v1/dock/slots/{slot}/holds': {
    ask: send('POST', (side) => `/v1/dock/slots/${standing().slot[side]}/holds`),
    far: 404,
  },
  'GET /v1/dock/holds/{id}': { ask: get(appointmentPath), far: 404 },
  'POST /v1/dock/holds/{id}/confirm': {
    ask: send('POST', (side) => `${appointmentPath(side)}/confirm`),
    far: 404,
  },
  'DELETE /v1/dock/holds/{id}': { ask: send('DELETE', appointmentPath), far: 404 },
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
    far: 404,
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
    const scoped = await within(service.client, role, ['W1']);
    for (const [operation, { ask, far }] of Object.entries(rows)) {
      if (!mayDo(role, operation)) {
        for (const side of ['near', 'far'] as const) {
          expect((await ask(scoped, side)).status, operation).toBe(403);
        }
        continue;
      }
      const beyond = await ask(scoped, 'far');
      if (far !== 'the same') expect(beyond.status, `${operation} beyond`).toBe(far);
      const inside = await ask(scoped, 'near');
      expect(inside.status, `${operation} within: ${JSON.stringify(inside.body)}`).not.toBe(403);
      for (const { body } of [inside, beyond]) {
        // At the begin of a word: within one, the service's own ids may have those letters.
        expect(JSON.stringify(body), operation).not.toMatch(/\bfar/i);
      }
    }
  });
});
