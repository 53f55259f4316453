/** Requests that must be turned away, each with its answer; the number says which rule it tries. */
import { gzipSync } from 'node:zlib';
import type { Sent } from '../support/http-client.ts';
import { freshKey } from '../support/http-client.ts';

export const receive = { type: 'receive', sku: 'S', location: 'A', quantity: 1 };
export const ship = { ...receive, type: 'ship' };
const adjust = { type: 'adjust', sku: 'S', location: 'A', delta: -1, reason: 'lost' };
const transfer = { type: 'transfer', sku: 'S', from: 'A', to: 'B', quantity: 1 };
export const text = JSON.stringify(receive);
export const movements = '/v1/movements';

const orders = '/v1/purchase-orders';
const line = { line: 1, sku: 'S', ordered: 10 };
const came = (quantity: number) => ({ lines: [{ line: 1, location: 'A', quantity }] });

export interface Row {
  readonly row: number;
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly sent?: Sent;
  readonly answer: string;
}

/** A POST whose key is in order. */
function post(row: number, what: string, path: string, body: unknown, answer: string): Row {
  return { row, what, method: 'POST', path, sent: { body, key: freshKey() }, answer };
}

/** A movement whose key is in order. */
function move(row: number, what: string, body: unknown, answer: string, headers = {}): Row {
  const sent = { body, headers: { 'Idempotency-Key': freshKey(), ...headers } };
  return { row, what, method: 'POST', path: movements, sent, answer };
}

function get(row: number, what: string, path: string, answer: string): Row {
  return { row, what, path, answer };
}

export const encoded = (encoding: string) => ({ 'Content-Encoding': encoding });
export const typed = (mediaType: string) => ({ 'Content-Type': mediaType });
const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const padded = (bytes: number) => text + ' '.repeat(bytes - text.length);
const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '));
export const twoOfA = {
  type: 'ship',
  sku: 'S',
  lines: Array(2).fill({ location: 'A', quantity: 6 }),
};

export const rows: readonly Row[] = [
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
  get(10, 'a surrogate in a query', '/v1/skus?q=%ED%A0%80', '400 malformed-query'),
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
  ...beyondTheOrder(),
  ...contradictions(),
  ...loneSurrogates(),
  ...holds(),
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

/** OPEN has ten of line 1 on order, CLOSED is closed. */
function beyondTheOrder(): readonly Row[] {
  const half = { line: 1, location: 'A', quantity: 6 };
  const receipts = `${orders}/OPEN/receipts`;
  return [
    post(24, 'a receipt beyond the order', receipts, came(11), '409 over-receipt'),
    post(
      24,
      'lines that are too much together',
      receipts,
      { lines: [half, half] },
      '409 over-receipt',
    ),
    post(
      24,
      'a line that nobody ordered',
      receipts,
      { lines: [{ ...half, line: 2 }] },
      '422 unknown-line',
    ),
    post(
      24,
      'a receipt of a closed order',
      `${orders}/CLOSED/receipts`,
      came(1),
      '409 purchase-order-closed',
    ),
    post(24, 'a receipt of no order', `${orders}/NONE/receipts`, came(1), '404 not-found'),
  ];
}

function contradictions(): readonly Row[] {
  const order = { number: 'TWICE', supplier: 'S', lines: [line, line] };
  const pair = { locations: ['A'], skus: ['S', 'S'] };
  const counts = '/v1/stock-counts';
  const counted = (value: unknown): Row => ({
    row: 25,
    what: `${JSON.stringify(value)} counted`,
    method: 'PUT',
    path: `${counts}/any/lines`,
    sent: { body: { sku: 'S', location: 'A', counted: value } },
    answer: '422 validation',
  });
  return [
    ...[-1, 1.5, '5', 2 ** 53].map(counted),
    post(25, 'an order that lists a line twice', orders, order, '422 validation'),
    post(25, 'a count that lists a pair twice', counts, pair, '422 validation'),
    post(25, 'a count of a location twice', counts, { locations: ['A', 'A'] }, '422 validation'),
  ];
}

/** Such text has no UTF-8, so it is refused wherever a caller may write. */
function loneSurrogates(): readonly Row[] {
  const lone = 'a\ud800';
  const order = { number: 'LONE', supplier: 'S', lines: [line] };
  const put = (path: string, body: unknown): Row => {
    const what = `a lone surrogate: ${JSON.stringify(body)}`;
    return { row: 25, what, method: 'PUT', path, sent: { body }, answer: '422 validation' };
  };
  const sent = (path: string, body: unknown): Row =>
    post(25, `a lone surrogate: ${JSON.stringify(body)}`, path, body, '422 validation');
  return [
    ...['sku', 'unit', 'reference', 'note'].map((member) =>
      sent(movements, { ...receive, [member]: lone }),
    ),
    sent('/v1/skus/S/reservations', { location: 'A', quantity: 1, ttlSeconds: 1, reference: lone }),
    sent(orders, { ...order, number: lone }),
    sent(orders, { ...order, supplier: lone }),
    sent(`${orders}/OPEN/receipts`, { ...came(1), reference: lone }),
    sent('/v1/stock-counts', { locations: ['A'], skus: [lone] }),
    put('/v1/skus/S', { description: lone }),
    put('/v1/skus/S', { description: 'd', baseUnit: lone }),
    put('/v1/skus/S', { description: 'd', packs: [{ unit: lone, contains: 2 }] }),
    put('/v1/skus/S', { description: 'd', barcodes: [{ code: lone }] }),
    put('/v1/locations/A', { warehouse: 'W', name: lone }),
    put('/v1/reminders/a/b', { at: '2030-01-31T12:00:00Z', every: lone }),
    put('/v1/reminders/a/b', { at: '2030-01-31T12:00:00Z', payload: { text: lone } }),
    put('/v1/reminders/a/b', { at: '2030-01-31T12:00:00Z', payload: [{ [lone]: 1 }] }),
  ];
}

function holds(): readonly Row[] {
  const reservations = '/v1/skus/S/reservations';
  return [0, -1, 1.5, '60', true, 2_592_001, 315_360_000].map((ttlSeconds) =>
    post(
      26,
      `a hold of ${JSON.stringify(ttlSeconds)} seconds`,
      reservations,
      { location: 'A', quantity: 1, ttlSeconds },
      '422 validation',
    ),
  );
}
