/** The webhook is told which holds have lapsed: standing or pruned, once, and no others. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Instant } from '../../src/domain/ids.ts';
import type { LapsedHoldParts, LapsedHolds } from '../../src/inventory/lapsed-holds.ts';
import { createLapsedHolds } from '../../src/inventory/lapsed-holds.ts';
import type { Delivered, Delivery } from '../../src/inventory/reminder-delivery.ts';
import type { Alarm } from '../../src/inventory/reminders.ts';
import { webhookDeliverer } from '../../src/inventory/webhook.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import type { Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import {
  action,
  actor,
  instant,
  place,
  quantity,
  reservationId,
  ship,
  sku,
} from '../support/actions.ts';
import { useDatabase } from '../support/database.ts';
import { plantSku, receipts } from '../support/planted.ts';
import { reminderId } from '../support/reminders.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';
import { startWebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts';

const minuteMs = 60_000;
const told = z.object({ holds: z.array(z.object({ id: z.string(), sku: z.string() })) });

describe('the round of lapsed holds', () => {
  const database = useDatabase();
  const { skus, movements } = collectionsOf(database.db);
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

  it('drains many in parts, each under an id of its own', async () => {
    const before = tellings().length;
    await plantSku(database.db, 'many', receipts(1));
    const { digest } = action(ship('A1', 1));
    const holds = Array.from({ length: 900 }, (_, n) => ({
      id: reservationId(`m${n}`),
      location: place('A'),
      quantity: quantity(1),
      expiresAt: new Date(ago(30) + n),
      changedAt: 1,
      digest,
    }));
    await skus.updateOne({ _id: sku('many') }, { $set: { reservations: holds } });
    await run(rounds());
    const parts = tellings().slice(before);
    expect(parts.map((part) => part.holds.length)).toEqual([500, 400]);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(2);
    expect(new Set(parts.flatMap((part) => part.holds)).size).toBe(900);
    // The round comes again after one of the first part was pruned: other holds, other ids.
    await skus.updateOne(
      { _id: sku('many') },
      { $pull: { reservations: { id: reservationId('m5') } } },
    );
    await run(rounds());
    const again = tellings().slice(before + 2);
    expect(again.map((part) => part.holds.length)).toEqual([500, 399]);
    expect(new Set([...parts, ...again].map(({ id }) => id)).size).toBe(4);
  });
});
