/** Undoing movements, over real HTTP and on the real engine. */
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

async function newSku(onHand = 0): Promise<string> {
  skus += 1;
  const sku = `undone-${skus}`;
  expect((await client.put(`/v1/skus/${sku}`, { description: 'd' })).status).toBe(201);
  if (onHand > 0) await moved({ type: 'receive', sku, location: 'A', quantity: onHand });
  return sku;
}

const shape = z.object({ actionId: z.string(), ordinal: z.number() });

/** Posts a movement that has to be applied. @returns its action's id. */
async function moved(body: unknown): Promise<string> {
  const reply = await client.move(body);
  expect(outcomeOf(reply)).toBe('201');
  return shape.parse(reply.body).actionId;
}

function reverse(actionId: string, sent: Sent = {}): Promise<Reply> {
  const path = `/v1/movements/${encodeURIComponent(actionId)}/reverse`;
  return client.send('POST', path, { key: freshKey(), ...sent });
}

async function levels(sku: string): Promise<unknown> {
  const { body } = await client.get(`/v1/skus/${sku}`);
  const { levels: listed } = z
    .object({ levels: z.array(z.object({ location: z.string(), onHand: z.number() })) })
    .parse(body);
  return Object.fromEntries(listed.map(({ location, onHand }) => [location, onHand]));
}

describe('a reversal', () => {
  const kinds = [
    { type: 'receive', body: { location: 'A', quantity: 4 }, opposite: 'ship' },
    { type: 'ship', body: { location: 'A', quantity: 4 }, opposite: 'receive' },
    { type: 'transfer', body: { from: 'A', to: 'B', quantity: 4 }, opposite: 'transfer' },
    { type: 'adjust', body: { location: 'A', delta: -4, reason: 'lost' }, opposite: 'adjust' },
  ];

  it.each(kinds)('of a $type is the opposite', async ({ type, body, opposite }) => {
    const sku = await newSku(10);
    const original = await moved({ type, sku, ...body });
    const undone = await reverse(original, { body: { note: 'typed wrong', reference: 'T 1' } });
    expect(undone).toMatchObject({
      status: 201,
      body: { sku, type: opposite, ordinal: 3, reverses: original, note: 'typed wrong', reference: 'T 1' }, // prettier-ignore
    });
    expect(await levels(sku)).toMatchObject({ A: 10 });
    const { items } = pageOf(await client.get(`/v1/skus/${sku}/movements`));
    expect(items[0]).toEqual(undone.body);
    expect(items[1]).not.toHaveProperty('reverses');
  });

  it('puts back every line', async () => {
    const sku = await newSku(5);
    const lines = [
      { location: 'A', quantity: 2 },
      { location: 'B', quantity: 3 },
      { location: 'A', quantity: 1 },
    ];
    const original = await moved({ type: 'receive', sku, lines });
    expect(await levels(sku)).toEqual({ A: 8, B: 3 });
    expect(outcomeOf(await reverse(original))).toBe('201');
    expect(await levels(sku)).toEqual({ A: 5, B: 0 });
  });

  it('is refused where the stock is gone or held, and done once it is back', async () => {
    const sku = await newSku();
    const original = await moved({ type: 'receive', sku, location: 'A', quantity: 5 });
    await moved({ type: 'ship', sku, location: 'A', quantity: 1 });
    const key = freshKey();
    expect(problemOf(await reverse(original, { key }))).toMatchObject({
      status: 409,
      code: 'insufficient-stock',
      location: 'A',
      available: 4,
      requested: 5,
    });
    await moved({ type: 'receive', sku, location: 'A', quantity: 1 });
    const hold = { location: 'A', quantity: 1, ttlSeconds: null };
    const path = `/v1/skus/${sku}/reservations`;
    const { body } = await client.send('POST', path, { key: freshKey(), body: hold });
    expect(outcomeOf(await reverse(original, { key }))).toBe('409 insufficient-stock');
    await client.send('DELETE', `${path}/${z.object({ id: z.string() }).parse(body).id}`);
    expect(outcomeOf(await reverse(original, { key }))).toBe('201');
    expect(await levels(sku)).toEqual({ A: 0 });
  });

  it('happens once, whoever asks for it', async () => {
    const sku = await newSku(100);
    const original = await moved({ type: 'ship', sku, location: 'A', quantity: 7 });
    const replies = await Promise.all(Array.from({ length: 10 }, () => reverse(original)));
    expect(replies.map(outcomeOf).toSorted()).toEqual([
      '201',
      ...Array<string>(9).fill('409 movement-reversed'),
    ]);
    const winner = replies.find(({ status }) => status === 201);
    const by = shape.parse(winner?.body).actionId;
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(problemOf(reply)).toMatchObject({ by });
    }
    expect(await levels(sku)).toEqual({ A: 100 });
  });

  it('happens once for one key that is sent ten times', async () => {
    const sku = await newSku(100);
    const original = await moved({ type: 'ship', sku, location: 'A', quantity: 7 });
    const key = freshKey();
    const sent = Array.from({ length: 10 }, () => reverse(original, { key }));
    const replies = await Promise.all(sent);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(9).fill(200),
      201,
    ]);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const again = await reverse(original, { key, body: {} });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(outcomeOf(await reverse(original, { key, body: { note: 'x' } }))).toBe(
      '422 idempotency-key-reused',
    );
    expect(await levels(sku)).toEqual({ A: 100 });
  });

  it('can itself be undone, once', async () => {
    const sku = await newSku(10);
    const original = await moved({ type: 'ship', sku, location: 'A', quantity: 4 });
    const undone = shape.parse((await reverse(original)).body).actionId;
    expect(outcomeOf(await reverse(undone))).toBe('201');
    expect(outcomeOf(await reverse(undone))).toBe('409 movement-reversed');
    expect(outcomeOf(await reverse(original))).toBe('409 movement-reversed');
    expect(await levels(sku)).toEqual({ A: 6 });
  });
});

describe('what cannot be undone', () => {
  it('is a movement that is not there', async () => {
    const ids = ['admin/never-sent', 'admin', 'admin/', '/x', 'No Such/x', '~expire/x', '~', 'a%b'];
    for (const id of ids) expect(outcomeOf(await reverse(id))).toBe('404 not-found');
    expect(outcomeOf(await client.send('POST', '/v1/movements/a/b/reverse'))).toBe('404 not-found');
  });

  it('is a movement that moved nothing', async () => {
    const sku = await newSku(5);
    const key = freshKey();
    const body = { location: 'A', quantity: 1, ttlSeconds: null };
    await client.send('POST', `/v1/skus/${sku}/reservations`, { key, body });
    expect(problemOf(await reverse(`admin/${key}`))).toMatchObject({
      status: 409,
      code: 'not-reversible',
      type: 'reserve',
    });
  });

  it('is anything without a key, or with more than a note and a reference', async () => {
    const sku = await newSku();
    const original = await moved({ type: 'receive', sku, location: 'A', quantity: 5 });
    const path = `/v1/movements/${encodeURIComponent(original)}/reverse`;
    expect(outcomeOf(await client.send('POST', path))).toBe('400 idempotency-key-missing');
    const send = async (body: unknown) => outcomeOf(await reverse(original, { body }));
    expect(await send({ quantity: 2 })).toBe('422 unknown-field');
    expect(await send({ note: 'x'.repeat(201) })).toBe('422 validation');
    expect(await send([])).toBe('422 validation');
    expect(await send('{')).toBe('400 malformed-json');
    expect(await levels(sku)).toEqual({ A: 5 });
  });
});
