/** Stock counts over real HTTP: cases 17, 25 and 26, and what is shown. */
import { beforeAll, describe, expect, it } from 'vitest';
import { countClient, countShape, idOf } from '../support/count-client.ts';
import { freshKey, outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { readHistory } from '../support/http-history.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
const { makeLocations, newSku, moved, open, opened, put, end, show, skuOf } = countClient(client);

beforeAll(makeLocations);

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
