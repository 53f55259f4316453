/** The dock over HTTP on the real engine: slots, holds, confirmations and what is available. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { dockClient, holdIn } from '../support/dock-client.ts';
import type { Reply } from '../support/http-client.ts';
import { freshKey, outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client, database } = useService();
const dock = dockClient(client);

function times<T>(count: number, ask: (index: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
}

function tally(replies: readonly Reply[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const reply of replies) {
    const outcome = outcomeOf(reply);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

interface Seat {
  readonly hold: string;
}

async function seatsOf(slot: string): Promise<readonly Seat[]> {
  const document = await database.db
    .collection<{ _id: string; seats: readonly Seat[] }>('dockSlots')
    .findOne({ _id: slot });
  return document?.seats ?? [];
}

async function eventsOf(hold: string): Promise<readonly string[]> {
  const entries = await database.db.collection('dockBookings').find({ hold }).toArray();
  return entries.map((entry) => String(entry['event']));
}

describe('a slot', () => {
  it('is opened once for its key, and listed by when it starts', async () => {
    const body = {
      warehouse: 'LISTED',
      startsAt: '2031-02-01T08:00:00+01:00',
      endsAt: '2031-02-01T09:00:00+01:00',
      capacity: 3,
    };
    const key = freshKey();
    const first = await client.send('POST', '/v1/dock/slots', { body, key });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ startsAt: '2031-02-01T07:00:00.000Z', capacity: 3 });
    const again = await client.send('POST', '/v1/dock/slots', { body, key });
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const earlier = { ...body, startsAt: '2031-01-31T08:00:00Z' };
    await client.send('POST', '/v1/dock/slots', { body: earlier, key: freshKey() });
    const query = '/v1/dock/slots?warehouse=LISTED&limit=1';
    const page = pageOf(await client.get(query));
    expect(page.items).toMatchObject([{ startsAt: '2031-01-31T08:00:00.000Z', remaining: 3 }]);
    const next = pageOf(await client.get(`${query}&cursor=${page.nextCursor ?? ''}`));
    expect(next).toMatchObject({ items: [first.body], nextCursor: null });
    const from = '/v1/dock/slots?warehouse=LISTED&from=2031-02-01T00:00:00Z';
    expect(pageOf(await client.get(from)).items).toMatchObject([first.body]);
  });

  it('ends after it starts, and has room for 1 to 500', async () => {
    const body = {
      warehouse: 'W1',
      startsAt: '2031-02-01T08:00:00Z',
      endsAt: '2031-02-01T08:00:00Z',
      capacity: 501,
    };
    const refused = await client.send('POST', '/v1/dock/slots', { body, key: freshKey() });
    expect(outcomeOf(refused)).toBe('422 validation');
    expect(problemOf(refused).errors?.map(({ path }) => path)).toContain('/capacity');
    const late = await client.send('POST', '/v1/dock/slots', {
      body: { ...body, capacity: 500 },
      key: freshKey(),
    });
    expect(problemOf(late).errors?.map(({ path }) => path)).toEqual(['/endsAt']);
  });

  it('that has begun takes no holds and is not available', async () => {
    const slot = await dock.open({ capacity: 1, startsAt: new Date(Date.now() - 60_000) });
    expect(outcomeOf(await dock.hold(slot))).toBe('409 slot-started');
    await expect(dock.remaining(slot)).rejects.toThrow('not available');
  });

  it('that begins is no longer confirmed', async () => {
    const slot = await dock.open({ capacity: 1, startsAt: new Date(Date.now() + 1_500) });
    const { id } = holdIn(await dock.hold(slot));
    const isAvailable = () =>
      dock.remaining(slot).then(
        () => true,
        () => false,
      );
    while (await isAvailable()) await pause(20);
    expect(outcomeOf(await dock.confirm(id))).toBe('409 slot-started');
    expect(outcomeOf(await dock.cancel(id))).toBe('200');
  });

  it('that nobody opened is not found', async () => {
    const slot = '0'.repeat(22);
    expect(outcomeOf(await dock.hold(slot))).toBe('404 not-found');
    expect(outcomeOf(await dock.hold('nonsense'))).toBe('404 not-found');
    expect(outcomeOf(await dock.confirm(`${slot}.${slot}`))).toBe('404 not-found');
    const open = await dock.open({ capacity: 1 });
    expect(outcomeOf(await dock.cancel(`${open}.${slot}`))).toBe('404 not-found');
    expect(outcomeOf(await client.get(`/v1/dock/holds/${open}.${slot}`))).toBe('404 not-found');
  });
});

describe('holds that come at once', () => {
  it('for the one place: one has it, nineteen are refused', async () => {
    const slot = await dock.open({ capacity: 1 });
    const replies = await times(20, () => dock.hold(slot));
    expect(tally(replies)).toEqual({ '201': 1, '409 capacity-exhausted': 19 });
    expect(await seatsOf(slot)).toHaveLength(1);
    expect(await dock.remaining(slot)).toBe(0);
  });

  it('under one key: one takes a place, nineteen are told the same', async () => {
    const slot = await dock.open({ capacity: 5 });
    const key = freshKey();
    const replies = await times(20, () => dock.hold(slot, undefined, key));
    expect(tally(replies)).toEqual({ '201': 1, '200': 19 });
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    expect(await seatsOf(slot)).toHaveLength(1);
    expect(await dock.remaining(slot)).toBe(4);
  });

  it('of several places get all or none', async () => {
    const slot = await dock.open({ capacity: 7 });
    const replies = await times(6, () => dock.hold(slot, { seats: 3 }));
    expect(tally(replies)).toEqual({ '201': 2, '409 capacity-exhausted': 4 });
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ requested: 3, remaining: 1 });
    expect(await dock.remaining(slot)).toBe(1);
  });
});

describe('a key', () => {
  it('that held in one slot is refused for another, and for another request', async () => {
    const [one, other] = [await dock.open({ capacity: 2 }), await dock.open({ capacity: 2 })];
    const key = freshKey();
    const held = holdIn(await dock.hold(one, {}, key));
    expect(outcomeOf(await dock.hold(other, {}, key))).toBe('422 idempotency-key-reused');
    expect(outcomeOf(await dock.hold(one, { seats: 2 }, key))).toBe('422 idempotency-key-reused');
    expect(outcomeOf(await dock.confirm(held.id, key))).toBe('422 idempotency-key-reused');
    expect(await seatsOf(other)).toEqual([]);
    expect((await dock.hold(one, undefined, key)).body).toMatchObject({ id: held.id, seats: 1 });
  });

  it('is needed for holding and confirming', async () => {
    const slot = await dock.open({ capacity: 1 });
    const without = await client.send('POST', `/v1/dock/slots/${slot}/holds`);
    expect(outcomeOf(without)).toBe('400 idempotency-key-missing');
  });

  it('is answered as it was first, whatever became of the hold', async () => {
    const slot = await dock.open({ capacity: 1 });
    const [taking, confirming, seconding, cancelling] = [1, 2, 3, 4].map(freshKey);
    const held = await dock.hold(slot, {}, taking);
    const { id } = holdIn(held);
    const confirmed = await dock.confirm(id, confirming);
    const seconded = await dock.confirm(id, seconding);
    const cancelled = await dock.cancel(id, cancelling);
    const repeats = [
      [held, await dock.hold(slot, {}, taking)],
      [confirmed, await dock.confirm(id, confirming)],
      [seconded, await dock.confirm(id, seconding)],
      [cancelled, await dock.cancel(id, cancelling)],
    ] as const;
    for (const [first, repeat] of repeats) {
      expect(repeat.body).toEqual(first.body);
      expect(repeat.headers.get('idempotent-replayed')).toBe('true');
      expect(repeat.status).toBe(200);
    }
    expect(holdIn(seconded).status).toBe('confirmed');
    expect(outcomeOf(await dock.confirm(id))).toBe('409 hold-cancelled');
  });
});

describe('a confirmation', () => {
  it('sent twenty times has one effect', async () => {
    const slot = await dock.open({ capacity: 2 });
    const { id } = holdIn(await dock.hold(slot));
    const replies = await times(20, () => dock.confirm(id));
    expect(tally(replies)).toEqual({ '200': 20 });
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    expect(await dock.show(id)).toMatchObject({ status: 'confirmed', expiresAt: null });
    expect(await dock.remaining(slot)).toBe(1);
    expect((await eventsOf(id)).toSorted()).toEqual(['confirmed', 'held']);
  });
});

describe('a cancelled hold', () => {
  it('gives its places back once, however often it is cancelled', async () => {
    const slot = await dock.open({ capacity: 2 });
    const first = holdIn(await dock.hold(slot, { seats: 2 }));
    await dock.confirm(first.id);
    const replies = await times(5, () => dock.cancel(first.id));
    expect(tally(replies)).toEqual({ '200': 5 });
    expect(holdIn(replies[0] ?? expect.fail('five were sent')).status).toBe('cancelled');
    expect(await dock.remaining(slot)).toBe(2);
    const second = holdIn(await dock.hold(slot, { seats: 2 }));
    expect((await dock.cancel(first.id)).status).toBe(200);
    expect(await dock.remaining(slot)).toBe(0);
    expect(await dock.show(second.id)).toMatchObject({ status: 'held', seats: 2 });
    expect(await dock.show(first.id)).toMatchObject({ status: 'cancelled' });
    expect((await eventsOf(first.id)).toSorted()).toEqual(['cancelled', 'confirmed', 'held']);
  });
});

describe('an appointment for an order', () => {
  const order = (number: string) => ({
    number,
    supplier: 'Leaf & Sons',
    lines: [{ line: 1, sku: 'TEA', ordered: 1 }],
  });

  it('names one that takes deliveries', async () => {
    await client.put('/v1/skus/TEA', { description: 'tea' });
    for (const number of ['OPEN', 'ENDED']) {
      await client.send('POST', '/v1/purchase-orders', { body: order(number), key: freshKey() });
    }
    await client.send('POST', '/v1/purchase-orders/ENDED/cancel', { key: freshKey() });
    const slot = await dock.open({ capacity: 3 });
    const held = await dock.hold(slot, { purchaseOrder: 'OPEN' });
    expect(held.body).toMatchObject({ purchaseOrder: 'OPEN' });
    expect(outcomeOf(await dock.hold(slot, { purchaseOrder: 'ENDED' }))).toBe(
      '409 purchase-order-closed',
    );
    expect(outcomeOf(await dock.hold(slot, { purchaseOrder: 'NONE' }))).toBe(
      '422 unknown-purchase-order',
    );
    expect(await dock.remaining(slot)).toBe(2);
  });
});
