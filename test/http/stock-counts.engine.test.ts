/** Stock counts over real HTTP: cases 17, 25 and 26, what is shown, and what is turned away. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Reply } from '../support/http-client.ts';
import { freshKey, outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { readHistory } from '../support/http-history.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
let skus = 0;

beforeAll(async () => {
  for (const [location, kind] of [
    ['A', 'storage'],
    ['B', 'storage'],
    ['Q', 'quarantine'],
    ['EMPTY', 'storage'],
  ]) {
    const put = await client.put(`/v1/locations/${location ?? ''}`, { warehouse: 'W', kind });
    expect(put.status).toBe(201);
  }
});

/** A SKU of the test's own, with so much of it at each location. */
async function newSku(stock: Readonly<Record<string, number>> = {}): Promise<string> {
  skus += 1;
  const sku = `count/${skus}`;
  const path = `/v1/skus/${encodeURIComponent(sku)}`;
  expect((await client.put(path, { description: 'd' })).status).toBe(201);
  for (const [location, quantity] of Object.entries(stock)) {
    await moved({ type: 'receive', sku, location, quantity });
  }
  return sku;
}

async function moved(movement: object): Promise<void> {
  expect(outcomeOf(await client.move(movement))).toBe('201');
}

const countShape = z.looseObject({
  id: z.string(),
  status: z.string(),
  lines: z.array(z.looseObject({ sku: z.string(), location: z.string() })),
});
const idOf = (reply: Reply): string => countShape.parse(reply.body).id;

const open = (body: unknown, key = freshKey()) =>
  client.send('POST', '/v1/stock-counts', { body, key });
const put = (id: string, body: unknown, key?: string) =>
  client.send('PUT', `/v1/stock-counts/${id}/lines`, { body, ...(key !== undefined && { key }) });
const end = (id: string, how: 'close' | 'cancel', key = freshKey()) =>
  client.send('POST', `/v1/stock-counts/${id}/${how}`, { key });
const show = (id: string) => client.get(`/v1/stock-counts/${id}`);

async function opened(body: unknown): Promise<string> {
  const reply = await open(body);
  expect(outcomeOf(reply)).toBe('201');
  return idOf(reply);
}

const skuShape = z.object({
  movementCount: z.number(),
  totals: z.object({ onHand: z.number(), reserved: z.number(), available: z.number() }),
});

async function skuOf(sku: string): Promise<z.output<typeof skuShape>> {
  return skuShape.parse((await client.get(`/v1/skus/${encodeURIComponent(sku)}`)).body);
}

describe('a count', () => {
  it('shows what is expected, what was counted, and what came of it', async () => {
    const sku = await newSku({ A: 10, B: 4 });
    const key = freshKey();
    const body = { locations: ['A', 'B'], skus: [sku] };
    const first = await open(body, key);
    expect(first).toMatchObject({
      status: 201,
      body: {
        status: 'open',
        blind: false,
        locations: ['A', 'B'],
        skus: [sku],
        openedBy: 'admin',
        lines: [
          { sku, location: 'A', expected: 10, counted: null },
          { sku, location: 'B', expected: 4, counted: null },
        ],
      },
    });
    const id = idOf(first);
    const line = { sku, location: 'A', expected: 10, counted: 7, asOfOrdinal: 2, onHand: 10 };
    expect(await put(id, { sku, location: 'A', counted: 7 })).toMatchObject({
      status: 200,
      body: { count: id, ...line, variance: -3, countedBy: 'admin' },
    });
    await moved({ type: 'ship', sku, location: 'A', quantity: 2 });
    const closed = await end(id, 'close');
    expect(closed).toMatchObject({
      status: 200,
      body: {
        status: 'closed',
        closedBy: 'admin',
        closedAt: expect.stringMatching(/Z$/) as unknown,
        lines: [
          { ...line, variance: -3, outcome: 'adjusted', ordinal: 4 },
          { sku, location: 'B', expected: 4, counted: null, variance: null, outcome: 'uncounted' },
        ],
      },
    });
    expect((await show(id)).body).toEqual(closed.body);
    expect((await skuOf(sku)).totals.onHand).toBe(9);
    const again = await open(body, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const history = await client.get(`/v1/skus/${encodeURIComponent(sku)}/movements?limit=1`);
    expect(pageOf(history).items[0]).toMatchObject({
      actionId: `~count/${id}/0`,
      type: 'adjust',
      reason: 'count_variance',
      reference: id,
      actor: 'admin',
      lines: [{ location: 'A', delta: -3, onHand: 5 }],
    });
  });

  it('covers what stands at its locations where it names no SKU', async () => {
    const standing = await newSku({ EMPTY: 3 });
    await newSku({ A: 3 });
    const reply = await open({ locations: ['EMPTY'] });
    expect(countShape.parse(reply.body).lines).toEqual([
      { sku: standing, location: 'EMPTY', expected: 3, counted: null },
    ]);
    const found = await newSku();
    const id = idOf(reply);
    expect(await put(id, { sku: found, location: 'EMPTY', counted: 2 })).toMatchObject({
      status: 200,
      body: { expected: 0, counted: 2, variance: 2 },
    });
    expect(outcomeOf(await end(id, 'cancel'))).toBe('200');
    expect((await skuOf(found)).totals.onHand).toBe(0);
  });

  it('that is blind shows the office what it expects', async () => {
    const sku = await newSku({ A: 5 });
    const reply = await open({ locations: ['A'], skus: [sku], blind: true });
    expect(reply.body).toMatchObject({ blind: true, lines: [{ expected: 5, counted: null }] });
    await end(idOf(reply), 'cancel');
  });

  it('is listed, newest first, each once while others are opened', async () => {
    const sku = await newSku({ A: 1 });
    const ids: string[] = [];
    const openAndCancel = async (): Promise<void> => {
      const id = await opened({ locations: ['A'], skus: [sku] });
      ids.push(id);
      expect(outcomeOf(await end(id, 'cancel'))).toBe('200');
    };
    for (let n = 0; n < 7; n += 1) await openAndCancel();
    const wanted = ids.toReversed();
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: ReturnType<typeof pageOf> = pageOf(
        await client.get(`/v1/stock-counts?status=cancelled&limit=3${more}`),
      );
      seen.push(...page.items.map((item) => item['id']));
      cursor = page.nextCursor;
      await openAndCancel();
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 7)).toEqual(wanted);
    const [item] = pageOf(await client.get('/v1/stock-counts?limit=1')).items;
    expect(item).toMatchObject({ status: 'cancelled', lineCount: 1, countedCount: 0 });
    expect(item).not.toHaveProperty('lines');
    const open = pageOf(await client.get('/v1/stock-counts?status=open&limit=200')).items;
    expect(open.map((listed) => listed['id'])).not.toContain(ids[0]);
  });
});

describe('17: quarantined goods', () => {
  it('are neither shipped nor counted as available until they are released', async () => {
    const sku = await newSku();
    await moved({
      type: 'receive',
      sku,
      lines: [
        { location: 'A', quantity: 7 },
        { location: 'Q', quantity: 3 },
      ],
    });
    const ship = (location: string, quantity: number) =>
      client.move({ type: 'ship', sku, location, quantity });
    expect(outcomeOf(await ship('A', 8))).toBe('409 insufficient-stock');
    expect(outcomeOf(await ship('Q', 1))).toBe('409 insufficient-stock');
    await moved({ type: 'transfer', sku, from: 'Q', to: 'A', quantity: 3 });
    expect(outcomeOf(await ship('A', 8))).toBe('201');
    expect((await skuOf(sku)).totals).toEqual({ onHand: 2, reserved: 0, available: 2 });
  });

  it('can be counted where they stand', async () => {
    const sku = await newSku({ Q: 3 });
    const id = await opened({ locations: ['Q'], skus: [sku] });
    await put(id, { sku, location: 'Q', counted: 1 });
    expect((await end(id, 'close')).body).toMatchObject({ lines: [{ outcome: 'adjusted' }] });
    expect((await skuOf(sku)).totals).toEqual({ onHand: 1, reserved: 0, available: 0 });
  });
});

describe('25: a count', () => {
  it('skips a line that is left blank, and posts nothing where nothing is amiss', async () => {
    const sku = await newSku({ A: 5, B: 6 });
    const id = await opened({ locations: ['A', 'B'], skus: [sku] });
    await put(id, { sku, location: 'B', counted: 6 });
    expect((await end(id, 'close')).body).toMatchObject({
      lines: [{ outcome: 'uncounted' }, { outcome: 'unchanged', variance: 0 }],
    });
    expect(await skuOf(sku)).toMatchObject({ movementCount: 2, totals: { onHand: 11 } });
  });

  it('closed twice, at once or later, under one key or another, is closed once', async () => {
    const sku = await newSku({ A: 5 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    await put(id, { sku, location: 'A', counted: 3 });
    const key = freshKey();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => end(id, 'close', n < 10 ? key : freshKey())),
    );
    const later = await end(id, 'close');
    const again = await end(id, 'close', key);
    for (const reply of [...replies, later, again]) {
      expect(reply).toMatchObject({ status: 200, body: later.body });
    }
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(later.headers.get('idempotent-replayed')).toBeNull();
    expect(await skuOf(sku)).toMatchObject({ movementCount: 2, totals: { onHand: 3 } });
    expect(outcomeOf(await put(id, { sku, location: 'A', counted: 4 }))).toBe('409 count-closed');
    expect(outcomeOf(await end(id, 'cancel'))).toBe('409 count-closed');
    expect(outcomeOf(await end(id, 'cancel', key))).toBe('422 idempotency-key-reused');
  });

  it('has its pairs for itself: of 20 openings at once one passes', async () => {
    const sku = await newSku({ A: 5 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => open({ locations: ['A', 'B'], skus: [sku] })),
    );
    expect(replies.map(outcomeOf).toSorted()).toEqual([
      '201',
      ...Array<string>(19).fill('409 count-overlap'),
    ]);
    const id = idOf(replies.find(({ status }) => status === 201) ?? expect.fail('one'));
    const refused = replies.find(({ status }) => status === 409) ?? expect.fail('19');
    expect(problemOf(refused)).toMatchObject({ sku, location: 'A', count: id });
    expect(outcomeOf(await end(id, 'cancel'))).toBe('200');
    expect(outcomeOf(await end(id, 'close'))).toBe('409 count-cancelled');
    expect(outcomeOf(await end(id, 'cancel'))).toBe('200');
    expect(outcomeOf(await open({ locations: ['B', 'A'], skus: [sku] }))).toBe('201');
  });
});

describe('26: 20 on hand, 19 reserved, 5 counted', () => {
  it('is posted, shown as 14 too few, and nothing more can be reserved', async () => {
    const sku = await newSku({ A: 20 });
    const holds = `/v1/skus/${encodeURIComponent(sku)}/reservations`;
    const reserve = (quantity: number) =>
      client.send('POST', holds, {
        body: { location: 'A', quantity, ttlSeconds: null },
        key: freshKey(),
      });
    expect((await reserve(19)).status).toBe(201);
    const id = await opened({ locations: ['A'], skus: [sku] });
    await put(id, { sku, location: 'A', counted: 5 });
    expect((await end(id, 'close')).body).toMatchObject({
      lines: [{ variance: -15, outcome: 'adjusted', ordinal: 3 }],
    });
    expect((await skuOf(sku)).totals).toEqual({ onHand: 5, reserved: 19, available: -14 });
    expect(outcomeOf(await reserve(1))).toBe('409 insufficient-stock');
  });
});

describe('a variance that cannot be taken off any more', () => {
  it('is to be counted again, visibly, and never comes after all', async () => {
    const sku = await newSku({ A: 10 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    await put(id, { sku, location: 'A', counted: 2 });
    await moved({ type: 'ship', sku, location: 'A', quantity: 9 });
    const closed = await end(id, 'close');
    expect(closed.body).toMatchObject({
      lines: [{ variance: -8, outcome: 'recount', ordinal: 3, code: 'insufficient-stock' }],
    });
    await moved({ type: 'receive', sku, location: 'A', quantity: 50 });
    expect((await end(id, 'close')).body).toEqual(closed.body);
    expect((await skuOf(sku)).totals.onHand).toBe(51);
    const types = (await readHistory(client.get, sku)).map(({ type }) => type);
    expect(types).toEqual(['receive', 'ship', 'void', 'receive']);
  });

  it('may be greater than any order: a level is counted whatever it holds', async () => {
    const sku = await newSku({ A: 1 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    await put(id, { sku, location: 'A', counted: 1_000_000_000_000 });
    expect((await end(id, 'close')).body).toMatchObject({
      lines: [{ variance: 999_999_999_999, outcome: 'adjusted' }],
    });
    expect((await skuOf(sku)).totals.onHand).toBe(1_000_000_000_000);
  });
});

describe('turned away', () => {
  it.each([
    ['no location', { locations: [] }],
    ['a location twice', { locations: ['A', 'A'] }],
    ['a SKU twice', { locations: ['A'], skus: ['count/1', 'count/1'] }],
    ['a SKU in two spellings', { locations: ['A'], skus: ['caf\u00e9', 'cafe\u0301'] }],
    ['no SKU', { locations: ['A'], skus: [] }],
    ['a lone surrogate', '{"locations":["A"],"skus":["\\ud800"]}'],
    ['an operator', { locations: [{ $gt: '' }] }],
    ['a location that is none', { locations: ['$x'] }],
    ['blind in words', { locations: ['A'], blind: 'yes' }],
    ['null for SKUs', { locations: ['A'], skus: null }],
    [
      'more than 2,000 pairs',
      {
        locations: Array.from({ length: 21 }, (_, n) => `L${n}`),
        skus: Array.from({ length: 100 }, (_, n) => `S${n}`),
      },
    ],
  ])('an opening with %s', async (_, body) => {
    expect(outcomeOf(await open(body))).toBe('422 validation');
  });

  it('an opening of what is not there, without a key, or with more than is asked', async () => {
    const sku = await newSku();
    expect(outcomeOf(await open({ locations: ['NOWHERE'] }))).toBe('422 unknown-location');
    expect(outcomeOf(await open({ locations: ['A'], skus: ['nothing'] }))).toBe('422 unknown-sku');
    expect(outcomeOf(await open({ locations: ['A'], skus: [sku], onHand: 3 }))).toBe(
      '422 unknown-field',
    );
    const keyless = await client.send('POST', '/v1/stock-counts', { body: { locations: ['A'] } });
    expect(outcomeOf(keyless)).toBe('400 idempotency-key-missing');
    const key = freshKey();
    const id = idOf(await open({ locations: ['A'], skus: [sku] }, key));
    expect(outcomeOf(await open({ locations: ['B'], skus: [sku] }, key))).toBe(
      '422 idempotency-key-reused',
    );
    await end(id, 'cancel');
  });

  it.each([
    ['-1', '/counted'],
    ['1.5', '/counted'],
    ['"5"', '/counted'],
    ['true', '/counted'],
    ['1000000000001', '/counted'],
    ['1e400', '/counted'],
    ['[1]', '/counted'],
    ['5, "asOfOrdinal": -1', '/asOfOrdinal'],
    ['5, "asOfOrdinal": 0.5', '/asOfOrdinal'],
    ['5, "asOfOrdinal": null', '/asOfOrdinal'],
    ['5, "asOfOrdinal": 2', '/asOfOrdinal'],
    ['5, "asOfOrdinal": 9007199254740993', '/asOfOrdinal'],
  ])('a line with counted %s', async (counted, path) => {
    const sku = await newSku({ A: 3 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    const text = `{"sku": ${JSON.stringify(sku)}, "location": "A", "counted": ${counted}}`;
    const reply = await put(id, text);
    expect(outcomeOf(reply)).toBe('422 validation');
    expect(problemOf(reply).errors?.map((error) => error.path)).toEqual([path]);
    await end(id, 'cancel');
  });

  it('a line without its count, outside of the count, or of no count', async () => {
    const sku = await newSku({ A: 3 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    expect(outcomeOf(await put(id, { sku, location: 'A' }))).toBe('422 validation');
    expect(outcomeOf(await put(id, { sku, location: 'B', counted: 1 }))).toBe('422 validation');
    expect(outcomeOf(await put(id, { sku, location: 'A', counted: 1, onHand: 3 }))).toBe(
      '422 unknown-field',
    );
    for (const other of ['nothing', 'A'.repeat(22), '$where']) {
      expect(outcomeOf(await put(other, { sku, location: 'A', counted: 1 }))).toBe('404 not-found');
      expect(outcomeOf(await show(other))).toBe('404 not-found');
      expect(outcomeOf(await end(other, 'close'))).toBe('404 not-found');
      expect(outcomeOf(await end(other, 'cancel'))).toBe('404 not-found');
    }
    await end(id, 'cancel');
  });

  it('an end with words, a foreign cursor, an unknown filter, a wrong method', async () => {
    const sku = await newSku({ A: 3 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    const worded = await client.send('POST', `/v1/stock-counts/${id}/close`, {
      body: { force: true },
      key: freshKey(),
    });
    expect(outcomeOf(worded)).toBe('422 unknown-field');
    for (const query of [
      'cursor=abc',
      'limit=0',
      'status=done',
      'sku=A',
      'status=open&status=open',
    ]) {
      expect((await client.get(`/v1/stock-counts?${query}`)).status).toBe(422);
    }
    const removed = await client.send('DELETE', `/v1/stock-counts/${id}`);
    expect(outcomeOf(removed)).toBe('405 method-not-allowed');
    expect(removed.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    await end(id, 'cancel');
  });

  it('a caller who gives the reason of a count', async () => {
    const sku = await newSku({ A: 3 });
    const adjust = { type: 'adjust', sku, location: 'A', delta: 1, reason: 'count_variance' };
    expect(outcomeOf(await client.move(adjust))).toBe('422 validation');
  });
});
