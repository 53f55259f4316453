/** The webhook is told which holds have lapsed: standing or pruned, once, and no others. */
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Change } from '../../src/domain/action.ts';
import type { Instant } from '../../src/domain/ids.ts';
import type { ReservationId } from '../../src/domain/reservation.ts';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import type { LapsedHoldParts, LapsedHolds } from '../../src/inventory/lapsed-holds.ts';
import { createLapsedHolds } from '../../src/inventory/lapsed-holds.ts';
import type { Delivered, Delivery } from '../../src/inventory/reminder-delivery.ts';
import type { Alarm } from '../../src/inventory/reminders.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import { webhookDeliverer } from '../../src/inventory/webhook.ts';
import { startService } from '../../src/service.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import type { Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import {
  action,
  actor,
  definition,
  instant,
  location as locationAt,
  place,
  quantity,
  receive,
  reservationId,
  reserve,
  ship,
  sku,
} from '../support/actions.ts';
import { useDatabase } from '../support/database.ts';
import { plantSku, receipts } from '../support/planted.ts';
import { receiver as receiverNamed, reminderId } from '../support/reminders.ts';
import { testSettings } from '../support/service.ts';
import { done } from '../support/stockroom.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';
import { startWebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts';

const minuteMs = 60_000;
const silent = pino({ level: 'silent' });
const told = z.object({ holds: z.array(z.object({ id: z.string(), sku: z.string() })) });

describe('the round of lapsed holds', () => {
  const database = useDatabase();
  const { skus, movements, reminders } = collectionsOf(database.db);
  let store: Store | undefined;
  let receiver: WebhookReceiver | undefined;
  let status = 200;
  /** What the next round is set with. */
  const armed: Alarm[] = [];
  const now = Date.now();
  const ago = (minutes: number): Instant => instant(now - minutes * minuteMs);

  beforeAll(async () => {
    store = openStore(database.uri, database.name);
    await store.prepare();
    receiver = await startWebhookReceiver((_, response) => {
      response.statusCode = status;
      response.end();
    });
  });
  afterAll(async () => {
    await store?.close();
    await receiver?.stop();
  });
  afterEach(async () => {
    status = 200;
    armed.length = 0;
    await skus.deleteMany({});
    await movements.deleteMany({});
    await reminders.deleteMany({});
  });

  function rounds(parts: Partial<LapsedHoldParts> = {}): LapsedHolds {
    if (store === undefined || receiver === undefined) return expect.fail('not set up');
    const { url } = receiver;
    return createLapsedHolds({
      reminders: {
        arm: (alarm) => {
          armed.push(alarm);
          return Promise.resolve({ kind: 'recorded' });
        },
      },
      store: store.reminders,
      readStanding: store.readLapsedHolds,
      ledger: store.ports.ledger,
      settledThrough: () => Promise.resolve({ kind: 'found', value: ago(0) }),
      webhook: webhookDeliverer({ url, secret: webhookSecret }),
      ...parts,
    });
  }

  /** A round that is due now, after one that had come to an hour ago. */
  function due(payload?: string): Delivery {
    const cursor = { before: ago(120), covered: ago(60), readAt: ago(59) };
    return {
      deliveryId: '8c4f3f4e-0c1b-4a53-9d5b-6a3c1f2be6a7',
      id: reminderId('~holds/lapsed'),
      actor,
      name: 'lapsed',
      dueAt: ago(0),
      attempt: 1,
      payload: payload ?? JSON.stringify(cursor),
      sentAt: ago(0),
    };
  }

  const run = (holds: LapsedHolds, delivery = due()): Promise<Delivered> =>
    holds.deliver(delivery, new AbortController().signal);

  function tellings(): readonly { readonly id: string; readonly holds: readonly string[] }[] {
    return (receiver?.received ?? []).map(({ headers, body }) => ({
      id: String(headers['delivery-id']),
      holds: told.parse(body.payload).holds.map(({ id }) => id.replaceAll('-', '')),
    }));
  }

  /** A SKU with a hold that stands in its document and ends at an instant. */
  async function standing(name: string, expiresAt: Instant | null): Promise<void> {
    await plantSku(database.db, name, receipts(2));
    const { digest } = action(ship('A1', 1));
    const hold = {
      id: reservationId(name),
      location: place('A'),
      quantity: quantity(1),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      changedAt: 1,
      digest,
    };
    await skus.updateOne({ _id: sku(name) }, { $set: { reservations: [hold] } });
  }

  async function holdOf(name: string) {
    const found = await skus.findOne({ _id: sku(name) });
    return found?.reservations[0] ?? expect.fail('a hold stands there');
  }

  /** A hold that lapsed at one instant and was pruned at another. */
  async function pruned(name: string, expiresAt: Instant, at: Instant): Promise<void> {
    await plantSku(database.db, name, receipts(1));
    await database.db
      .collection<{ _id: unknown; [member: string]: unknown }>('movements')
      .insertOne({
        _id: { sku: name, ordinal: 2 },
        actionId: `~expire/${reservationId(name)}`,
        type: 'expire',
        lines: [],
        actor: '~stockroom',
        at: new Date(at),
        reservation: {
          id: reservationId(name),
          location: 'A',
          quantity: 1,
          expiresAt: new Date(expiresAt),
          state: 'expired',
        },
      });
  }

  const since = (count: number) =>
    tellings()
      .slice(count)
      .flatMap(({ holds }) => holds);
  const named = (...names: readonly string[]) =>
    names.map((name) => String(reservationId(name)).replaceAll('-', ''));

  it('tells of those that stand and of those that were pruned, in the order of their ends', async () => {
    const before = tellings().length;
    await standing('lapsed', ago(10));
    await pruned('pruned', ago(20), ago(15));
    await standing('alive', instant(now + minuteMs));
    await standing('endless', null);
    await standing('longago', ago(90));
    // A hold that lives beside one that has lapsed.
    const beside = {
      ...(await holdOf('lapsed')),
      id: reservationId('beside'),
      expiresAt: new Date(now + minuteMs),
    };
    await skus.updateOne({ _id: sku('lapsed') }, { $push: { reservations: beside } });
    expect(await run(rounds())).toEqual({ kind: 'done' });
    expect(since(before)).toEqual(named('pruned', 'lapsed'));
    expect(armed).toMatchObject([{ name: 'lapsed', due: { afterMilliseconds: 60_000 } }]);
  });

  it('tells of what was pruned between two rounds only where the one before has not seen it', async () => {
    const before = tellings().length;
    // Both lapsed in the range of the round before, which read the documents 59 minutes ago.
    await pruned('unseen', ago(61), ago(59.5));
    await pruned('seen', ago(61), ago(30));
    await pruned('older', ago(130), ago(30));
    await run(rounds());
    expect(since(before)).toEqual(named('unseen'));
  });

  it('comes again with the same id while the webhook refuses, and goes on only then', async () => {
    const before = tellings().length;
    await standing('refused', ago(10));
    status = 500;
    expect((await run(rounds())).kind).toBe('failed');
    expect(armed).toEqual([]);
    status = 200;
    expect((await run(rounds())).kind).toBe('done');
    const [first, second] = tellings().slice(before);
    expect(first).toEqual(second);
    const next = armed[0]?.payload ?? expect.fail('the next round is set');
    expect((await run(rounds(), { ...due(next), dueAt: instant(now + minuteMs) })).kind).toBe(
      'done',
    );
    expect(tellings()).toHaveLength(before + 2);
  });

  it('tells in the next round of what was pruned while this one was reading', async () => {
    const before = tellings().length;
    await pruned('between', ago(10), ago(0));
    // It stood when the documents were about to be read, and is in the ledger beyond this range.
    await run(rounds({ readStanding: () => Promise.resolve({ kind: 'found', value: [] }) }));
    expect(since(before)).toEqual([]);
    const next = armed[0]?.payload ?? expect.fail('the next round is set');
    await run(rounds(), { ...due(next), dueAt: instant(now + minuteMs) });
    expect(since(before)).toEqual(named('between'));
  });

  const payloadOfNext = (): string => armed.at(-1)?.payload ?? expect.fail('the next is set');

  /** A SKU with so many holds that lapsed, one a millisecond. */
  async function standingMany(count: number): Promise<void> {
    await plantSku(database.db, 'many', receipts(1));
    const { digest } = action(ship('A1', 1));
    const holds = Array.from({ length: count }, (_, n) => ({
      id: reservationId(`m${n}`),
      location: place('A'),
      quantity: quantity(1),
      expiresAt: new Date(ago(30) + n),
      changedAt: 1,
      digest,
    }));
    await skus.updateOne({ _id: sku('many') }, { $set: { reservations: holds } });
  }

  it('tells of many in parts, and goes on at once with the next part', async () => {
    const before = tellings().length;
    await standingMany(900);
    await run(rounds());
    expect(armed.at(-1)?.due).toEqual({ afterMilliseconds: 0 });
    await run(rounds(), { ...due(payloadOfNext()), dueAt: instant(now + minuteMs) });
    const parts = tellings().slice(before);
    expect(parts.map((part) => part.holds.length)).toEqual([500, 400]);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(2);
    expect(new Set(parts.flatMap((part) => part.holds)).size).toBe(900);
    // The round has ended where its first part said, not where the last one was due.
    const { covered } = JSON.parse(payloadOfNext()) as { readonly covered: number };
    expect(covered).toBe(ago(0) - 15_000);
    expect(armed.at(-1)?.due).toEqual({ afterMilliseconds: minuteMs });
  });

  it('sends again only the part that the webhook refused', async () => {
    const before = tellings().length;
    await standingMany(600);
    await run(rounds());
    const rest = { ...due(payloadOfNext()), dueAt: instant(now + minuteMs) };
    status = 500;
    expect((await run(rounds(), rest)).kind).toBe('failed');
    status = 200;
    expect((await run(rounds(), rest)).kind).toBe('done');
    const parts = tellings().slice(before);
    expect(parts.map((part) => part.holds.length)).toEqual([500, 100, 100]);
    expect(parts[1]).toEqual(parts[2]);
  });

  it('tells in the next round of what was pruned untold between two parts', async () => {
    const before = tellings().length;
    await standingMany(501);
    await run(rounds());
    const rest = payloadOfNext();
    await skus.deleteMany({});
    // Pruned after the end of the round's range, and before its second part has read.
    await pruned('m500', instant(ago(30) + 500), ago(0));
    await run(rounds(), { ...due(rest), dueAt: ago(0) });
    expect(since(before)).toHaveLength(500);
    await run(rounds(), { ...due(payloadOfNext()), dueAt: instant(now + minuteMs) });
    expect(since(before).slice(500)).toEqual(named('m500'));
  });

  it('says another id where a part that comes again tells of other holds', async () => {
    const before = tellings().length;
    await standingMany(2);
    await run(rounds());
    await skus.updateOne(
      { _id: sku('many') },
      { $pull: { reservations: { id: reservationId('m1') } } },
    );
    await run(rounds());
    const ids = tellings().slice(before);
    expect(ids.map((part) => part.holds.length)).toEqual([2, 1]);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  });

  it('never tells of a hold that was committed, released or prolonged in time', async () => {
    const before = tellings().length;
    if (store === undefined) return expect.fail('not set up');
    const inventory = createInventory({ ...store.ports, timer: processTimer }, 8_000);
    const { location, ...rest } = locationAt('A1');
    const { actionId } = action(ship('A1', 1));
    await store.ports.locations.create(location, rest, actionId);
    await inventory.post(action({ type: 'define', definition }, { id: 'HELD' }));
    await done(inventory, action(receive('A1', 10), { id: 'HELD' }));
    const hold = async (): Promise<ReservationId> => {
      const { movement } = await done(inventory, action(reserve('A1', 1, 30), { id: 'HELD' }));
      return movement.reservation?.id ?? expect.fail('it is held');
    };
    const [left, committed, released, prolonged] = [
      await hold(),
      await hold(),
      await hold(),
      await hold(),
    ];
    const post = (change: Change) => done(inventory, action(change, { id: 'HELD' }));
    await post({ type: 'commit', reservation: committed });
    await post({ type: 'release', reservation: released });
    const { seconds } = reserve('A1', 1, 3_600);
    await post({ type: 'change', reservation: prolonged, seconds });
    await run(rounds(), { ...due(), dueAt: instant(Date.now() + 2 * minuteMs) });
    expect(since(before)).toEqual([String(left).replaceAll('-', '')]);
    await inventory.idle();
  });

  it('is told by a running service, which leaves the alarm standing for the next', async () => {
    if (store === undefined || receiver === undefined) return expect.fail('not set up');
    await standing('wired', ago(10));
    const { payload = '' } = due();
    await store.reminders.arm({
      id: reminderId('~holds/lapsed'),
      armedBy: 'a service before',
      receiver: receiverNamed('~holds'),
      due: { at: ago(1) },
      missed: 'latest',
      payload,
    });
    const webhook = { url: receiver.url, secret: webhookSecret };
    const service = await startService({ ...testSettings(database), webhook }, silent);
    try {
      await receiver.until(({ body }) => JSON.stringify(body.payload ?? '').includes('"wired"'));
      const next = () => database.db.collection('reminders').findOne({ receiver: '~holds' });
      await expect.poll(async () => (await next())?.['payload'] !== payload).toBe(true);
      expect(await next()).toMatchObject({ state: 'armed', attempts: 0 });
    } finally {
      await service.stop();
    }
  });

  describe('is set by a start', () => {
    const id = reminderId('~holds/lapsed');

    it('where none stands: from now on', async () => {
      await rounds().arm();
      const { covered } = JSON.parse(payloadOfNext()) as { readonly covered: number };
      expect(Math.abs(covered - Date.now())).toBeLessThan(minuteMs);
    });

    it.each(['armed', 'suspended'] as const)('where one is %s: as it should', async (state) => {
      const payload = JSON.stringify({ before: ago(9), covered: ago(8), readAt: ago(7) });
      const reminder = {
        id,
        armedBy: 'a start before',
        receiver: receiverNamed('~holds'),
        missed: 'latest',
        payload,
        firstDueAt: ago(7),
        dueAt: ago(7),
        attempts: 0,
        state,
      } as const;
      const find: LapsedHoldParts['store']['find'] = () =>
        Promise.resolve({ kind: 'found', value: { reminder, now: ago(0) } });
      await rounds({ store: { find, clock: () => expect.fail('it begins anew') } }).arm();
      // One that stands is left alone; one that had given up goes on from where it had come.
      expect(armed.map((alarm) => alarm.payload)).toEqual(state === 'armed' ? [] : [payload]);
    });
  });
});
