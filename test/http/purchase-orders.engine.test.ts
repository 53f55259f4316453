/** Orders over HTTP, on the real engine: made, shown, changed, ended. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freshKey, outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { orderClient, pathOf, skuOf, units } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
const orders = orderClient(client);

beforeAll(async () => {
  for (const location of ['A1', 'B1']) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse: 'W' })).status).toBe(201);
  }
  const packs = [{ unit: 'case', contains: 12 }];
  for (const sku of ['bolt', 'nut']) {
    expect((await client.put(`/v1/skus/${sku}`, { description: sku, packs })).status).toBe(201);
  }
});

const bolts = { line: 1, sku: 'bolt', ordered: 10 };

describe('an order', () => {
  it('is made once, with packs in base units, and shown as it stands', async () => {
    const lines = [
      { line: 20, sku: 'bolt', ordered: 3, unit: 'case', overReceiptPercent: 2.5 },
      { line: 10, sku: 'nut', ordered: 5 },
    ];
    const body = { number: 'NEW/1', supplier: 'ACME', lines, overReceiptPercent: 10 };
    const key = freshKey();
    const made = await orders.create(body, key);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      number: 'NEW/1',
      supplier: 'ACME',
      status: 'open',
      overReceiptPercent: 10,
      lines: [
        {
          line: 20,
          sku: 'bolt',
          ordered: 36,
          received: 0,
          remaining: 36,
          status: 'open',
          overReceiptPercent: 2.5,
        },
        { line: 10, sku: 'nut', ordered: 5, received: 0, remaining: 5, status: 'open' },
      ],
    });
    const shown = await client.get(pathOf('NEW/1'));
    expect(shown.body).toEqual({ ...z.looseObject({}).parse(made.body), appointments: [] });
    const again = await orders.create(body, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(made.body);
    expect(outcomeOf(await orders.create(body))).toBe('409 purchase-order-exists');
    const other = { ...body, supplier: 'B' };
    expect(outcomeOf(await orders.create(other, key))).toBe('422 idempotency-key-reused');
  });

  it('is answered to a repeat as it was made, whatever became of it', async () => {
    const body = { number: 'FIRST', supplier: 'ACME', lines: [bolts] };
    const key = freshKey();
    const made = await orders.create(body, key);
    expect(outcomeOf(await orders.receive('FIRST', units(4)))).toBe('201');
    const closing = freshKey();
    const closed = await orders.post(`${pathOf('FIRST')}/close`, {}, closing);
    expect(closed.body).toMatchObject({ status: 'closed', lines: [{ received: 4 }] });
    expect((await orders.create(body, key)).body).toEqual(made.body);
    const again = await orders.post(`${pathOf('FIRST')}/close`, {}, closing);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(closed.body);
  });

  it('is made by one of 20 who ask at once under keys of their own', async () => {
    const body = { number: 'ONE', supplier: 'ACME', lines: [bolts] };
    const replies = await Promise.all(Array.from({ length: 20 }, () => orders.create(body)));
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['a line number twice', { lines: [bolts, { ...bolts, sku: 'nut' }] }, '422 validation'],
    ['no lines', { lines: [] }, '422 validation'],
    ['a lone surrogate', { supplier: '\ud800' }, '422 validation'],
    ['an unknown SKU', { lines: [{ ...bolts, sku: 'none' }] }, '422 unknown-sku'],
    ['an unknown unit', { lines: [{ ...bolts, unit: 'crate' }] }, '422 unknown-unit'],
    [
      'a product above the limit',
      { lines: [{ ...bolts, ordered: 1_000_000_000, unit: 'case' }] },
      '422 validation',
    ],
    ['a percentage of three decimals', { overReceiptPercent: 0.125 }, '422 validation'],
    ['a member that is not known', { version: 1 }, '422 unknown-field'],
    ['nothing of a quantity', { lines: [{ ...bolts, ordered: 0 }] }, '422 validation'],
    ['a number that is none', { number: ' PO' }, '422 validation'],
  ])('is refused with %s', async (_, wrong, outcome) => {
    const right = { number: `BAD-${freshKey()}`.slice(0, 64), supplier: 'ACME', lines: [bolts] };
    const body = { ...right, ...wrong };
    expect(outcomeOf(await orders.create(body))).toBe(outcome);
    expect((await client.get(pathOf(right.number))).status).toBe(404);
  });

  it('needs a key, and a body', async () => {
    const body = { number: 'KEYLESS', supplier: 'ACME', lines: [bolts] };
    const keyless = await client.send('POST', '/v1/purchase-orders', { body });
    expect(outcomeOf(keyless)).toBe('400 idempotency-key-missing');
    const empty = await client.send('POST', '/v1/purchase-orders', { key: freshKey() });
    expect(outcomeOf(empty)).toBe('400 body-required');
  });
});

describe('an order that is listed', () => {
  it('is found under its status, page by page', async () => {
    for (const number of ['L-1', 'L-2', 'L-3']) await orders.orderOf(number, 10);
    await orders.receive('L-2', units(10));
    await orders.receive('L-3', units(1));
    for (const [number, status] of [
      ['L-1', 'open'],
      ['L-2', 'complete'],
      ['L-3', 'partial'],
    ]) {
      const listed = pageOf(
        await client.get(`/v1/purchase-orders?status=${status ?? ''}&limit=200`),
      );
      expect(listed.items.map((item) => item['number'])).toContain(number);
      expect(new Set(listed.items.map((item) => item['status']))).toEqual(new Set([status]));
    }
    const all: unknown[] = [];
    for (let path: string | null = '/v1/purchase-orders?limit=2'; path !== null;) {
      const page: ReturnType<typeof pageOf> = pageOf(await client.get(path));
      all.push(...page.items.map((item) => item['number']));
      path = page.nextCursor && `/v1/purchase-orders?limit=2&cursor=${page.nextCursor}`;
    }
    expect(all).toEqual([...new Set(all)].toSorted());
    for (const number of ['L-1', 'L-2', 'L-3']) expect(all).toContain(number);
    const unknown = await client.get('/v1/purchase-orders?status=lost');
    expect(outcomeOf(unknown)).toBe('422 validation');
  });
});

describe('a change of an order', () => {
  const change = (number: string, body: unknown, key?: string) =>
    client.send('PATCH', pathOf(number), { body, ...(key !== undefined && { key }) });

  it('orders more or less, adds lines, and does not go below what was received', async () => {
    await orders.orderOf('C-1', 10);
    await orders.receive('C-1', units(4));
    const lines = [
      { line: 1, ordered: 2, unit: 'case' },
      { line: 2, sku: 'nut', ordered: 5 },
    ];
    const key = freshKey();
    const changed = await change('C-1', { lines, supplier: 'B' }, key);
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      supplier: 'B',
      lines: [
        { line: 1, ordered: 24, received: 4 },
        { line: 2, sku: 'nut', ordered: 5, received: 0 },
      ],
    });
    const again = await change('C-1', { lines, supplier: 'B' }, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const below = await change('C-1', { lines: [{ line: 1, ordered: 3 }] });
    expect(problemOf(below)).toMatchObject({ code: 'below-received', line: 1, received: 4 });
    const lowered = await change('C-1', { lines: [{ line: 1, ordered: 4 }] });
    expect(lowered.body).toMatchObject({ lines: [{ status: 'complete' }, { status: 'open' }] });
  });

  it.each<readonly [string, unknown, string]>([
    ['nothing', {}, '422 validation'],
    ['a new line without a SKU', { lines: [{ line: 9, ordered: 1 }] }, '422 validation'],
    ['another SKU', { lines: [{ line: 1, sku: 'nut' }] }, '422 validation'],
    ['a unit of nothing', { lines: [{ line: 1, unit: 'case' }] }, '422 validation'],
    ['received units', { lines: [{ line: 1, received: 4 }] }, '422 unknown-field'],
  ])('is refused with %s', async (what, body, outcome) => {
    const number = `CB-${what.replaceAll(' ', '-')}`;
    await orders.orderOf(number, 10);
    expect(outcomeOf(await change(number, body))).toBe(outcome);
  });

  it('is not made to an order that has ended, or was never made', async () => {
    await orders.orderOf('C-2', 10);
    await orders.post(`${pathOf('C-2')}/cancel`);
    const late = await change('C-2', { supplier: 'B' });
    expect(outcomeOf(late)).toBe('409 purchase-order-closed');
    expect(outcomeOf(await change('C-3', { supplier: 'B' }))).toBe('404 not-found');
  });
});

describe('the end of an order', () => {
  it('keeps what came, and lets nothing more in', async () => {
    await orders.orderOf('E-1', 10);
    await orders.receive('E-1', units(4));
    const closed = await client.send('POST', `${pathOf('E-1')}/close`, { key: freshKey() });
    expect([closed.status, closed.body]).toMatchObject([200, { status: 'closed' }]);
    const late = await orders.receive('E-1', units(1));
    expect(problemOf(late)).toMatchObject({ status: 409, code: 'purchase-order-closed' });
    expect((await orders.stock(skuOf('E-1'))).totals.onHand).toBe(4);
    const twice = await orders.post(`${pathOf('E-1')}/close`);
    expect([twice.status, twice.body]).toMatchObject([200, { status: 'closed' }]);
    const otherwise = await orders.post(`${pathOf('E-1')}/cancel`);
    expect(outcomeOf(otherwise)).toBe('409 purchase-order-closed');
    expect(outcomeOf(await orders.post(`${pathOf('E-none')}/close`))).toBe('404 not-found');
  });
});
