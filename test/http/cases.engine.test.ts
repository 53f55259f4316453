/** Faults that other systems were reported for, tried here over real HTTP and on the real engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Reply } from '../support/http-client.ts';
import { freshKey, outcomeOf, pageOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
let skus = 0;

beforeAll(async () => {
  for (const location of ['A', 'B']) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse: 'W' })).status).toBe(201);
  }
});

/** A SKU of the test's own, with so much of it at A. */
async function newSku(onHand = 0): Promise<string> {
  skus += 1;
  const sku = `case-${skus}`;
  expect((await client.put(`/v1/skus/${sku}`, { description: 'd' })).status).toBe(201);
  if (onHand > 0) expect(outcomeOf(await client.move(receive(sku, onHand)))).toBe('201');
  return sku;
}

function receive(sku: string, quantity: unknown): Readonly<Record<string, unknown>> {
  return { type: 'receive', sku, location: 'A', quantity };
}

const skuView = z.object({
  version: z.number(),
  movementCount: z.number(),
  totals: z.object({ onHand: z.number() }),
});

async function view(sku: string): Promise<z.output<typeof skuView>> {
  return skuView.parse((await client.get(`/v1/skus/${sku}`)).body);
}

/** Every entry of a list, page by page. */
async function wholeList(
  path: string,
  betweenPages: () => Promise<unknown> = () => Promise.resolve(),
) {
  const items: Record<string, unknown>[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const continued = cursor === '' ? path : `${path}&cursor=${cursor}`;
    const page: ReturnType<typeof pageOf> = pageOf(await client.get(continued));
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor !== null) await betweenPages();
  }
  return items;
}

describe('5: more than there is', () => {
  it('is refused, and leaves levels and history untouched', async () => {
    const sku = await newSku(5);
    const before = await view(sku);
    const transfer = { type: 'transfer', sku, from: 'B', to: 'A', quantity: 5 };
    const adjust = { type: 'adjust', sku, location: 'A', delta: -6, reason: 'lost' };
    expect(outcomeOf(await client.move(transfer))).toBe('409 insufficient-stock');
    expect(outcomeOf(await client.move(adjust))).toBe('409 insufficient-stock');
    expect(await view(sku)).toEqual(before);
    expect(await wholeList(`/v1/skus/${sku}/movements?limit=50`)).toHaveLength(1);
  });

  it('is not: exactly what there is', async () => {
    const sku = await newSku(5);
    const adjust = { type: 'adjust', sku, location: 'A', delta: -5, reason: 'lost' };
    expect(outcomeOf(await client.move(adjust))).toBe('201');
    expect((await view(sku)).totals.onHand).toBe(0);
  });
});

describe('6: a quantity', () => {
  it.each(['"5"', 'true', '-1', '[1]', '{"$gt":0}'])('%s is none', async (quantity) => {
    const sku = await newSku();
    const body = JSON.stringify(receive(sku, 0)).replace('"quantity":0', `"quantity":${quantity}`);
    expect(outcomeOf(await client.move(body))).toBe('422 validation');
    expect((await view(sku)).movementCount).toBe(0);
  });

  it('1e3 is a thousand', async () => {
    const sku = await newSku();
    const body = JSON.stringify(receive(sku, 0)).replace('"quantity":0', '"quantity":1e3');
    expect(outcomeOf(await client.move(body))).toBe('201');
    expect((await view(sku)).totals.onHand).toBe(1000);
  });

  it('of an operator for a SKU is none', async () => {
    expect(outcomeOf(await client.move({ ...receive('', 1), sku: { $gt: '' } }))).toBe(
      '422 validation',
    );
  });
});

describe('21: fractions', () => {
  it('are refused throughout', async () => {
    const sku = await newSku();
    const ship = { ...receive(sku, 0.3), type: 'ship' };
    expect(outcomeOf(await client.move(receive(sku, 0.1)))).toBe('422 validation');
    expect(outcomeOf(await client.move(ship))).toBe('422 validation');
    expect(await view(sku)).toMatchObject({ movementCount: 0, totals: { onHand: 0 } });
  });
});

describe('28: members in another order', () => {
  it('are the same request, at any depth', async () => {
    const sku = await newSku();
    const key = freshKey();
    const lines = '[{"location":"A","quantity":2},{"location":"B","quantity":3}]';
    const swapped = '[{"quantity":2,"location":"A"},{"quantity":3,"location":"B"}]';
    const first = await client.move(`{"type":"receive","sku":"${sku}","lines":${lines}}`, key);
    const again = await client.move(`{"lines":${swapped},"sku":"${sku}","type":"receive"}`, key);
    expect(first.status).toBe(201);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await view(sku)).movementCount).toBe(1);
  });

  it('do not excuse lines in another order', async () => {
    const sku = await newSku();
    const key = freshKey();
    const lines = [
      { location: 'A', quantity: 2 },
      { location: 'B', quantity: 3 },
    ];
    const body = { type: 'receive', sku, lines };
    expect(outcomeOf(await client.move(body, key))).toBe('201');
    const other = await client.move({ ...body, lines: lines.toReversed() }, key);
    expect(outcomeOf(other)).toBe('422 idempotency-key-reused');
  });
});

describe('29: one key', () => {
  it('sent 20 times at once has one effect and one answer', async () => {
    const sku = await newSku();
    const key = freshKey();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => client.move(receive(sku, 3), key)),
    );
    const statuses = replies.map((reply) => reply.status).toSorted();
    expect(statuses).toEqual([...Array<number>(19).fill(200), 201]);
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    expect(await view(sku)).toMatchObject({ movementCount: 1, totals: { onHand: 3 } });
  });

  it('with another quantity, or on another route, is refused', async () => {
    const sku = await newSku();
    const key = freshKey();
    await client.move(receive(sku, 3), key);
    const other = await client.move(receive(sku, 4), key);
    const elsewhere = await client.send('PUT', `/v1/skus/${sku}`, {
      body: { description: 'other' },
      key,
    });
    expect(outcomeOf(other)).toBe('422 idempotency-key-reused');
    expect(outcomeOf(elsewhere)).toBe('422 idempotency-key-reused');
    expect(await view(sku)).toMatchObject({ movementCount: 1, totals: { onHand: 3 } });
  });
});

describe('36: spellings of a SKU', () => {
  const spelled = (sku: string) => `/v1/skus/${encodeURIComponent(sku)}`;

  it.each([' AB1', 'AB1 ', '\u00a0AB1', 'AB1\t', '\u2003AB1'])('%j is none', async (sku) => {
    expect(outcomeOf(await client.put(spelled(sku), { description: 'd' }))).toBe('422 validation');
  });

  it('that differ in case, zeros or endings are different SKUs', async () => {
    const distinct = ['AB1', 'ab1', '416242', '416242-L', '0017', '17', '90.750', '90.75'];
    for (const sku of distinct) {
      expect((await client.put(spelled(sku), { description: `this is ${sku}` })).status).toBe(201);
    }
    for (const sku of distinct) {
      expect((await client.get(spelled(sku))).body).toMatchObject({
        sku,
        description: `this is ${sku}`,
      });
    }
    expect(outcomeOf(await client.get(spelled('Ab1')))).toBe('404 not-found');
    expect(outcomeOf(await client.get(spelled('416242-')))).toBe('404 not-found');
  });

  it('composed and decomposed are one SKU', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    expect((await client.put(spelled(composed), { description: 'd' })).status).toBe(201);
    expect((await client.put(spelled(decomposed), { description: 'd' })).status).toBe(200);
    const key = freshKey();
    expect(outcomeOf(await client.move(receive(decomposed, 1), key))).toBe('201');
    expect(outcomeOf(await client.move(receive(composed, 1), key))).toBe('200');
    expect((await client.get(spelled(decomposed))).body).toMatchObject({ sku: composed });
  });
});

describe('37: odd names for a SKU', () => {
  it.each([
    'A/B',
    'a.b',
    '.x',
    '$x',
    '$$NOW',
    '__proto__',
    'constructor',
    'a b',
    '100%',
    'a?b#c&d',
    '=1+1',
    '<img onerror=1>',
    '\u{1F4E6}',
    '\u202eabc',
    'x'.repeat(64),
    '\u{1F4E6}'.repeat(64),
  ])('%s goes round whole', async (sku) => {
    const path = `/v1/skus/${encodeURIComponent(sku)}`;
    expect((await client.put(path, { description: sku })).status).toBe(201);
    expect(outcomeOf(await client.move({ ...receive(sku, 2), note: sku }))).toBe('201');
    expect((await client.get(path)).body).toMatchObject({
      sku,
      description: sku,
      totals: { onHand: 2 },
    });
    expect((await client.get(`${path}/movements`)).body).toMatchObject({
      items: [{ sku, note: sku, ordinal: 1 }],
    });
    const found = await wholeList(`/v1/skus?limit=200&q=${encodeURIComponent(sku)}`);
    expect(found.map((item) => item['sku'])).toContain(sku);
  });

  it.each(['x'.repeat(300), '\u{1F4E6}'.repeat(65), 'a\u0000b', 'a\nb', '\u2028'])(
    '%j is none',
    async (sku) => {
      const path = `/v1/skus/${encodeURIComponent(sku)}`;
      const statuses = [await client.put(path, { description: 'd' }), await client.get(path)];
      expect(statuses.map(outcomeOf)).toEqual(['422 validation', '422 validation']);
    },
  );
});

describe('41: a list that is read while it grows', () => {
  it('shows each movement of a history once', async () => {
    const sku = await newSku();
    const post = (count: number) =>
      Promise.all(Array.from({ length: count }, () => client.move(receive(sku, 1))));
    await post(60);
    const ordinals = (await wholeList(`/v1/skus/${sku}/movements?limit=20`, () => post(30))).map(
      (item) => item['ordinal'],
    );
    expect(ordinals).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
    expect((await view(sku)).movementCount).toBe(120);
  });

  it('shows each SKU once that was there from the beginning', async () => {
    const named = (n: number, ending: string) => `grow-${String(n).padStart(2, '0')}${ending}`;
    const define = (sku: string): Promise<Reply> =>
      client.put(`/v1/skus/${sku}`, { description: 'd' });
    const present = Array.from({ length: 30 }, (_, n) => named(n, ''));
    await Promise.all(present.map(define));
    let added = 0;
    const seen = await wholeList('/v1/skus?limit=4&q=grow-', async () => {
      // One before and one after whatever the reader has reached.
      await Promise.all([define(named(added, 'a')), define(named(29 - added, 'z'))]);
      added += 1;
    });
    const names = seen.map((item) => item['sku']);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(present));
    expect(names).toEqual(names.toSorted());
  });

  it('ends, and says so', async () => {
    const sku = await newSku(1);
    expect((await client.get(`/v1/skus/${sku}/movements?limit=1`)).body).toMatchObject({
      nextCursor: null,
    });
  });
});
