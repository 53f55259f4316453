/** Case 46 and the rest of what reminders promise, on the real engine, by several processes. */
import { describe, expect, it } from 'vitest';
import type { Unknown } from '../../src/inventory/ports.ts';
import type { Deliver, Delivered, Delivery } from '../../src/inventory/reminder-delivery.ts';
import type { ReminderStore } from '../../src/inventory/reminder-ports.ts';
import { instant } from '../support/actions.ts';
import { done, receiver, reminderId, useReminders } from '../support/reminders.ts';
import { gate } from '../http/gate.ts';

const room = useReminders();

const failed: Delivered = { kind: 'failed', cause: 'it said no' };
const obey: Deliver = () => Promise.resolve(done);

/** Resolves with the delivery that comes first. */
function firstOf(receive: Deliver): {
  readonly receive: Deliver;
  readonly delivery: Promise<Delivery>;
} {
  let seen: (delivery: Delivery) => void = () => undefined;
  const delivery = new Promise<Delivery>((resolve) => {
    seen = resolve;
  });
  return {
    receive: (one, signal) => {
      seen(one);
      return receive(one, signal);
    },
    delivery,
  };
}

const gone = (found: unknown) => found === undefined;

describe('a reminder', () => {
  it('is delivered when it is due, once, and is gone then', async () => {
    const id = await room.arm('once:1', { payload: '{"of":[1,{"$x":null}]}' });
    const clerk = room.clerk(obey);
    await room.until(id, gone);
    expect(clerk.deliveries).toHaveLength(1);
    expect(clerk.deliveries[0]).toMatchObject({
      id,
      actor: '~test',
      name: 'once',
      key: '1',
      attempt: 1,
      payload: '{"of":[1,{"$x":null}]}',
    });
    await clerk.stop();
  });

  it('is one of its name: moved, the last setting wins, however many set it at once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(
      names.map((index) => room.arm('moved', { due: { afterMilliseconds: 60_000 + index } })),
    );
    const id = await room.arm('moved', { due: { afterMilliseconds: 120_000 }, payload: '"last"' });
    expect(await room.reminders.countDocuments({ _id: id })).toBe(1);
    const found = await room.look(id);
    expect(found?.reminder.payload).toBe('"last"');
    expect((found?.reminder.dueAt ?? 0) - (found?.now ?? 0)).toBeGreaterThan(100_000);
  });

  it('is not delivered any more where it was called off, or moved before its time', async () => {
    const off = await room.arm('off', { due: { afterMilliseconds: 150 } });
    const later = await room.arm('later', { due: { afterMilliseconds: 150 } });
    const clerk = room.clerk(obey);
    expect(await room.store().disarm(off)).toEqual({ kind: 'found', value: true });
    expect(await room.store().disarm(off)).toEqual({ kind: 'found', value: false });
    await room.arm('later', { due: { afterMilliseconds: 600_000 } });
    const sign = await room.arm('sign', { due: { afterMilliseconds: 300 } });
    await room.until(sign, gone);
    expect(clerk.deliveries.map(({ name }) => name)).toEqual(['sign']);
    expect(await room.look(later)).toBeDefined();
    await clerk.stop();
  });

  it('is never early, whatever the clock of the process shows', async () => {
    const setAt = await room.now();
    const id = await room.arm('punctual', { due: { afterMilliseconds: 400 } });
    const dueAt = (await room.look(id))?.reminder.dueAt ?? 0;
    expect(dueAt).toBeGreaterThanOrEqual(setAt + 400);
    const began: number[] = [];
    const { receive, delivery } = firstOf(async () => {
      began.push(await room.now());
      return done;
    });
    // Told that it is an hour later, it asks for what is due by then, and gets nothing early.
    const store: ReminderStore = {
      ...room.store(),
      clock: async () => {
        const read = await room.store().clock();
        return read.kind === 'found' ? { ...read, value: instant(read.value + 3_600_000) } : read;
      },
    };
    const clerk = room.clerk(receive, { store });
    await delivery;
    await room.until(id, gone);
    expect(began[0]).toBeGreaterThanOrEqual(dueAt);
    await clerk.stop();
  });

  it('may be due in 60 days: no timer is set for it', async () => {
    const sixtyDays = 60 * 24 * 60 * 60_000;
    const id = await room.arm('far', { due: { afterMilliseconds: sixtyDays } });
    const clerk = room.clerk(obey);
    const sign = await room.arm('near');
    await room.until(sign, gone);
    expect(clerk.deliveries.map(({ name }) => name)).toEqual(['near']);
    const found = await room.look(id);
    expect((found?.reminder.dueAt ?? 0) - (found?.now ?? 0)).toBeGreaterThan(sixtyDays - 60_000);
    await clerk.stop();
  });

  it('set again by the same action stays as it is', async () => {
    const setting = { armedBy: 'the same', due: { afterMilliseconds: 60_000 } };
    const id = await room.arm('same', setting);
    const first = await room.look(id);
    await room.arm('same', { ...setting, due: { afterMilliseconds: 90_000 } });
    expect((await room.look(id))?.reminder).toEqual(first?.reminder);
  });

  it('for a receiver that no process has stays due', async () => {
    const id = await room.arm('nobody', { receiver: receiver('~nobody') });
    const clerk = room.clerk(obey);
    await room.until(await room.arm('somebody'), gone);
    expect(clerk.deliveries.map(({ name }) => name)).toEqual(['somebody']);
    expect((await room.look(id))?.reminder.attempts).toBe(0);
    await clerk.stop();
    const other = room.clerk(obey, { receivers: ['~nobody'] });
    await room.until(id, gone);
    await other.stop();
  });
});

describe('two processes', () => {
  it('deliver 500 due reminders, each once', async () => {
    const ids = await room.armMany('both', 500);
    const clerks = [room.clerk(obey), room.clerk(obey)];
    await room.allGone(ids);
    const delivered = clerks.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    expect(delivered.toSorted()).toEqual(ids.toSorted());
    await Promise.all(clerks.map((clerk) => clerk.stop()));
  });

  it('hand over what one of them took and did not live to deliver, under the same id', async () => {
    const id = await room.arm('handed', { recurring: { every: 'PT1M' } });
    // The first process has lost the database by the time it delivers.
    const settings = { leaseMilliseconds: 300 };
    let isDead = false;
    const whileAlive =
      <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R | Unknown> =>
        isDead ? Promise.resolve(lost) : call(...args);
    const store = room.store();
    const dead: ReminderStore = {
      ...store,
      clock: whileAlive(store.clock),
      due: whileAlive(store.due),
      take: whileAlive(store.take),
      renew: whileAlive(store.renew),
      settle: whileAlive(store.settle),
    };
    const first = firstOf(() => {
      isDead = true;
      return Promise.resolve(done);
    });
    const one = room.clerk(first.receive, { store: dead, settings });
    const begun = await first.delivery;
    const second = firstOf(obey);
    const other = room.clerk(second.receive, { settings });
    const again = await second.delivery;
    expect(again.deliveryId).toBe(begun.deliveryId);
    expect(again.dueAt).toBe(begun.dueAt);
    const found = await room.until(id, (look) => (look?.reminder.dueAt ?? 0) > begun.dueAt);
    expect(found?.reminder.dueAt).toBe(begun.dueAt + 60_000);
    await other.stop();
    await one.stop();
  });

  it('leave a slow delivery to the one that renews its lease', async () => {
    const id = await room.arm('slow');
    const settings = { leaseMilliseconds: 900 };
    const held = gate();
    const first = firstOf(async ({ name }) => {
      if (name === 'slow') await held.opened;
      return done;
    });
    const one = room.clerk(first.receive, { settings });
    await first.delivery;
    const other = room.clerk(obey, { settings });
    // More than two leases later.
    await room.until(await room.arm('sign', { due: { afterMilliseconds: 2_000 } }), gone);
    held.open();
    await room.until(id, gone);
    const slow = [...one.deliveries, ...other.deliveries].filter(({ name }) => name === 'slow');
    expect(slow).toHaveLength(1);
    await Promise.all([one.stop(), other.stop()]);
  });
});

describe('a lease', () => {
  it('that was lost changes nothing: the reminder was moved while it was delivered', async () => {
    const id = await room.arm('fenced');
    const held = gate();
    const first = firstOf(async () => {
      await held.opened;
      return done;
    });
    const clerk = room.clerk(first.receive);
    await first.delivery;
    await room.arm('fenced', { due: { afterMilliseconds: 60_000 }, payload: '"new"' });
    held.open();
    await clerk.stop();
    expect((await room.look(id))?.reminder.payload).toBe('"new"');
  });

  it('that cannot be renewed cuts its delivery off before anybody else delivers', async () => {
    await room.arm('cut');
    const settings = { leaseMilliseconds: 300 };
    const order: string[] = [];
    const store = room.store();
    let takes = 0;
    const unrenewed: ReminderStore = {
      ...store,
      renew: () => Promise.resolve(lost),
      take: (query) => {
        takes += 1;
        return takes === 1 ? store.take(query) : Promise.resolve(lost);
      },
    };
    const first = firstOf(
      (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            order.push('cut off');
            resolve(failed);
          });
        }),
    );
    const one = room.clerk(first.receive, { store: unrenewed, settings });
    await first.delivery;
    const second = firstOf(() => {
      order.push('delivered');
      return Promise.resolve(done);
    });
    const other = room.clerk(second.receive, { settings });
    await second.delivery;
    expect(order).toEqual(['cut off', 'delivered']);
    await Promise.all([one.stop(), other.stop()]);
  });
});

describe('a stop', () => {
  it('waits for what is under way and gives back the rest', async () => {
    const ids = await room.armMany('stopped', 10);
    const held = gate();
    const first = firstOf(async () => {
      await held.opened;
      return done;
    });
    const clerk = room.clerk(first.receive, { settings: { concurrency: 3 } });
    await first.delivery;
    const stopped = clerk.stop();
    held.open();
    await stopped;
    expect(clerk.deliveries).toHaveLength(3);
    const left = await room.reminders.find({ _id: { $in: ids } }).toArray();
    expect(left).toHaveLength(7);
    expect(left.every(({ lease }) => lease === undefined)).toBe(true);
    const other = room.clerk(obey);
    await room.allGone(ids);
    expect(other.deliveries).toHaveLength(7);
    await other.stop();
  });

  it('cuts off what does not end, and another process delivers it under the same id', async () => {
    const id = await room.arm('stubborn');
    const first = firstOf(
      (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve(failed);
          });
        }),
    );
    const clerk = room.clerk(first.receive, { settings: { stopWithinMilliseconds: 50 } });
    await first.delivery;
    await clerk.stop();
    expect((await room.look(id))?.reminder.attempts).toBe(0);
    const other = room.clerk(obey);
    await room.until(id, gone);
    expect(other.deliveries[0]?.deliveryId).toBe(clerk.deliveries[0]?.deliveryId);
    await other.stop();
  });
});

describe('a failing receiver', () => {
  it('is tried ten times under one id, then the reminder is suspended until it is resumed', async () => {
    const id = await room.arm('failing');
    let answer: Delivered = failed;
    const clerk = room.clerk(() => Promise.resolve(answer));
    const suspended = await room.until(id, (look) => look?.reminder.state === 'suspended');
    expect(suspended?.reminder).toMatchObject({ attempts: 10, lastFailure: 'it said no' });
    expect(clerk.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(clerk.deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(clerk.events.filter(({ kind }) => kind === 'reminder-suspended')).toHaveLength(1);
    expect(await room.store().countSuspended()).toEqual({ kind: 'found', value: 1 });
    const listed = await room.store().list({ state: 'suspended', limit: 10 });
    expect(listed.kind === 'found' && listed.value.map(({ reminder }) => reminder.id)).toEqual([
      id,
    ]);

    // Nothing resumes it by itself.
    await room.until(await room.arm('sign', { due: { afterMilliseconds: 100 } }), (look) => {
      return look?.reminder.state === 'suspended';
    });
    expect(clerk.deliveries.filter(({ name }) => name === 'failing')).toHaveLength(10);

    answer = done;
    await room.store().resume(id);
    await room.until(id, gone);
    expect(clerk.deliveries.at(-1)?.deliveryId).toBe(clerk.deliveries[0]?.deliveryId);
    expect(await room.store().resume(id)).toEqual({ kind: 'missing' });
    await room.store().resume(reminderId('~test/sign'));
    await room.until(reminderId('~test/sign'), gone);
    await clerk.stop();
  });

  it('that throws has failed', async () => {
    const id = await room.arm('throwing');
    let tries = 0;
    const clerk = room.clerk(() => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error('a defect')) : Promise.resolve(done);
    });
    await room.until(id, gone);
    expect(clerk.events).toMatchObject([{ kind: 'reminder-failed', cause: 'a defect' }]);
    await clerk.stop();
  });

  it('does not hold up the others', async () => {
    const stuck = gate();
    await room.armMany('stuck', 200, { receiver: receiver('~stuck') });
    const clerk = room.clerk(
      async ({ name }) => {
        if (name === 'stuck') await stuck.opened;
        return done;
      },
      { receivers: ['~stuck', '~test'], settings: { concurrency: 4 } },
    );
    await room.until(await room.arm('quick'), gone);
    stuck.open();
    await clerk.stop();
  });
});

const lost: Unknown = { kind: 'unknown', cause: 'the answer was lost' };

describe('lost answers', () => {
  it.each(['clock', 'due', 'take', 'renew', 'settle'] as const)(
    'of %s lose nothing: everything is delivered, under one id an occurrence',
    async (name) => {
      const ids = await room.armMany(`lossy-${name}`, 20);
      let calls = 0;
      const fates = ['answer', 'request', 'none'] as const;
      const lossy: ReminderStore = losing(
        room.store(),
        name,
        () => fates[(calls += 1) % 3] ?? 'none',
      );
      const settings = { leaseMilliseconds: 200, concurrency: 4 };
      const clerk = room.clerk(
        async () => {
          if (name === 'renew') await new Promise((resolve) => setTimeout(resolve, 150));
          return done;
        },
        { store: lossy, settings },
      );
      await room.allGone(ids);
      const byName = new Map<string, Set<string>>();
      for (const { id, deliveryId } of clerk.deliveries) {
        byName.set(id, (byName.get(id) ?? new Set()).add(deliveryId));
      }
      expect(byName.size).toBe(20);
      expect(Array.from(byName.values(), ({ size }) => size)).toEqual(Array(20).fill(1));
      expect(calls).toBeGreaterThan(0);
      await clerk.stop();
    },
  );
});

/** Loses requests or answers of one call, as the fate says. */
function losing(
  store: ReminderStore,
  name: 'clock' | 'due' | 'take' | 'renew' | 'settle',
  fate: () => 'request' | 'answer' | 'none',
): ReminderStore {
  function lossy<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) {
    return async (...args: A): Promise<R | Unknown> => {
      const what = fate();
      if (what === 'request') return lost;
      const result = await call(...args);
      return what === 'answer' ? lost : result;
    };
  }
  switch (name) {
    case 'clock':
      return { ...store, clock: lossy(store.clock) };
    case 'due':
      return { ...store, due: lossy(store.due) };
    case 'take':
      return { ...store, take: lossy(store.take) };
    case 'renew':
      return { ...store, renew: lossy(store.renew) };
    case 'settle':
      return { ...store, settle: lossy(store.settle) };
  }
}

describe('an idle process', () => {
  it('asks the database once a poll interval', async () => {
    let calls = 0;
    const store = room.store();
    const counted: ReminderStore = {
      ...store,
      clock: () => ((calls += 1), store.clock()),
      due: (query) => ((calls += 1), store.due(query)),
      take: (query) => ((calls += 1), store.take(query)),
      renew: (holdings, length) => ((calls += 1), store.renew(holdings, length)),
      settle: (settlements) => ((calls += 1), store.settle(settlements)),
    };
    const settings = { pollMilliseconds: 100 };
    const clerk = room.clerk(obey, { store: counted, receivers: ['~idle', 'webhook'], settings });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await clerk.stop();
    expect(calls).toBeGreaterThan(3);
    expect(calls).toBeLessThanOrEqual(10);
  });
});
