/** Holds and movements where clocks, processes and the database misbehave, and where much is sent. */
import { BSON, MongoServerError } from 'mongodb';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../src/http/app.ts';
import { authentication } from '../../src/http/auth.ts';
import { endpoints } from '../../src/http/routes.ts';
import type { RunningHttp } from '../../src/http/server.ts';
import { startHttp } from '../../src/http/server.ts';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import type { Collections } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createSkuStore } from '../../src/store/sku-store.ts';
import { sku as skuId } from '../support/actions.ts';
import type { Client, Reply } from '../support/http-client.ts';
import { clientOf, freshKey, outcomeOf, problemOf } from '../support/http-client.ts';
import { readHistory } from '../support/http-history.ts';
import type { Keyed } from '../support/recorded-moves.ts';
import { recordMoves } from '../support/recorded-moves.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';
import { useService } from '../support/service.ts';
import {
  noCounts,
  noCycleCounts,
  noDock,
  noOrders,
  noReceiving,
  noReminders,
  noKeys,
  unlimited,
} from './stub-service.ts';

const { client, database, secret } = useService();

beforeAll(async () => {
  expect((await client.put('/v1/locations/A', { warehouse: 'W' })).status).toBe(201);
});

async function newSku(onHand = 0): Promise<string> {
  const sku = freshKey();
  expect((await client.put(`/v1/skus/${sku}`, { description: 'd' })).status).toBe(201);
  if (onHand > 0) {
    const body = { type: 'receive', sku, location: 'A', quantity: onHand };
    expect(outcomeOf(await client.move(body))).toBe('201');
  }
  return sku;
}

interface Hold {
  readonly key?: string;
  readonly quantity?: number;
  readonly ttlSeconds?: number | null;
}

function holdOf(sku: string, { key = freshKey(), quantity = 1, ttlSeconds = null }: Hold): Keyed {
  const body = { location: 'A', quantity, ttlSeconds };
  return { method: 'POST', path: `/v1/skus/${sku}/reservations`, key, body };
}

function reserve(through: Client, sku: string, hold: Hold = {}): Promise<Reply> {
  const { method, path, key, body } = holdOf(sku, hold);
  return through.send(method, path, { key, body });
}

async function definite(sent: Promise<Reply | undefined>): Promise<Reply> {
  const reply = await sent;
  if (reply === undefined) throw new Error('no answer');
  return reply;
}

const reservation = z.object({
  id: z.string(),
  state: z.string(),
  expiresAt: z.string().nullable(),
});
const view = z.object({
  totals: z.object({ onHand: z.number(), reserved: z.number(), available: z.number() }),
  asOf: z.iso.datetime(),
});

async function stock(through: Client, sku: string) {
  return view.parse((await through.get(`/v1/skus/${sku}`)).body);
}

async function stateOf(through: Client, sku: string, id: string): Promise<string> {
  const { body } = await through.get(`/v1/skus/${sku}/reservations/${id}`);
  return reservation.parse(body).state;
}

const running: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});

async function startProcess(
  options: Parameters<typeof startServiceProcess>[1] = {},
): Promise<ServiceProcess> {
  const service = await startServiceProcess(database, options);
  running.push(service);
  return service;
}

const clientTo = (service: ServiceProcess): Client => clientOf(() => service.url, adminSecret);

describe.each([-1, 1])('13: a service whose clock is off by %i h', (hours) => {
  const preload = new URL('../support/shifted-clock.ts', import.meta.url).href;
  const shifted = {
    CLOCK_SHIFT_MS: String(hours * 3_600_000),
    LOG_LEVEL: 'info',
  };

  it('shows the same times, ends a hold when the database says so, and replays', async () => {
    const sku = await newSku(5);
    const service = await startProcess({ preload, env: shifted });
    const off = clientTo(service);
    await off.get('/v1/skus');
    expect(clockOf(service) / 3_600_000).toBeCloseTo(Date.now() / 3_600_000 + hours, 1);
    const seen = Date.parse((await stock(off, sku)).asOf);
    expect(Math.abs(seen - Date.now())).toBeLessThan(60_000);
    const key = freshKey();
    const long = await reserve(off, sku, { key, quantity: 2, ttlSeconds: 300 });
    const short = await reserve(off, sku, { quantity: 3, ttlSeconds: 1 });
    const { id, expiresAt } = reservation.parse(long.body);
    expect(Math.abs(Date.parse(expiresAt ?? '') - seen - 300_000)).toBeLessThan(60_000);
    for (const through of [off, client]) expect(await stateOf(through, sku, id)).toBe('held');
    const ended = reservation.parse(short.body).id;
    while ((await stateOf(off, sku, ended)) === 'held') {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const through of [off, client]) {
      expect(await stateOf(through, sku, ended)).toBe('expired');
      expect((await stock(through, sku)).totals).toEqual({ onHand: 5, reserved: 2, available: 3 });
      const again = await reserve(through, sku, { key, quantity: 2, ttlSeconds: 300 });
      expect([again.status, again.body]).toEqual([200, long.body]);
    }
    const late = await off.send('POST', `/v1/skus/${sku}/reservations/${ended}/commit`, {
      key: freshKey(),
    });
    expect(outcomeOf(late)).toBe('409 reservation-expired');
    const commit = await off.send('POST', `/v1/skus/${sku}/reservations/${id}/commit`, {
      key: freshKey(),
    });
    expect(outcomeOf(commit)).toBe('200');
    const times = (await readHistory(client.get, sku)).map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  /** What time the process takes it to be: it says so in its log. */
  function clockOf(service: ServiceProcess): number {
    const time = /"time":(\d+)/.exec(service.log())?.[1];
    return Number(time);
  }
});

describe('30: a process that is killed in the middle of requests', () => {
  it('leaves each of them to be finished by its retry, once', async () => {
    const sku = await newSku();
    const record = recordMoves();
    const stocked = { type: 'receive', sku, location: 'A', quantity: 500 };
    const received = { sku, lines: [{ location: 'A', delta: 500 }] };
    await record.move(client, received, stocked, freshKey());
    const needs = { location: 'A', quantity: 1, of: 'available' } as const;
    const hold = (through: Client, key: string) =>
      record.send(through, holdOf(sku, { key }), { sku, lines: [], needs });
    const doomed = await startProcess();
    const keys = Array.from({ length: 250 }, freshKey);
    const sent = keys.map((key) => hold(clientTo(doomed), key));
    await Promise.race(sent);
    doomed.process.kill('SIGKILL');
    const before = await Promise.all(sent);
    expect(before).toContain(undefined);
    const next = clientTo(await startProcess());
    const after = await Promise.all(keys.map((key) => hold(next, key)));
    expect(after.filter((reply) => (reply?.status ?? 500) >= 300)).toEqual([]);
    const ids = after.map((reply) => reservation.parse(reply?.body).id);
    expect(new Set(ids).size).toBe(250);
    expect((await stock(next, sku)).totals).toEqual({ onHand: 500, reserved: 250, available: 250 });
    expect(await record.check(next, [sku])).toEqual([]);
    const { body } = await next.get(`/v1/skus/${sku}/verification`);
    expect(body).toMatchObject({ ok: true });
  });

  it('refused, restocked, and sent again with its key, it succeeds', async () => {
    const sku = await newSku();
    const key = freshKey();
    expect(outcomeOf(await reserve(client, sku, { key }))).toBe('409 insufficient-stock');
    const other = clientTo(await startProcess());
    await other.move({ type: 'receive', sku, location: 'A', quantity: 1 });
    expect(outcomeOf(await reserve(other, sku, { key }))).toBe('201');
    expect(outcomeOf(await reserve(client, sku, { key }))).toBe('200');
  });
});

describe('33: a database that answers every write with WriteConflict', () => {
  const store = openStore(database.uri, database.name);
  const writes = { conflicts: true, count: 0 };
  let http: RunningHttp | undefined;
  const through = clientOf(() => `http://127.0.0.1:${http?.address.port ?? 0}`, secret);

  /** The SKUs as they are, but for their conditional writes. */
  function conflicting(skus: Collections['skus']): Collections['skus'] {
    const refuse = (): Promise<never> => {
      writes.count += 1;
      return Promise.reject(new MongoServerError({ message: 'WriteConflict', code: 112 }));
    };
    return new Proxy(skus, {
      get: (target, name) => {
        if (name === 'findOneAndUpdate' && writes.conflicts) return refuse;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }

  beforeAll(async () => {
    const skus = createSkuStore(conflicting(collectionsOf(database.db).skus));
    const inventory = createInventory({ ...store.ports, skus, timer: processTimer }, 700);
    const readiness = { ready: () => Promise.resolve({ kind: 'ready' } as const) };
    const table = endpoints({
      apiKeys: noKeys,
      inventory,
      reminders: noReminders,
      purchaseOrders: noOrders,
      receiving: noReceiving,
      stockCounts: noCounts,
      cycleCounts: noCycleCounts,
      dock: noDock,
      readiness,
      metrics: () => Promise.resolve(''),
      requestDeadlineMs: 700,
    });
    const logger = pino({ level: 'silent' });
    const app = createApp({
      table,
      authenticate: authentication(secret, noKeys),
      logger,
      ...unlimited(),
    });
    http = await startHttp({ app, host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await http?.stop();
    await store.close();
  });

  it('is asked a bounded number of times, then the request is told to come again', async () => {
    const sku = await newSku();
    const [hold, ship] = [freshKey(), freshKey()];
    const shipment = { type: 'ship', sku, location: 'A', quantity: 5 };
    const record = recordMoves();
    const stocked = { type: 'receive', sku, location: 'A', quantity: 5 };
    const received = { sku, lines: [{ location: 'A', delta: 5 }] };
    await record.move(client, received, stocked, freshKey());
    const needs = { location: 'A', quantity: 1, of: 'available' } as const;
    const held = () => record.send(through, holdOf(sku, { key: hold }), { sku, lines: [], needs });
    const shipped = () => {
      const lines = [{ location: 'A', delta: -5 }];
      const asked = { sku, lines, needs: { ...needs, quantity: 5 } };
      return record.move(through, asked, shipment, ship);
    };
    writes.conflicts = true;
    writes.count = 0;
    for (const reply of await Promise.all([held(), shipped()].map(definite))) {
      expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    expect(writes.count).toBeGreaterThan(1);
    expect(writes.count).toBeLessThan(100);
    expect((await stock(client, sku)).totals).toEqual({ onHand: 5, reserved: 0, available: 5 });
    writes.conflicts = false;
    expect([200, 201]).toContain((await shipped())?.status);
    expect(problemOf(await definite(held())).code).toBe('insufficient-stock');
    expect((await stock(client, sku)).totals).toEqual({ onHand: 0, reserved: 0, available: 0 });
    expect(await record.check(client, [sku])).toEqual([]);
  });
});

describe('35: as much as can be sent', () => {
  const statuses = z.object({ results: z.array(z.object({ status: z.number() })) });

  async function documentBytes(sku: string): Promise<number> {
    const document = await collectionsOf(database.db).skus.findOne({ _id: skuId(sku) });
    return BSON.calculateObjectSize(document ?? {});
  }

  it('10,000 movements with the longest notes leave a document under 1 MiB', async () => {
    const sku = await newSku();
    const text = 'é'.repeat(200);
    const movement = { type: 'receive', sku, location: 'A', quantity: 1 };
    const batch = async (): Promise<readonly number[]> => {
      const items = Array.from({ length: 200 }, () => ({
        idempotencyKey: freshKey().padEnd(255, 'k'),
        ...movement,
        reference: text,
        note: text,
      }));
      // A busy machine may not be done by the deadline: then the same is sent again.
      for (;;) {
        const { results } = statuses.parse((await client.batch(items)).body);
        if (results.every(({ status }) => status < 500)) return results.map(({ status }) => status);
      }
    };
    for (let round = 0; round < 5; round += 1) {
      const sent = await Promise.all(Array.from({ length: 10 }, batch));
      expect(sent.flat().filter((status) => status >= 300)).toEqual([]);
    }
    expect((await stock(client, sku)).totals.onHand).toBe(10_000);
    expect(await documentBytes(sku)).toBeLessThan(1024 * 1024);
    expect(await readHistory(client.get, sku)).toHaveLength(10_000);
    const { body } = await client.get(`/v1/skus/${sku}/verification`);
    expect(body).toMatchObject({ ok: true });
  }, 300_000);

  it('the 1,001st hold is refused, and one released makes room for one', async () => {
    const sku = await newSku(5_000);
    const held: Reply[] = [];
    for (let round = 0; round < 20; round += 1) {
      held.push(...(await Promise.all(Array.from({ length: 50 }, () => reserve(client, sku)))));
    }
    expect(held.filter(({ status }) => status !== 201)).toEqual([]);
    expect(outcomeOf(await reserve(client, sku))).toBe('409 reservation-limit');
    expect(await documentBytes(sku)).toBeLessThan(1024 * 1024);
    const { id } = reservation.parse(held[0]?.body);
    await client.send('DELETE', `/v1/skus/${sku}/reservations/${id}`);
    expect(outcomeOf(await reserve(client, sku))).toBe('201');
    expect(outcomeOf(await reserve(client, sku))).toBe('409 reservation-limit');
  });

  it('a quantity of 2^53 is refused', async () => {
    const sku = await newSku(1);
    expect(outcomeOf(await reserve(client, sku, { quantity: 2 ** 53 }))).toBe('422 validation');
  });
});
