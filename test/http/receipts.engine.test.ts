/** G9 and receipts over HTTP, on the real engine; faults that others met are tried by their rows. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../support/http-client.ts';
import { freshKey, outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { orderClient, pathOf, receiptShape, skuOf, units } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
const orders = orderClient(client);

beforeAll(async () => {
  for (const location of ['A1', 'B1', 'R1']) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse: 'W' })).status).toBe(201);
  }
  expect((await client.send('DELETE', '/v1/locations/R1')).status).toBe(200);
});

const onHand = async (number: string): Promise<number> =>
  (await orders.stock(skuOf(number))).totals.onHand;

function statuses(replies: readonly Reply[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const reply of replies) {
    const outcome = outcomeOf(reply);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('a receipt', () => {
  it('brings the goods in, and says by which movement', async () => {
    await orders.orderOf('PO-1', 10);
    const reply = await orders.receive('PO-1', { ...units(4), reference: 'truck 7' });
    expect(reply.status).toBe(201);
    const { id, lines } = receiptShape.parse(reply.body);
    expect(reply.body).toMatchObject({ number: 'PO-1', status: 'completed', reference: 'truck 7' });
    expect(lines).toEqual([{ line: 1, sku: 'sku-PO-1', location: 'A1', quantity: 4, ordinal: 1 }]);
    expect(await orders.order('PO-1')).toMatchObject({
      status: 'partial',
      lines: [{ ordered: 10, received: 4, remaining: 6, status: 'partial' }],
    });
    expect(await onHand('PO-1')).toBe(4);
    expect((await client.get(`${pathOf('PO-1')}/receipts/${id}`)).body).toEqual(reply.body);
    const { items } = pageOf(await client.get(`${pathOf('PO-1')}/receipts`));
    expect(items).toEqual([reply.body]);
    const movements = pageOf(await client.get(`/v1/skus/${skuOf('PO-1')}/movements`));
    expect(movements.items).toMatchObject([
      { type: 'receive', actionId: `~receipt/${id}/0`, reference: 'truck 7', actor: 'admin' },
    ]);
  });

  it('is the same for its key: 201, then 200 with the same body', async () => {
    await orders.orderOf('KEY', 10);
    const key = freshKey();
    const first = await orders.receive('KEY', units(4), key);
    const again = await orders.receive('KEY', units(4), key);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = await orders.receive('KEY', units(5), key);
    expect(outcomeOf(other)).toBe('422 idempotency-key-reused');
    expect(await onHand('KEY')).toBe(4);
  });

  it('has one effect when its key is sent 20 times at once', async () => {
    await orders.orderOf('SAME', 10);
    const key = freshKey();
    const replies = await times(20, () => orders.receive('SAME', units(10), key));
    expect(statuses(replies)).toEqual({ 200: 19, 201: 1 });
    for (const { body } of replies) expect(body).toEqual(replies[0]?.body);
    expect(await onHand('SAME')).toBe(10);
  });

  it('converts packs exactly, each line by its unit', async () => {
    await orders.orderOf('PACKS', 25);
    const lines = [
      { line: 1, location: 'A1', quantity: 2, unit: 'case' },
      { line: 1, location: 'B1', quantity: 1, unit: 'each' },
    ];
    const reply = await orders.receive('PACKS', { lines });
    expect(receiptShape.parse(reply.body).lines).toMatchObject([
      { quantity: 24, location: 'A1' },
      { quantity: 1, location: 'B1' },
    ]);
    expect(await orders.order('PACKS')).toMatchObject({ status: 'complete' });
  });

  it.each<readonly [string, unknown, string]>([
    ['an unknown line', { lines: [{ line: 2, location: 'A1', quantity: 1 }] }, '422 unknown-line'],
    [
      'an unknown location',
      { lines: [{ line: 1, location: 'NONE', quantity: 1 }] },
      '422 unknown-location',
    ],
    ['an unknown unit', units(1, { unit: 'crate' }), '422 unknown-unit'],
    ['a fraction', units(1.5), '422 validation'],
    [
      'text for a quantity',
      { lines: [{ line: 1, location: 'A1', quantity: '1' }] },
      '422 validation',
    ],
    ['no lines', { lines: [] }, '422 validation'],
    ['a member that is not known', units(1, { sku: 'x' }), '422 unknown-field'],
    ['more than was ordered', units(11), '409 over-receipt'],
  ])('is refused with %s, and leaves nothing', async (what, body, outcome) => {
    const number = `BAD-${what.replaceAll(' ', '-')}`;
    await orders.orderOf(number, 10);
    const before = [await orders.order(number), await orders.stock(skuOf(number))];
    expect(outcomeOf(await orders.receive(number, body))).toBe(outcome);
    expect([await orders.order(number), await orders.stock(skuOf(number))]).toEqual(before);
    expect(pageOf(await client.get(`${pathOf(number)}/receipts`)).items).toEqual([]);
  });

  it('says how much there was to receive, and may come again with its key', async () => {
    await orders.orderOf('OVER', 10);
    await orders.receive('OVER', units(4));
    const key = freshKey();
    const over = await orders.receive('OVER', units(7), key);
    expect(problemOf(over)).toMatchObject({
      status: 409,
      code: 'over-receipt',
      line: 1,
      ordered: 10,
      received: 4,
      remaining: 6,
    });
    await client.send('PATCH', pathOf('OVER'), { body: { lines: [{ line: 1, ordered: 11 }] } });
    expect(outcomeOf(await orders.receive('OVER', units(7), key))).toBe('201');
  });

  it('is not found on another order, or under any other text', async () => {
    await orders.orderOf('HERE', 10);
    await orders.orderOf('THERE', 10);
    const { id } = receiptShape.parse((await orders.receive('HERE', units(1))).body);
    for (const path of [
      `${pathOf('THERE')}/receipts/${id}`,
      `${pathOf('HERE')}/receipts/none`,
      `${pathOf('NOWHERE')}/receipts`,
    ]) {
      expect(outcomeOf(await client.get(path))).toBe('404 not-found');
    }
    expect(outcomeOf(await orders.receive('NOWHERE', units(1)))).toBe('404 not-found');
  });

  it('ends a line that cannot be stocked as failed, and the order takes its credit back', async () => {
    await orders.orderOf('FAILS', 10);
    const lines = [
      { line: 1, location: 'R1', quantity: 6 },
      { line: 1, location: 'A1', quantity: 4 },
    ];
    const reply = await orders.receive('FAILS', { lines });
    expect([reply.status, reply.body]).toMatchObject([
      201,
      {
        status: 'completed',
        lines: [{ status: 'failed', code: 'location-retired' }, { quantity: 4 }],
      },
    ]);
    expect(await orders.order('FAILS')).toMatchObject({ lines: [{ received: 4 }] });
    expect(await onHand('FAILS')).toBe(4);
    expect(outcomeOf(await orders.receive('FAILS', units(6)))).toBe('201');
  });

  it('may have 500 lines over 50 SKUs', async () => {
    const skus = Array.from({ length: 50 }, (_, index) => `many-${index}`);
    await Promise.all(skus.map((sku) => client.put(`/v1/skus/${sku}`, { description: sku })));
    const lines = skus.map((sku, index) => ({ line: index + 1, sku, ordered: 10 }));
    expect((await orders.create({ number: 'MANY', supplier: 'ACME', lines })).status).toBe(201);
    const received = Array.from({ length: 500 }, (_, index) => ({
      line: (index % 50) + 1,
      location: 'A1',
      quantity: 1,
    }));
    const reply = await orders.receive('MANY', { lines: received });
    expect(reply.status).toBe(201);
    const shown = receiptShape.parse(reply.body).lines;
    expect(shown.filter(({ ordinal }) => ordinal === undefined)).toEqual([]);
    expect(await orders.order('MANY')).toMatchObject({ status: 'complete' });
    const more = { lines: [...received, received[0]] };
    expect(outcomeOf(await orders.receive('MANY', more))).toBe('422 validation');
  });

  it('is listed newest first, none twice and none missed', async () => {
    await orders.orderOf('PAGES', 100);
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      ids.push(receiptShape.parse((await orders.receive('PAGES', units(1))).body).id);
    }
    const listed: unknown[] = [];
    const path = `${pathOf('PAGES')}/receipts?limit=3`;
    for (let next: string | null = path; next !== null;) {
      const page: ReturnType<typeof pageOf> = pageOf(await client.get(next));
      listed.push(...page.items.map((item) => item['id']));
      next = page.nextCursor && `${path}&cursor=${page.nextCursor}`;
      await orders.receive('PAGES', units(1));
    }
    expect(listed).toEqual(ids.toReversed());
  });
});

describe('4: an order with two lines of one SKU', () => {
  it('is received in one receipt by two movements', async () => {
    await client.put('/v1/skus/twice', { description: 'd' });
    const lines = [
      { line: 1, sku: 'twice', ordered: 10 },
      { line: 2, sku: 'twice', ordered: 5 },
    ];
    await orders.create({ number: 'TWICE', supplier: 'ACME', lines });
    const received = lines.map(({ line, ordered }) => ({
      line,
      location: 'A1',
      quantity: ordered,
    }));
    const reply = await orders.receive('TWICE', { lines: received });
    const ordinals = receiptShape.parse(reply.body).lines.map(({ ordinal }) => ordinal);
    expect(ordinals.toSorted()).toEqual([1, 2]);
    expect(await orders.stock('twice')).toMatchObject({ totals: { onHand: 15 }, movementCount: 2 });
  });
});

describe('16: the same transfer twice at once', () => {
  it('moves what was received once', async () => {
    await orders.orderOf('MOVE', 10);
    await orders.receive('MOVE', units(10));
    const transfer = { type: 'transfer', sku: skuOf('MOVE'), from: 'A1', to: 'B1', quantity: 4 };
    const key = freshKey();
    const replies = await times(2, () => client.move(transfer, key));
    expect(statuses(replies)).toEqual({ 200: 1, 201: 1 });
    expect(await orders.stock(skuOf('MOVE'))).toMatchObject({
      totals: { onHand: 10 },
      movementCount: 2,
    });
  });
});

describe('19: an order of 10', () => {
  it('takes one of two receipts of 10 at once', async () => {
    await orders.orderOf('TWO', 10);
    const replies = await times(2, () => orders.receive('TWO', units(10)));
    expect(statuses(replies)).toEqual({ 201: 1, '409 over-receipt': 1 });
    expect(await onHand('TWO')).toBe(10);
  });

  it('takes one of twenty receipts of the whole of it at once', async () => {
    await orders.orderOf('TWENTY', 10);
    const replies = await times(20, () => orders.receive('TWENTY', units(10)));
    expect(statuses(replies)).toEqual({ 201: 1, '409 over-receipt': 19 });
    expect(await onHand('TWENTY')).toBe(10);
    expect((await orders.stock(skuOf('TWENTY'))).movementCount).toBe(1);
    expect(pageOf(await client.get(`${pathOf('TWENTY')}/receipts`)).items).toHaveLength(1);
  });

  it('is completed by 4 and 6', async () => {
    await orders.orderOf('PARTS', 10);
    for (const amount of [4, 6]) {
      expect(outcomeOf(await orders.receive('PARTS', units(amount)))).toBe('201');
    }
    expect(await orders.order('PARTS')).toMatchObject({ status: 'complete' });
  });
});

describe('22: more than is left, within tolerance', () => {
  it('is kept, and nothing remains', async () => {
    await orders.orderOf('MORE', 8, { overReceiptPercent: 25 });
    for (const amount of [4, 6]) {
      expect(outcomeOf(await orders.receive('MORE', units(amount)))).toBe('201');
    }
    expect(await orders.order('MORE')).toMatchObject({
      status: 'complete',
      lines: [{ ordered: 8, received: 10, remaining: 0, status: 'over' }],
    });
    const beyond = problemOf(await orders.receive('MORE', units(1)));
    expect(beyond).toMatchObject({ code: 'over-receipt', remaining: 0 });
  });
});

describe('closing or cancelling an order while receipts come', () => {
  it.each(['close', 'cancel'])('decides each receipt: %s', async (verb) => {
    for (let round = 0; round < 6; round += 1) {
      const number = `RACE-${verb}-${round}`;
      await orders.orderOf(number, 100);
      const [replies, ended] = await Promise.all([
        times(10, () => orders.receive(number, units(1))),
        orders.post(`${pathOf(number)}/${verb}`),
      ]);
      expect(ended.status).toBe(200);
      const { 201: taken = 0, '409 purchase-order-closed': refused = 0 } = statuses(replies);
      expect(taken + refused).toBe(10);
      expect(await orders.order(number)).toMatchObject({ lines: [{ received: taken }] });
      expect(await onHand(number)).toBe(taken);
    }
  });
});
