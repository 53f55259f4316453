/** Reservations over real HTTP and on the real engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Reply, Sent } from '../support/http-client.ts';
import { freshKey, outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
let skus = 0;

beforeAll(async () => {
  for (const location of ['A', 'B']) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse: 'W' })).status).toBe(201);
  }
});

/** A SKU of the test's own, with so much of it at each location. */
async function newSku(levels: Readonly<Record<string, number>> = {}): Promise<string> {
  skus += 1;
  const sku = `held-${skus}`;
  expect((await client.put(`/v1/skus/${sku}`, { description: 'd' })).status).toBe(201);
  for (const [location, quantity] of Object.entries(levels)) {
    const body = { type: 'receive', sku, location, quantity };
    expect(outcomeOf(await client.move(body))).toBe('201');
  }
  return sku;
}

const pathOf = (sku: string, id = ''): string =>
  `/v1/skus/${sku}/reservations${id === '' ? '' : `/${id}`}`;

function reserve(
  sku: string,
  { key = freshKey(), ...body }: Readonly<Record<string, unknown>> & { readonly key?: string } = {},
): Promise<Reply> {
  return client.send('POST', pathOf(sku), {
    key,
    body: { location: 'A', quantity: 1, ttlSeconds: null, ...body },
  });
}

const reservation = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  sku: z.string(),
  location: z.string(),
  quantity: z.number(),
  expiresAt: z.iso.datetime().nullable(),
  state: z.enum(['held', 'expired', 'committed', 'released']),
});

async function held(sku: string, body: Readonly<Record<string, unknown>> = {}) {
  const reply = await reserve(sku, body);
  expect(outcomeOf(reply)).toBe('201');
  return reservation.parse(reply.body);
}

function commit(sku: string, id: string, body?: unknown, key = freshKey()): Promise<Reply> {
  return client.send('POST', `${pathOf(sku, id)}/commit`, {
    key,
    ...(body !== undefined && { body }),
  });
}

const release = (sku: string, id: string, sent: Sent = {}): Promise<Reply> =>
  client.send('DELETE', pathOf(sku, id), sent);

const view = z.object({
  version: z.number(),
  totals: z.object({ onHand: z.number(), reserved: z.number(), available: z.number() }),
  reservations: z.array(z.object({ id: z.string(), quantity: z.number() })),
});

async function stock(sku: string) {
  return view.parse((await client.get(`/v1/skus/${sku}`)).body);
}

/** Resolves once the database's clock says that the hold has ended. */
async function lapse(sku: string, id: string): Promise<void> {
  for (;;) {
    const { body } = await client.get(pathOf(sku, id));
    if (reservation.parse(body).state === 'expired') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function expectReplay(again: Reply, first: Reply): void {
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(first.headers.get('idempotent-replayed')).toBeNull();
}

describe('a reservation', () => {
  it('is held, looked up, changed and released', async () => {
    const sku = await newSku({ A: 10, B: 4 });
    const made = await reserve(sku, { quantity: 3, ttlSeconds: 60, reference: 'cart 7' });
    const hold = reservation.parse(made.body);
    expect(made.status).toBe(201);
    expect(hold).toMatchObject({ sku, location: 'A', quantity: 3, state: 'held' });
    expect(await stock(sku)).toMatchObject({
      totals: { onHand: 14, reserved: 3, available: 11 },
      reservations: [{ id: hold.id, quantity: 3 }],
    });
    const shown = await client.get(pathOf(sku, hold.id));
    expect(shown.body).toEqual(made.body);
    expect(shown.headers.get('etag')).toBe(made.headers.get('etag'));
    const changed = await client.send('PATCH', pathOf(sku, hold.id), {
      body: { location: 'B', quantity: 4, ttlSeconds: null },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...hold, location: 'B', quantity: 4, expiresAt: null });
    expect(changed.headers.get('etag')).not.toBe(made.headers.get('etag'));
    const gone = await release(sku, hold.id);
    expect(gone.status).toBe(200);
    expect(gone.body).toMatchObject({ id: hold.id, quantity: 4, state: 'released' });
    expect((await client.get(pathOf(sku, hold.id))).body).toEqual(gone.body);
    expect((await stock(sku)).totals).toEqual({ onHand: 14, reserved: 0, available: 14 });
  });

  it('has its trace in the history, with what it was after each movement', async () => {
    const sku = await newSku({ A: 10 });
    const hold = await held(sku, { quantity: 5, reference: 'cart 8' });
    await commit(sku, hold.id, { quantity: 2 });
    await release(sku, hold.id);
    const { items } = pageOf(await client.get(`/v1/skus/${sku}/movements`));
    const { id, location } = hold;
    const shown = (quantity: number, state: string) => ({
      reservation: { id, location, quantity, expiresAt: null, state },
    });
    expect(items).toMatchObject([
      { type: 'release', lines: [], ...shown(3, 'released') },
      { type: 'ship', lines: [{ location: 'A', delta: -2, onHand: 8 }], ...shown(3, 'held') },
      { type: 'reserve', lines: [], reference: 'cart 8', ...shown(5, 'held') },
      { type: 'receive' },
    ]);
    expect(items.at(3)).not.toHaveProperty('reservation');
  });

  it('is changed only as it was seen, where If-Match says so', async () => {
    const sku = await newSku({ A: 10 });
    const { id } = await held(sku);
    const seen = (await client.get(pathOf(sku, id))).headers.get('etag') ?? '';
    const change = (match: string, quantity: number, of = id) =>
      client.send('PATCH', pathOf(sku, of), { body: { quantity }, headers: { 'If-Match': match } });
    // What else happens to the SKU is no change of the reservation.
    await client.move({ type: 'receive', sku, location: 'A', quantity: 1 });
    expect(outcomeOf(await change(seen, 2))).toBe('200');
    expect(outcomeOf(await change(seen, 3))).toBe('412 version-mismatch');
    expect(outcomeOf(await change('*', 3))).toBe('200');
    expect(outcomeOf(await change('*', 3, 'x'.repeat(22)))).toBe('412 version-mismatch');
    expect(outcomeOf(await change('W/"1"', 3))).toBe('400 if-match-invalid');
  });

  it('that asks for more than there is stays as it was, its end included', async () => {
    const sku = await newSku({ A: 10 });
    const hold = await held(sku, { quantity: 8, ttlSeconds: 100 });
    const change = (body: unknown) => client.send('PATCH', pathOf(sku, hold.id), { body });
    expect(outcomeOf(await change({ quantity: 11, ttlSeconds: 1 }))).toBe('409 insufficient-stock');
    expect((await client.get(pathOf(sku, hold.id))).body).toEqual(hold);
    expect(outcomeOf(await change({ quantity: 10 }))).toBe('200');
    await client.move({ type: 'adjust', sku, location: 'A', delta: -5, reason: 'lost' });
    expect(outcomeOf(await change({ quantity: 9, ttlSeconds: 5 }))).toBe('200');
  });

  it('is found under its reference, newest first, whatever became of it', async () => {
    const [one, other] = [await newSku({ A: 10 }), await newSku({ A: 10 })];
    const reference = `order ${freshKey()} ÷&%`;
    const first = await held(one, { reference });
    const second = await held(other, { reference });
    const third = await held(one, { reference, quantity: 2 });
    await held(one, { reference: 'another' });
    await commit(other, second.id);
    await release(one, first.id);
    const query = `/v1/reservations?limit=2&reference=${encodeURIComponent(reference)}`;
    const page = pageOf(await client.get(query));
    expect(page.items).toEqual([third, { ...second, state: 'committed' }]);
    const rest = pageOf(await client.get(`${query}&cursor=${page.nextCursor ?? ''}`));
    expect(rest).toEqual({ items: [{ ...first, state: 'released' }], nextCursor: null });
    expect(outcomeOf(await client.get('/v1/reservations'))).toBe('422 validation');
    const elsewhere = `/v1/reservations?reference=x&cursor=${page.nextCursor ?? ''}`;
    expect(outcomeOf(await client.get(elsewhere))).toBe('422 validation');
  });
});

describe('7: a release', () => {
  it('of an unknown hold finds nothing', async () => {
    const sku = await newSku({ A: 1 });
    for (const id of ['A'.repeat(22), 'nope', '8c5d6f6e-1111-4222-8333-444455556666', '%00']) {
      expect(outcomeOf(await release(sku, id))).toBe('404 unknown-reservation');
      expect(outcomeOf(await client.get(pathOf(sku, id)))).toBe('404 unknown-reservation');
      expect(outcomeOf(await commit(sku, id))).toBe('404 unknown-reservation');
      const patch = await client.send('PATCH', pathOf(sku, id), { body: { quantity: 1 } });
      expect(outcomeOf(patch)).toBe('404 unknown-reservation');
    }
    expect(outcomeOf(await release('no-such-sku', 'A'.repeat(22)))).toBe('404 unknown-reservation');
    const other = await held(await newSku({ A: 1 }));
    expect(outcomeOf(await release(sku, other.id))).toBe('404 unknown-reservation');
    expect((await stock(sku)).totals.reserved).toBe(0);
  });

  it('twice gives the same answer', async () => {
    const sku = await newSku({ A: 5 });
    const { id } = await held(sku, { quantity: 2 });
    const first = await release(sku, id);
    for (const sent of [{}, { key: freshKey() }, {}]) {
      const again = await release(sku, id, sent);
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    expect(outcomeOf(await commit(sku, id))).toBe('409 reservation-released');
    expect((await stock(sku)).totals).toEqual({ onHand: 5, reserved: 0, available: 5 });
  });

  it('after a commit is refused', async () => {
    const sku = await newSku({ A: 5 });
    const { id } = await held(sku, { quantity: 2 });
    expect(outcomeOf(await commit(sku, id))).toBe('200');
    expect(outcomeOf(await release(sku, id))).toBe('409 reservation-committed');
    expect(outcomeOf(await commit(sku, id))).toBe('409 reservation-committed');
    expect((await stock(sku)).totals).toEqual({ onHand: 3, reserved: 0, available: 3 });
  });
});

describe('8: a commit of a part', () => {
  it('ships it and keeps the rest held', async () => {
    const sku = await newSku({ A: 10 });
    const hold = await held(sku, { quantity: 10 });
    const part = await commit(sku, hold.id, { quantity: 2 });
    expect(part.status).toBe(200);
    expect(part.body).toMatchObject({
      ...hold,
      quantity: 8,
      state: 'held',
      movement: {
        type: 'ship',
        lines: [{ location: 'A', delta: -2, onHand: 8 }],
        reservation: { id: hold.id, quantity: 8, state: 'held' },
      },
    });
    expect((await stock(sku)).totals).toEqual({ onHand: 8, reserved: 8, available: 0 });
    expect(problemOf(await commit(sku, hold.id, { quantity: 9 }))).toMatchObject({
      code: 'reservation-exceeded',
      held: 8,
      requested: 9,
    });
    const rest = await commit(sku, hold.id);
    expect(rest.body).toMatchObject({
      quantity: 8,
      state: 'committed',
      movement: { type: 'ship' },
    });
    expect((await stock(sku)).totals).toEqual({ onHand: 0, reserved: 0, available: 0 });
  });
});

describe('11: more than one location has', () => {
  it('is refused with what each location has', async () => {
    const sku = await newSku({ A: 1, B: 1 });
    expect(problemOf(await reserve(sku, { quantity: 2 }))).toMatchObject({
      status: 409,
      code: 'insufficient-stock',
      location: 'A',
      available: 1,
      requested: 2,
      locations: [
        { location: 'A', available: 1 },
        { location: 'B', available: 1 },
      ],
    });
  });
});

describe('12: a hold of everything for a second', () => {
  it('ends by being looked at, and the stock can be held anew', async () => {
    const sku = await newSku({ A: 5 });
    const { id } = await held(sku, { quantity: 5, ttlSeconds: 1 });
    expect((await stock(sku)).totals.available).toBe(0);
    expect(outcomeOf(await reserve(sku))).toBe('409 insufficient-stock');
    const { version } = await stock(sku);
    await lapse(sku, id);
    expect(await stock(sku)).toMatchObject({ version, totals: { available: 5 }, reservations: [] });
    await held(sku, { quantity: 5 });
    expect((await client.get(pathOf(sku, id))).body).toMatchObject({ id, state: 'expired' });
  });
});

describe('15: a hold that has expired', () => {
  it('can be looked up, and neither committed, changed nor released', async () => {
    const sku = await newSku({ A: 5 });
    const { id } = await held(sku, { quantity: 5, ttlSeconds: 1 });
    await lapse(sku, id);
    const taker = await held(sku, { quantity: 5 });
    const late = [
      await commit(sku, id),
      await release(sku, id),
      await client.send('PATCH', pathOf(sku, id), { body: { ttlSeconds: 60 } }),
    ];
    expect(late.map(outcomeOf)).toEqual(Array(3).fill('409 reservation-expired'));
    expect((await client.get(pathOf(sku, id))).body).toMatchObject({ state: 'expired' });
    expect(outcomeOf(await commit(sku, taker.id))).toBe('200');
    expect((await stock(sku)).totals).toEqual({ onHand: 0, reserved: 0, available: 0 });
    const { items } = pageOf(await client.get(`/v1/skus/${sku}/movements?type=expire`));
    expect(items).toMatchObject([{ actionId: `~expire/${id}`, actor: '~stockroom', lines: [] }]);
  });
});

describe('the last unit', () => {
  it('is held once by 20 clients', async () => {
    const sku = await newSku({ A: 1 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => reserve(sku)));
    expect(replies.map(outcomeOf).toSorted()).toEqual([
      '201',
      ...Array<string>(19).fill('409 insufficient-stock'),
    ]);
    expect((await stock(sku)).reservations).toHaveLength(1);
  });

  it('is held once by one client that sends 20 times', async () => {
    const sku = await newSku({ A: 5 });
    const key = freshKey();
    const replies = await Promise.all(Array.from({ length: 20 }, () => reserve(sku, { key })));
    expect(replies.map(outcomeOf).toSorted()).toEqual([...Array<string>(19).fill('200'), '201']);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await stock(sku)).totals.reserved).toBe(1);
  });
});

describe('a change of a reservation that is sent again', () => {
  it('gets the first answer, whatever became of the hold', async () => {
    const sku = await newSku({ A: 10 });
    const [made, altered, shipped, released] = [freshKey(), freshKey(), freshKey(), freshKey()];
    const hold = { quantity: 6, ttlSeconds: 600, key: made };
    const first = await reserve(sku, hold);
    const { id } = reservation.parse(first.body);
    const alter = (quantity = 5) =>
      client.send('PATCH', pathOf(sku, id), { key: altered, body: { quantity } });
    const changed = await alter();
    const part = await commit(sku, id, { quantity: 2 }, shipped);
    const gone = await release(sku, id, { key: released });
    expect([changed.status, part.status, gone.status]).toEqual([200, 200, 200]);
    for (let round = 0; round < 2; round += 1) {
      expectReplay(await reserve(sku, hold), first);
      expectReplay(await alter(), changed);
      expectReplay(await commit(sku, id, { quantity: 2 }, shipped), part);
      expectReplay(await release(sku, id, { key: released }), gone);
    }
    const reused = [
      await reserve(sku, { ...hold, quantity: 7 }),
      await alter(4),
      await commit(sku, id, { quantity: 1 }, shipped),
      await release(sku, id, { key: made }),
      await client.move({ type: 'receive', sku, location: 'A', quantity: 1 }, made),
    ];
    expect(reused.map(outcomeOf)).toEqual(Array(5).fill('422 idempotency-key-reused'));
    expect((await stock(sku)).totals).toEqual({ onHand: 8, reserved: 0, available: 8 });
  });

  it('is one request with an empty body and with an empty object', async () => {
    const sku = await newSku({ A: 10 });
    const { id } = await held(sku, { quantity: 2 });
    const key = freshKey();
    const first = await commit(sku, id, undefined, key);
    expectReplay(await commit(sku, id, {}, key), first);
  });

  it('that was refused may be sent again and then succeed', async () => {
    const sku = await newSku();
    const key = freshKey();
    expect(outcomeOf(await reserve(sku, { key }))).toBe('409 insufficient-stock');
    await client.move({ type: 'receive', sku, location: 'A', quantity: 1 });
    expect(outcomeOf(await reserve(sku, { key }))).toBe('201');
  });
});

describe('26: what cannot be reserved', () => {
  const bodies: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['ttl 0', { ttlSeconds: 0 }, '/ttlSeconds'],
    ['ten years', { ttlSeconds: 315_360_000 }, '/ttlSeconds'],
    ['a second more than 30 days', { ttlSeconds: 2_592_001 }, '/ttlSeconds'],
    ['half a second', { ttlSeconds: 0.5 }, '/ttlSeconds'],
    ['a ttl in text', { ttlSeconds: '60' }, '/ttlSeconds'],
    ['no ttl', { ttlSeconds: undefined }, '/ttlSeconds'],
    ['quantity 0', { quantity: 0 }, '/quantity'],
    ['quantity 1.5', { quantity: 1.5 }, '/quantity'],
    ['quantity 2^53', { quantity: 2 ** 53 }, '/quantity'],
    ['a location in lower case', { location: 'a.b' }, '/location'],
    ['a reference of 201 characters', { reference: 'x'.repeat(201) }, '/reference'],
    ['a unit', { unit: 'case' }, '/unit'],
    ['a state', { state: 'committed' }, '/state'],
  ];

  it.each(bodies)('%s', async (_, body, path) => {
    const sku = await newSku({ A: 10 });
    const refused = problemOf(await reserve(sku, body));
    expect([refused.status, refused.errors?.map((error) => error.path)]).toEqual([422, [path]]);
    expect((await stock(sku)).reservations).toEqual([]);
  });

  it('nor without a key, at a location or of a SKU that is not there', async () => {
    const sku = await newSku({ A: 1 });
    const body = { location: 'A', quantity: 1, ttlSeconds: 1 };
    expect(outcomeOf(await client.send('POST', pathOf(sku), { body }))).toBe(
      '400 idempotency-key-missing',
    );
    expect(outcomeOf(await reserve(sku, { location: 'NOWHERE' }))).toBe('422 unknown-location');
    expect(outcomeOf(await reserve('no-such-sku'))).toBe('404 not-found');
    expect(outcomeOf(await client.send('POST', pathOf(sku), { key: freshKey() }))).toBe(
      '400 body-required',
    );
    expect(outcomeOf(await client.send('PUT', pathOf(sku), { body }))).toBe(
      '405 method-not-allowed',
    );
  });

  it('nor changed to', async () => {
    const sku = await newSku({ A: 10 });
    const { id } = await held(sku);
    const change = async (body: unknown) =>
      outcomeOf(await client.send('PATCH', pathOf(sku, id), { body }));
    expect(await change({})).toBe('422 validation');
    expect(await change({ quantity: 0 })).toBe('422 validation');
    expect(await change({ ttlSeconds: 0 })).toBe('422 validation');
    expect(await change({ quantity: 2, reference: 'x' })).toBe('422 unknown-field');
    expect(outcomeOf(await commit(sku, id, { quantity: 1.5 }))).toBe('422 validation');
    expect(outcomeOf(await commit(sku, id, { location: 'A' }))).toBe('422 unknown-field');
    const keyless = await client.send('POST', `${pathOf(sku, id)}/commit`);
    expect(outcomeOf(keyless)).toBe('400 idempotency-key-missing');
    expect((await stock(sku)).reservations).toEqual([expect.objectContaining({ id, quantity: 1 })]);
  });
});
