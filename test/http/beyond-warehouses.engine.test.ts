/** What stands elsewhere is as what was never there, for a key of W1, and stays as it is. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Client } from '../support/http-client.ts';
import { freshKey, pageOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import type { Ground } from '../support/two-warehouses.ts';
import { idShown, layGround, nameOfKey, within } from '../support/two-warehouses.ts';

const service = useService();
const laid: { ground?: Ground; scoped?: Client } = {};
const scoped = (): Client => laid.scoped ?? expect.fail('a key is made before the tests');

beforeAll(async () => {
  laid.ground = await layGround(service.client);
  laid.scoped = await within(service.client, 'admin', ['W1']);
});

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

const reservation = '/v1/skus/BOTH/reservations';
const counts = '/v1/stock-counts';
const receipts = '/v1/purchase-orders/PO/receipts';
const line = { sku: 'COUNTED', location: 'NEAR', counted: 5 };
const never = { id: 'N'.repeat(22), uuid: '01890000-0000-7000-8000-000000000000' };

/** By what is asked: the id of what stands elsewhere, or where the ground has it, one that was never given, and the request. */
const asked: Readonly<Record<string, readonly [string, string, (id: string) => Asked]>> = {
  'a location': ['FAR', 'NEVER', (id) => ({ path: `/v1/locations/${id}` })],
  'the stock of a location': ['FAR', 'NEVER', (id) => ({ path: `/v1/locations/${id}/stock` })],
  'retiring a location': [
    'FAR',
    'NEVER',
    (id) => ({ method: 'DELETE', path: `/v1/locations/${id}` }),
  ],
  'a movement there': [
    'FAR',
    'NEVER',
    (location) => ({
      method: 'POST',
      path: '/v1/movements',
      body: { type: 'receive', sku: 'BOTH', location, quantity: 1 },
    }),
  ],
  'the reversal of a movement': [
    'action',
    'admin/never',
    (id) => ({ method: 'POST', path: `/v1/movements/${encodeURIComponent(id)}/reverse` }),
  ],
  'a hold': ['hold', never.id, (id) => ({ path: `${reservation}/${id}` })],
  'the change of a hold': [
    'hold',
    never.id,
    (id) => ({ method: 'PATCH', path: `${reservation}/${id}`, body: { quantity: 1 } }),
  ],
  'the commit of a hold': [
    'hold',
    never.id,
    (id) => ({ method: 'POST', path: `${reservation}/${id}/commit` }),
  ],
  'the release of a hold': [
    'hold',
    never.id,
    (id) => ({ method: 'DELETE', path: `${reservation}/${id}` }),
  ],
  'a receipt': ['receipt', never.id, (id) => ({ path: `${receipts}/${id}` })],
  'the reversal of a receipt': [
    'receipt',
    never.id,
    (id) => ({ method: 'POST', path: `${receipts}/${id}/reverse` }),
  ],
  'a count': ['count', never.id, (id) => ({ path: `${counts}/${id}` })],
  'a line of a count': [
    'count',
    never.id,
    (id) => ({ method: 'PUT', path: `${counts}/${id}/lines`, body: line }),
  ],
  'closing a count': [
    'count',
    never.id,
    (id) => ({ method: 'POST', path: `${counts}/${id}/close` }),
  ],
  'cancelling a count': [
    'count',
    never.id,
    (id) => ({ method: 'POST', path: `${counts}/${id}/cancel` }),
  ],
  'a cycle count': ['far', 'never', (id) => ({ path: `/v1/cycle-counts/${id}` })],
  'taking a cycle count away': [
    'far',
    'never',
    (id) => ({ method: 'DELETE', path: `/v1/cycle-counts/${id}` }),
  ],
  'the reminder of a cycle count': [
    'far',
    'never',
    (id) => ({ path: `/v1/reminders/~cycle-count/${id}` }),
  ],
  'resuming a cycle count': [
    'far',
    'never',
    (id) => ({ method: 'POST', path: `/v1/reminders/~cycle-count/${id}/resume` }),
  ],
  'a key': ['key', never.uuid, (id) => ({ path: `/v1/api-keys/${id}` })],
  'another secret for a key': [
    'key',
    never.uuid,
    (id) => ({ method: 'POST', path: `/v1/api-keys/${id}/rotate` }),
  ],
  'revoking a key': ['key', never.uuid, (id) => ({ method: 'DELETE', path: `/v1/api-keys/${id}` })],
};

function isOfGround(name: string, ground: Ground): name is keyof Ground {
  return name in ground;
}

/** The answer without the ids that were asked for; twice with one key, as a caller repeats it. */
async function answers({ method = 'GET', path, body }: Asked, id: string): Promise<unknown> {
  const key = freshKey();
  const send = () => scoped().send(method, path, { key, ...(body !== undefined && { body }) });
  const replies = [await send(), await send()];
  return replies.map((reply) => ({
    status: reply.status,
    replayed: reply.headers.get('idempotent-replayed'),
    body: JSON.stringify({ ...z.looseObject({}).parse(reply.body), instance: '' }).replaceAll(
      id,
      'ID',
    ),
  }));
}

describe('what lies elsewhere', () => {
  it.each(Object.keys(asked))('is as what never was: %s', async (name) => {
    const [far, unknown, ask] = asked[name] ?? expect.fail(name);
    const ground = laid.ground ?? expect.fail('the ground is laid before the tests');
    const id = isOfGround(far, ground) ? ground[far].far : far;
    expect(await answers(ask(id), id)).toEqual(await answers(ask(unknown), unknown));
  });

  it('stays where it is', async () => {
    const { get } = service.client;
    const ground = laid.ground ?? expect.fail('the ground is laid before the tests');
    expect((await get('/v1/cycle-counts/far')).status).toBe(200);
    expect((await get(`/v1/api-keys/${ground.key.far}`)).body).not.toHaveProperty('revokedAt');
    expect((await get(`${counts}/${ground.count.far}`)).body).toMatchObject({ status: 'open' });
    expect((await get(`${reservation}/${ground.hold.far}`)).body).toMatchObject({
      state: 'held',
      quantity: 2,
    });
  });

  it('is not exported by its warehouse', async () => {
    const headers = { Accept: 'application/x-ndjson' };
    const refused = await scoped().send('GET', '/v1/movements?warehouse=W2', { headers });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

describe('a hold that was moved away', () => {
  it('is gone for the key, whose own change of it keeps its answer', async () => {
    const made = await scoped().send('POST', reservation, {
      body: { location: 'NEAR', quantity: 1, ttlSeconds: null },
      key: freshKey(),
    });
    const path = `${reservation}/${idShown.parse(made.body).id}`;
    const change = { key: freshKey(), body: { quantity: 2 } };
    const first = await scoped().send('PATCH', path, change);
    expect(first.status).toBe(200);
    const moved = await service.client.send('PATCH', path, { body: { location: 'FAR' } });
    expect(moved.status).toBe(200);
    const again = await scoped().send('PATCH', path, change);
    expect(again).toMatchObject({ status: 200, body: first.body });
    for (const [method, to] of [
      ['PATCH', path],
      ['POST', `${path}/commit`],
      ['DELETE', path],
    ] as const) {
      const body = method === 'PATCH' ? { body: { quantity: 1 } } : {};
      const reply = await scoped().send(method, to, { key: freshKey(), ...body });
      expect(reply).toMatchObject({ status: 404, body: { code: 'unknown-reservation' } });
    }
    await service.client.send('DELETE', path);
    const gone = await scoped().send('DELETE', path);
    expect(gone).toMatchObject({ status: 404, body: { code: 'unknown-reservation' } });
  });
});

describe('an admin of one warehouse', () => {
  const make = (warehouses?: readonly string[]) =>
    scoped().send('POST', '/v1/api-keys', {
      body: { name: nameOfKey(), role: 'admin', ...(warehouses && { warehouses }) },
    });

  it('makes keys of that warehouse and no further', async () => {
    for (const wider of [undefined, ['W2'], ['W1', 'W2']]) {
      expect(await make(wider)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await make(['W1'])).toMatchObject({ status: 201, body: { warehouses: ['W1'] } });
  });

  it('sees and rules the keys of that warehouse, and no wider one', async () => {
    const { id } = idShown.parse((await make(['W1'])).body);
    const wider = await Promise.all(
      [{}, { warehouses: ['W1', 'W2'] }].map(async (reach) => {
        const body = { name: nameOfKey(), role: 'scanner', ...reach };
        const made = await service.client.send('POST', '/v1/api-keys', { body });
        return idShown.parse(made.body).id;
      }),
    );
    const listed = pageOf(await scoped().get('/v1/api-keys?limit=200')).items;
    expect(listed.map((key) => key['id'])).toContain(id);
    expect(listed.every((key) => JSON.stringify(key['warehouses']) === '["W1"]')).toBe(true);
    for (const one of wider) {
      const path = `/v1/api-keys/${one}`;
      expect((await scoped().get(path)).status).toBe(404);
      expect((await scoped().send('POST', `${path}/rotate`)).status).toBe(404);
      expect((await scoped().send('DELETE', path)).status).toBe(404);
      expect((await service.client.get(path)).body).not.toHaveProperty('revokedAt');
    }
    expect((await scoped().send('POST', `/v1/api-keys/${id}/rotate`)).status).toBe(200);
    expect((await scoped().send('DELETE', `/v1/api-keys/${id}`)).status).toBe(200);
  });
});
