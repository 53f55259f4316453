/**
 * Requests that must be turned away, over real HTTP and on the real engine: each row with its
 * status and code, and after each the proof that it has changed nothing.
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freshKey, outcomeOf, problemOf, rawRequest, sendRaw } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { encoded, movements, receive, rows, ship, text, twoOfA, typed } from './turned-away.ts';

const held = z.object({ id: z.string(), state: z.string() });

const service = useService();
const { client } = service;

beforeAll(async () => {
  for (const location of ['A', 'B']) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse: 'W' })).status).toBe(201);
  }
  expect((await client.put('/v1/skus/S', { description: 'Bolt' })).status).toBe(201);
  expect((await client.move({ ...receive, quantity: 10 })).status).toBe(201);
  for (const number of ['OPEN', 'CLOSED']) {
    const lines = [{ line: 1, sku: 'S', ordered: 10 }];
    const made = await postTo('/v1/purchase-orders', { number, supplier: 'Leaf', lines });
    expect(made.status).toBe(201);
  }
  expect((await postTo('/v1/purchase-orders/CLOSED/close', {})).status).toBe(200);
});

function postTo(path: string, body: unknown) {
  return client.send('POST', path, { body, key: freshKey() });
}

const madeKey = z.object({ id: z.string(), key: z.string() });

async function makeKey(role: string): Promise<z.output<typeof madeKey>> {
  const name = freshKey();
  return madeKey.parse((await postTo('/v1/api-keys', { name, role })).body);
}

describe('turned away', () => {
  afterEach(async () => {
    expect((await client.get('/v1/skus/S')).body).toMatchObject({
      movementCount: 1,
      version: 2,
      levels: [{ location: 'A', onHand: 10 }],
    });
  });

  it.each(rows)('$row: $what: $answer', async ({ method = 'GET', path = '', sent, answer }) => {
    expect(outcomeOf(await client.send(method, path, sent))).toBe(answer);
  });

  it('11: says what is allowed instead', async () => {
    const refused = await client.send('PUT', movements, { body: receive });
    expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });

  it('12: with the same body, whatever is wrong with the key', async () => {
    const bodies = new Set<string>();
    const revoked = await makeKey('scanner');
    await client.send('DELETE', `/v1/api-keys/${revoked.id}`);
    const keys = ['', 'Bearer', 'Bearer unknown', 'Basic YTpi', 'Bearer a b'];
    for (const Authorization of [...keys, `Bearer ${revoked.key}`]) {
      const refused = await client.send('GET', '/v1/skus', { headers: { Authorization } });
      const { instance, ...rest } = problemOf(refused);
      expect(instance).not.toBe('');
      bodies.add(JSON.stringify(rest));
    }
    expect(bodies.size).toBe(1);
  });

  it.each([
    ['auditor', 'POST', movements, receive],
    ['auditor', 'PUT', '/v1/locations/A', { warehouse: 'W' }],
    ['scanner', 'PUT', '/v1/skus/S', { description: 'd' }],
    ['scanner', 'POST', '/v1/purchase-orders/OPEN/close', {}],
    ['scanner', 'GET', '/v1/api-keys', undefined],
    ['back_office', 'POST', '/v1/api-keys', { name: 'x', role: 'scanner' }],
  ])('13: the role %s with %s %s', async (role, method, path, body) => {
    const { key } = await makeKey(role);
    const headers = { Authorization: `Bearer ${key}` };
    const refused = await client.send(method, path, { body, headers, key: freshKey() });
    expect(outcomeOf(refused)).toBe('403 forbidden');
  });

  it('14: two Idempotency-Keys, even the same one twice', async () => {
    const keys = ['Idempotency-Key: abc', 'Idempotency-Key: abc'];
    const head = [`POST ${movements} HTTP/1.1`, 'Content-Type: application/json', ...keys];
    const answer = await sendRaw(client.url, rawRequest(head, service.secret, text));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"idempotency-key-invalid"');
  });

  it('14: a control character in a key', async () => {
    const head = [`POST ${movements} HTTP/1.1`, 'Content-Type: application/json'];
    const request = rawRequest([...head, 'Idempotency-Key: a\u0001b'], service.secret, text);
    expect(await sendRaw(client.url, request)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('21: says what there is, in base units', async () => {
    const refused = await client.move({ ...ship, quantity: 11 });
    expect(problemOf(refused)).toMatchObject({
      location: 'A',
      available: 10,
      requested: 11,
      locations: [{ location: 'A', available: 10 }],
    });
  });

  it('23: counts lines at one location together', async () => {
    const refused = await client.move(twoOfA);
    expect(problemOf(refused)).toMatchObject({ available: 10, requested: 12 });
  });
});

describe('24: what was not ordered', () => {
  it('leaves the order as it was', async () => {
    const lines = [
      { line: 1, location: 'A', quantity: 6 },
      { line: 1, location: 'B', quantity: 6 },
    ];
    const refused = await postTo('/v1/purchase-orders/OPEN/receipts', { lines });
    expect(problemOf(refused)).toMatchObject({ line: 1, ordered: 10, received: 0, remaining: 10 });
    expect((await client.get('/v1/purchase-orders/OPEN')).body).toMatchObject({
      lines: [{ line: 1, received: 0, status: 'open' }],
    });
  });
});

describe('26: a hold that has lapsed', () => {
  it('can be neither committed nor released nor changed', async () => {
    const sku = 'row-26';
    await client.put(`/v1/skus/${sku}`, { description: 'd' });
    await client.move({ ...receive, sku });
    const hold = { location: 'A', quantity: 1, ttlSeconds: 1 };
    const { id } = held.parse((await postTo(`/v1/skus/${sku}/reservations`, hold)).body);
    const path = `/v1/skus/${sku}/reservations/${id}`;
    await expect
      .poll(async () => held.parse((await client.get(path)).body).state, { timeout: 10_000 })
      .toBe('expired');
    const late = [
      await postTo(`${path}/commit`, {}),
      await client.send('DELETE', path),
      await client.send('PATCH', path, { body: { ttlSeconds: 60 } }),
    ];
    expect(late.map(outcomeOf)).toEqual(Array(3).fill('409 reservation-expired'));
    expect((await client.get(`/v1/skus/${sku}`)).body).toMatchObject({
      totals: { onHand: 1, reserved: 0, available: 1 },
    });
  });
});

describe('15: a key that was used', () => {
  it('is refused for anything else', async () => {
    const key = freshKey();
    const sku = 'row-15';
    const send = (method: string, path: string, body: unknown) =>
      client.send(method, path, { body, key });
    await client.put(`/v1/skus/${sku}`, { description: 'd' });
    expect(outcomeOf(await client.move({ ...receive, sku }, key))).toBe('201');
    const others = [
      await client.move({ ...receive, sku, quantity: 2 }, key),
      await client.move(receive, key),
      await send('PUT', `/v1/skus/${sku}`, { description: 'e' }),
      await send('PUT', '/v1/locations/A', { warehouse: 'W', name: 'n' }),
      await send('DELETE', '/v1/locations/B', undefined),
    ];
    expect(others.map(outcomeOf)).toEqual(Array(5).fill('422 idempotency-key-reused'));
    const batch = await client.batch([
      { ...receive, sku, idempotencyKey: key },
      { ...receive, sku, quantity: 2, idempotencyKey: key },
    ]);
    expect(batch.body).toMatchObject({
      results: [{ status: 200 }, { status: 422, problem: { code: 'idempotency-key-reused' } }],
    });
  });
});

/** The SKU is not known, which is found out only after the body has been read. */
describe('what looks odd and is read all the same', () => {
  const unknown = { ...receive, sku: 'unknown' };
  const padding = ' '.repeat(64 * 1024 - JSON.stringify(unknown).length);

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('%s as encoding', async (encoding, encode) => {
    const body = encode(Buffer.from(JSON.stringify(unknown)));
    const sent = { body, key: freshKey(), headers: encoded(encoding) };
    expect(outcomeOf(await client.send('POST', movements, sent))).toBe('422 unknown-sku');
  });

  it.each(['application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"'])(
    '%s as media type',
    async (mediaType) => {
      const sent = { body: unknown, key: freshKey(), headers: typed(mediaType) };
      expect(outcomeOf(await client.send('POST', movements, sent))).toBe('422 unknown-sku');
    },
  );

  it.each([
    ['exactly 64 KiB', JSON.stringify(unknown) + padding],
    ['a byte order mark', `\ufeff${JSON.stringify(unknown)}`],
  ])('%s', async (_, body) => {
    expect(outcomeOf(await client.move(body))).toBe('422 unknown-sku');
  });
});
