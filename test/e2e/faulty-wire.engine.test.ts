/**
 * Faults of the network between service and database, each under the load of callers who send again
 * until they are answered. Each has a service and a wire of its own, on one database; all run at once,
 * since most of their time goes by in waiting for what never comes.
 */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/service.ts';
import { startService } from '../../src/service.ts';
import { useDatabase } from '../support/database.ts';
import type { Fault, FaultyWire } from '../support/faulty-wire.ts';
import { startFaultyWire } from '../support/faulty-wire.ts';
import type { Client } from '../support/http-client.ts';
import { clientOf, problemOf } from '../support/http-client.ts';
import { startPersistentLoad } from '../support/persistent-load.ts';
import { recordMoves } from '../support/recorded-moves.ts';
import { testSettings } from '../support/service.ts';

const database = useDatabase();
const secret = randomUUID();
const ends: (() => Promise<void>)[] = [];

afterAll(async () => {
  await Promise.all(ends.map((end) => end()));
});

interface Site {
  readonly wire: FaultyWire;
  readonly client: Client;
}

/** A service that reaches the database over a wire of its own. */
async function newSite(requestDeadlineMs: number): Promise<Site> {
  const wire = await startFaultyWire(database.uri);
  const settings = testSettings({ uri: wire.uri, name: database.name });
  const service: Service = await startService(
    { ...settings, adminApiKey: secret, requestDeadlineMs },
    pino({ level: 'silent' }),
  );
  ends.push(async () => {
    wire.mend();
    await service.stop();
    await wire.stop();
  });
  await service.prepared;
  return { wire, client: clientOf(() => service.url, secret) };
}

const clients = 8;
const requestDeadlineMs = 1_500;
const between = 40;

const faults: readonly (readonly [name: string, fault: Fault])[] = [
  ['is cut', { kind: 'cut' }],
  ['is reset', { kind: 'reset' }],
  ['holds requests back until it is mended', { kind: 'held', direction: 'requests' }],
  ['holds answers back until it is mended', { kind: 'held', direction: 'answers' }],
  ['loses requests', { kind: 'lost', direction: 'requests' }],
  ['loses answers', { kind: 'lost', direction: 'answers' }],
  ['breaks in the middle of each answer', { kind: 'cut-off', afterBytes: 40 }],
  ['breaks in the middle of a later answer', { kind: 'cut-off', afterBytes: 3_000 }],
  ['is open at one end only', { kind: 'half-open' }],
  ['is slow', { kind: 'slow', milliseconds: 50 }],
];

describe.concurrent('a wire to the database that', () => {
  it.for(faults)('%s costs no movement and makes none', async ([name, fault], { expect }) => {
    const { wire, client } = await newSite(requestDeadlineMs);
    const skus = [`${name}: 0`, `${name}: 1`];
    const load = await startPersistentLoad(() => client, { clients, skus });
    await load.reaches(between);
    await wire.impose(fault);
    await load.tries(2 * clients);
    wire.mend();
    await load.reaches(load.answered() + between);
    await load.end();
    expect(load.inexcusable()).toEqual([]);
    expect(await load.check()).toEqual([]);
  });
});

describe('a database that takes two seconds for an answer', () => {
  it('is not waited for past the deadline, and nothing is lost', async () => {
    const { wire, client } = await newSite(1_000);
    const sku = 'SLOW';
    await client.put('/v1/locations/A1', { warehouse: 'W1' });
    await client.put(`/v1/skus/${sku}`, { description: sku });
    const record = recordMoves();
    const asked = { sku, lines: [{ location: 'A1', delta: 1 }] };
    const request = { type: 'receive', sku, location: 'A1', quantity: 1 };
    const keys = Array.from({ length: 16 }, () => randomUUID());
    const sendAll = () => Promise.all(keys.map((key) => record.move(client, asked, request, key)));

    const struck = wire.impose({ kind: 'slow', milliseconds: 2_000 });
    const before = wire.delivered();
    const late = await sendAll();
    await struck;
    // By the deadline, and not because the database has said something after all.
    expect(wire.delivered()).toBe(before);
    for (const reply of late) {
      if (reply === undefined) throw new Error('no answer');
      expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await sendAll();
    wire.mend();
    while ((await sendAll()).some((reply) => (reply?.status ?? 503) >= 500));
    expect(await record.check(client, [sku])).toEqual([]);
  });

  it('is not waited for by places, orders, receipts and counts either', async () => {
    const { wire, client } = await newSite(1_000);
    const number = 'SLOW-ORDER';
    const order = { number, supplier: 'ACME', lines: [{ line: 1, sku: 'SLOW-2', ordered: 9 }] };
    const post = (path: string, body: object) =>
      client.send('POST', path, { key: randomUUID(), body });
    await client.put('/v1/locations/A1', { warehouse: 'W1' });
    await client.put('/v1/skus/SLOW-2', { description: 'd' });
    expect((await post('/v1/purchase-orders', order)).status).toBe(201);

    const struck = wire.impose({ kind: 'slow', milliseconds: 4_000 });
    const before = wire.delivered();
    const late = await Promise.all([
      client.put('/v1/locations/A2', { warehouse: 'W1' }),
      post('/v1/purchase-orders', { ...order, number: 'SLOW-TOO' }),
      post(`/v1/purchase-orders/${number}/receipts`, {
        lines: [{ line: 1, location: 'A1', quantity: 1 }],
      }),
      post('/v1/stock-counts', { locations: ['A1'], skus: ['SLOW-2'] }),
    ]);
    await struck;
    expect(wire.delivered()).toBe(before);
    for (const reply of late) {
      expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' });
    }
  });
});
