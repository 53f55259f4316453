/**
 * Requests that must be turned away, over real HTTP and on the real engine: each row with its
 * status and code, and after each the proof that it has changed nothing.
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sent } from '../support/http-client.ts';
import { freshKey, outcomeOf, problemOf, rawRequest, sendRaw } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const service = useService();
const { client } = service;

const receive = { type: 'receive', sku: 'S', location: 'A', quantity: 1 };
const ship = { ...receive, type: 'ship' };
const adjust = { type: 'adjust', sku: 'S', location: 'A', delta: -1, reason: 'lost' };
const transfer = { type: 'transfer', sku: 'S', from: 'A', to: 'B', quantity: 1 };
const text = JSON.stringify(receive);

beforeAll(async () => {
  for (const location of ['A', 'B']) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse: 'W' })).status).toBe(201);
  }
  expect((await client.put('/v1/skus/S', { description: 'Bolt' })).status).toBe(201);
  expect((await client.move({ ...receive, quantity: 10 })).status).toBe(201);
});

interface Row {
  readonly row: number;
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly sent?: Sent;
  readonly answer: string;
}

const movements = '/v1/movements';

/** A movement whose key is in order. */
function move(row: number, what: string, body: unknown, answer: string, headers = {}): Row {
  const sent = { body, headers: { 'Idempotency-Key': freshKey(), ...headers } };
  return { row, what, method: 'POST', path: movements, sent, answer };
}

function get(row: number, what: string, path: string, answer: string): Row {
  return { row, what, path, answer };
}

const encoded = (encoding: string) => ({ 'Content-Encoding': encoding });
const typed = (mediaType: string) => ({ 'Content-Type': mediaType });
const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const padded = (bytes: number) => text + ' '.repeat(bytes - text.length);
const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '));
const twoOfA = { type: 'ship', sku: 'S', lines: Array(2).fill({ location: 'A', quantity: 6 }) };

const rows: readonly Row[] = [
  move(1, 'truncated JSON', text.slice(0, -1), '400 malformed-json'),
  move(1, 'NaN', '{"quantity":NaN}', '400 malformed-json'),
  move(1, 'a number as body', '5', '400 malformed-json'),
  move(2, 'an empty body', '', '400 body-required'),
  {
    row: 2,
    what: 'no body',
    method: 'PUT',
    path: '/v1/skus/S',
    answer: '400 body-required',
  },
  move(3, 'an array as body', '[]', '422 validation'),
  move(4, 'text/plain', text, '415 unsupported-media-type', typed('text/plain')),
  move(4, 'no media type', Buffer.from(text), '415 unsupported-media-type', typed('')),
  move(4, 'a form', text, '415 unsupported-media-type', typed('application/x-www-form-urlencoded')),
  move(
    4,
    'another charset',
    text,
    '415 unsupported-media-type',
    typed('application/json; charset=iso-8859-1'),
  ),
  move(5, 'lzma', text, '415 unsupported-media-type', encoded('lzma')),
  move(5, 'two encodings', text, '415 unsupported-media-type', encoded('gzip, gzip')),
  move(6, 'a body over 64 KiB', padded(64 * 1024 + 1), '413 body-too-large'),
  move(6, 'a gzip bomb', bomb, '413 body-too-large', encoded('gzip')),
  {
    row: 6,
    what: 'a batch over 1 MiB',
    method: 'POST',
    path: `${movements}/batch`,
    sent: { body: padded(1024 * 1024 + 1) },
    answer: '413 body-too-large',
  },
  move(7, 'corrupt gzip', 'not gzip at all', '400 body-unreadable', encoded('gzip')),
  move(7, 'half a gzip', gzipSync(text).subarray(0, 20), '400 body-unreadable', encoded('gzip')),
  move(7, 'corrupt br', Buffer.from([255, 255, 255]), '400 body-unreadable', encoded('br')),
  move(7, 'invalid UTF-8', Buffer.from(`${text}\xff`, 'latin1'), '400 body-unreadable'),
  move(8, '33 levels', nested(33), '400 too-deep'),
  move(8, 'levels that would exhaust a stack', '['.repeat(20_000), '400 too-deep'),
  move(9, 'a member __proto__', text.replace('{', '{"__proto__":{},'), '422 unknown-field'),
  move(9, 'a member constructor', text.replace('{', '{"constructor":1,'), '422 unknown-field'),
  move(9, 'a member twice', text.replace('{', '{"quantity":2,'), '400 duplicate-member'),
  get(10, 'half an escape in a path', '/v1/skus/%E0%A4%A', '400 malformed-path'),
  get(10, 'NUL in a SKU', '/v1/skus/A%00', '422 validation'),
  {
    row: 10,
    what: 'NUL in a new SKU',
    method: 'PUT',
    path: '/v1/skus/A%00',
    sent: { body: { description: 'd' } },
    answer: '422 validation',
  },
  get(10, 'a surrogate in a path', '/v1/skus/%ED%A0%80', '400 malformed-path'),
  {
    row: 11,
    what: 'PUT on a POST-only route',
    method: 'PUT',
    path: movements,
    sent: { body: receive },
    answer: '405 method-not-allowed',
  },
  ...['', 'Bearer', 'Bearer unknown', 'Basic YTpi'].map((Authorization) => ({
    ...get(12, `the key "${Authorization}"`, '/v1/skus', '401 unauthorized'),
    sent: { headers: { Authorization } },
  })),
  {
    row: 14,
    what: 'no Idempotency-Key',
    method: 'POST',
    path: movements,
    sent: { body: receive },
    answer: '400 idempotency-key-missing',
  },
  ...['', 'x'.repeat(256), 'a b', 'a\tb', 'é', '"open'].map((key) =>
    move(
      14,
      `the Idempotency-Key ${JSON.stringify(key).slice(0, 20)}`,
      receive,
      '400 idempotency-key-invalid',
      {
        'Idempotency-Key': key,
      },
    ),
  ),
  ...[0, -5, 1.5, '5', true, 2 ** 53, null].map((quantity) =>
    move(
      16,
      `the quantity ${JSON.stringify(quantity)}`,
      { ...receive, quantity },
      '422 validation',
    ),
  ),
  move(
    16,
    'the quantity 9007199254740993',
    text.replace('1}', '9007199254740993}'),
    '422 validation',
  ),
  move(16, 'the quantity 1e400', text.replace('1}', '1e400}'), '422 validation'),
  move(
    16,
    'a quantity just above 1',
    text.replace('1}', '1.00000000000000000001}'),
    '422 validation',
  ),
  move(17, 'an operator as SKU', { ...receive, sku: { $ne: '' } }, '422 validation'),
  move(17, 'an operator as location', { ...receive, location: { $gt: '' } }, '422 validation'),
  ...['A.B', '$x', '__proto__', 'constructor'].flatMap((location) => [
    move(18, `the location ${location}`, { ...receive, location }, '422 validation'),
    {
      row: 18,
      what: `a new location ${location}`,
      method: 'PUT',
      path: `/v1/locations/${encodeURIComponent(location)}`,
      sent: { body: { warehouse: 'W' } },
      answer: '422 validation',
    },
  ]),
  move(19, 'an unknown type', { ...receive, type: 'reserve' }, '422 validation'),
  ...['version', 'onHand', 'actor'].map((member) =>
    move(19, `an extra ${member}`, { ...receive, [member]: 1 }, '422 unknown-field'),
  ),
  move(20, 'an unknown SKU', { ...receive, sku: 'nowhere' }, '422 unknown-sku'),
  move(20, 'an unknown location', { ...receive, location: 'NOWHERE' }, '422 unknown-location'),
  get(20, 'an unknown SKU, to look at', '/v1/skus/nowhere', '404 not-found'),
  get(20, 'an unknown location, to look at', '/v1/locations/NOWHERE', '404 not-found'),
  get(20, 'the history of an unknown SKU', '/v1/skus/nowhere/movements', '404 not-found'),
  get(20, 'the stock of an unknown location', '/v1/locations/NOWHERE/stock', '404 not-found'),
  get(20, 'an unknown barcode', '/v1/barcodes/4006381333931', '404 not-found'),
  get(20, 'an unknown action', '/v1/actions/never-sent', '404 not-found'),
  move(21, 'more than available', { ...ship, quantity: 11 }, '409 insufficient-stock'),
  move(21, 'an adjustment below zero', { ...adjust, delta: -11 }, '409 insufficient-stock'),
  move(
    21,
    'a transfer of more than there is',
    { ...transfer, quantity: 11 },
    '409 insufficient-stock',
  ),
  move(22, 'a transfer from A to A', { ...transfer, to: 'A' }, '422 same-location'),
  move(23, 'two lines, together too much', twoOfA, '409 insufficient-stock'),
  move(25, 'a lone surrogate', text.replace('}', ',"note":"\\ud800"}'), '422 validation'),
  ...['0', '-1', '100000', 'abc'].map((limit) =>
    get(27, `the limit ${limit}`, `/v1/skus?limit=${limit}`, '422 validation'),
  ),
  ...['abc', '', 'eyJpbiI6IngiLCJhZnRlciI6IlMifQ'].flatMap((cursor) => [
    get(27, `the cursor "${cursor}"`, `/v1/skus?cursor=${cursor}`, '422 validation'),
    get(27, `"${cursor}" in a history`, `/v1/skus/S/movements?cursor=${cursor}`, '422 validation'),
  ]),
  get(27, 'an unknown query parameter', '/v1/skus?offset=5', '422 unknown-field'),
  get(27, 'a repeated query parameter', '/v1/skus?limit=5&limit=5', '422 validation'),
  {
    row: 27,
    what: 'a query parameter where there is none',
    method: 'PUT',
    path: '/v1/skus/S?dry=1',
    sent: { body: { description: 'd' } },
    answer: '422 unknown-field',
  },
];

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
