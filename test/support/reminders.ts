/** Reminders on a real database: as many delivering processes as a test wants, with short beats. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Instant } from '../../src/domain/ids.ts';
import type { ReminderId } from '../../src/domain/reminder.ts';
import { parseReminderId, reminderNameOf } from '../../src/domain/reminder.ts';
import type { Deliver, Delivered, Delivery } from '../../src/inventory/reminder-delivery.ts';
import type { ReminderEvent } from '../../src/inventory/reminder-events.ts';
import type { LoopSettings, ReminderLoop } from '../../src/inventory/reminder-loop.ts';
import { createReminderLoop } from '../../src/inventory/reminder-loop.ts';
import type { KeyedPorts } from '../../src/inventory/keyed-answer.ts';
import type {
  Receiver,
  ReminderPorts,
  ReminderSetting,
  ReminderStore,
  StampedReminder,
} from '../../src/inventory/reminder-ports.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import type { Collections } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import type { Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { useDatabase } from './database.ts';

const soon: Partial<LoopSettings> = {
  pollMilliseconds: 20,
  patience: { attemptsLimit: 10, baseMilliseconds: 5, capMilliseconds: 20 },
};

export interface Clerk {
  /** Everything that was delivered by this process, in order. */
  readonly deliveries: readonly Delivery[];
  readonly events: readonly ReminderEvent[];
  readonly stop: () => Promise<void>;
}

export interface ReminderRoom {
  readonly reminders: Collections['reminders'];
  readonly store: () => ReminderStore;
  /** All that the use cases need. */
  readonly ports: () => ReminderPorts & KeyedPorts;
  /** Sets a reminder; due at once unless it says otherwise. */
  readonly arm: (name: string, setting?: Partial<ReminderSetting>) => Promise<ReminderId>;
  /** So many of one name, under keys of their own. */
  readonly armMany: (
    name: string,
    count: number,
    setting?: Partial<ReminderSetting>,
  ) => Promise<readonly ReminderId[]>;
  /** One more process that delivers, to every receiver that it is told of. */
  readonly clerk: (
    receive: Deliver,
    more?: {
      readonly settings?: Partial<LoopSettings>;
      readonly store?: ReminderStore;
      readonly receivers?: readonly string[];
    },
  ) => Clerk;
  /** Sets one by its whole id, due at once. */
  readonly armAs: (text: string) => Promise<ReminderId>;
  readonly look: (id: ReminderId) => Promise<StampedReminder | undefined>;
  /** Resolves when the look satisfies; the database has no event to wait for. */
  readonly until: (
    id: ReminderId,
    isSo: (found: StampedReminder | undefined) => boolean,
  ) => Promise<StampedReminder | undefined>;
  /** Resolves when none of these is there any more. */
  readonly allGone: (ids: readonly ReminderId[]) => Promise<void>;
  readonly now: () => Promise<Instant>;
}

export const done: Delivered = { kind: 'done' };

let settings = 0;

export function useReminders(): ReminderRoom {
  const database = useDatabase();
  const { reminders } = collectionsOf(database.db);
  let opened: Store | undefined;
  const loops: ReminderLoop[] = [];
  beforeAll(async () => {
    opened = openStore(database.uri, database.name);
    await opened.prepare();
  });
  afterEach(async () => {
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
    await reminders.deleteMany({});
  });
  afterAll(() => opened?.close());

  function store(): ReminderStore {
    if (opened === undefined) throw new Error('the store opens before the tests');
    return opened.reminders;
  }

  async function look(id: ReminderId): Promise<StampedReminder | undefined> {
    const found = await store().find(id);
    if (found.kind === 'unknown') throw new Error(found.cause);
    return found.kind === 'found' ? found.value : undefined;
  }

  const arm: ReminderRoom['arm'] = (name, setting) => armAs(`~test/${name}`, setting);

  async function armAs(text: string, setting: Partial<ReminderSetting> = {}): Promise<ReminderId> {
    const id = reminderId(text);
    const armed = await store().arm({
      id,
      armedBy: `setting-${(settings += 1)}`,
      receiver: receiver('~test'),
      due: { afterMilliseconds: 0 },
      missed: 'latest',
      ...setting,
    });
    if (armed.kind === 'unknown') throw new Error(armed.cause);
    return id;
  }

  function ports(): ReminderPorts & KeyedPorts {
    if (opened === undefined) throw new Error('the store opens before the tests');
    return { ...opened.ports, reminders: opened.reminders, timer: processTimer };
  }

  return {
    reminders,
    store,
    ports,
    look,
    arm,
    armAs,
    armMany: async (name, count, setting) => {
      const ids: ReminderId[] = [];
      while (ids.length < count) {
        const some = Math.min(20, count - ids.length);
        const keys = Array.from({ length: some }, (_, index) => ids.length + index);
        ids.push(...(await Promise.all(keys.map((key) => arm(`${name}:${key}`, setting)))));
      }
      return ids;
    },
    clerk: (receive, { settings: rules, store: through, receivers = ['~test'] } = {}) => {
      const deliveries: Delivery[] = [];
      const events: ReminderEvent[] = [];
      const watched: Deliver = (delivery, signal) => {
        deliveries.push(delivery);
        return receive(delivery, signal);
      };
      const loop = createReminderLoop({
        ports: { reminders: through ?? store(), timer: processTimer },
        deliverers: new Map(receivers.map((name) => [receiver(name), watched])),
        report: (event) => events.push(event),
        settings: { ...soon, ...rules },
      });
      loops.push(loop);
      loop.start();
      return { deliveries, events, stop: loop.stop };
    },
    until: async (id, isSo) => {
      for (;;) {
        const found = await look(id);
        if (isSo(found)) return found;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    allGone: async (ids) => {
      while ((await reminders.countDocuments({ _id: { $in: [...ids] } })) > 0) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    now: async () => {
      const read = await store().clock();
      if (read.kind === 'unknown') throw new Error(read.cause);
      return read.value;
    },
  };
}

/** `actor/name` or `actor/name:key`. */
export function reminderId(text: string): ReminderId {
  const slash = text.indexOf('/');
  const id = parseReminderId(text.slice(0, slash), text.slice(slash + 1));
  if (id === undefined) throw new Error(`${text} names no reminder`);
  return id;
}

export function receiver(name: string): Receiver {
  if (name === 'webhook') return name;
  const { actor } = reminderNameOf(reminderId(`${name}/x`));
  return actor;
}
