/** The use cases of reminders while answers of the database are lost, and as sagas use them. */
import { describe, expect, it } from 'vitest';
import { parseReminderActor } from '../../src/domain/reminder.ts';
import type { KeyedRequest } from '../../src/inventory/keyed-request.ts';
import type { Unknown } from '../../src/inventory/ports.ts';
import type { ReminderEvent } from '../../src/inventory/reminder-events.ts';
import type { ReminderStore, StampedReminder } from '../../src/inventory/reminder-ports.ts';
import type { Reminders } from '../../src/inventory/reminders.ts';
import { createReminders } from '../../src/inventory/reminders.ts';
import { requestDigest } from '../../src/inventory/request-digest.ts';
import { actionId, instant } from '../support/actions.ts';
import { receiver, reminderId, useReminders } from '../support/reminders.ts';

const room = useReminders();
const lost: Unknown = { kind: 'unknown', cause: 'the answer was lost' };

interface Desk {
  readonly reminders: Reminders;
  readonly events: readonly ReminderEvent[];
}

/** @param lose what becomes of each call of the database: carried out or not, nobody can tell. */
function desk(lose: () => 'request' | 'answer' | 'nothing' = () => 'nothing'): Desk {
  function lossy<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) {
    return async (...args: A): Promise<R | Unknown> => {
      const fate = lose();
      if (fate === 'request') return lost;
      const result = await call(...args);
      return fate === 'answer' ? lost : result;
    };
  }
  const { actions, answers, timer, reminders: store } = room.ports();
  const reminders: ReminderStore = {
    ...store,
    arm: lossy(store.arm),
    disarm: lossy(store.disarm),
    disarmAll: lossy(store.disarmAll),
    resume: lossy(store.resume),
    find: lossy(store.find),
    list: lossy(store.list),
    clock: lossy(store.clock),
  };
  const events: ReminderEvent[] = [];
  const ports = {
    reminders,
    actions: { claim: lossy(actions.claim), find: lossy(actions.find) },
    answers: { keep: lossy(answers.keep), find: lossy(answers.find) },
    timer,
  };
  return { reminders: createReminders(ports, (event) => events.push(event), 8_000), events };
}

let keys = 0;

function keyed(operation: string, body: unknown = null): KeyedRequest {
  keys += 1;
  const digest = requestDigest(operation, {}, body);
  return { actionId: actionId(`reminders-${keys}`), operation, digest };
}

const show = ({ reminder }: StampedReminder) => ({ dueAt: reminder.dueAt, state: reminder.state });
const at = instant(Date.parse('2030-01-01T00:00:00Z'));

/** Loses the call of this number, before or after it was carried out. */
function losing(number: number, what: 'request' | 'answer') {
  let calls = 0;
  return () => ((calls += 1) === number ? what : 'nothing');
}

const losses = [1, 2, 3, 4, 5].flatMap((number) =>
  (['request', 'answer'] as const).map((what) => [what, number] as const),
);

describe.each(losses)('where the %s of call %i is lost', (what, number) => {
  it('a reminder is set, shown once for its key, and resumed and removed', async () => {
    const id = reminderId('clerk/late:1');
    const action = keyed('PUT');
    const request = { id, at, missed: 'latest' } as const;
    const set = await desk(losing(number, what)).reminders.set(action, request, show);
    expect(set).toMatchObject({ kind: 'shown', body: { dueAt: at, state: 'armed' } });
    expect(set).toMatchObject({ replayed: false });
    const again = await desk(losing(number, what)).reminders.set(action, request, show);
    expect(again).toMatchObject({ kind: 'shown', replayed: true, body: { dueAt: at } });
    expect(await room.reminders.countDocuments({ _id: id })).toBe(1);

    const suspended = { $set: { state: 'suspended', attempts: 10 } } as const;
    await room.reminders.updateOne({ _id: id }, [suspended, { $unset: ['nextAt'] }]);
    const lossy = desk(losing(number, what)).reminders;
    const resumed = await lossy.resume(keyed('POST'), id, show);
    expect(resumed).toMatchObject({ kind: 'shown', body: { state: 'armed' } });

    const removed = await desk(losing(number, what)).reminders.remove(keyed('DELETE'), id, {});
    expect(removed).toMatchObject({ kind: 'shown' });
    expect(await room.look(id)).toBeUndefined();
  });

  it('a newer setting stands, though the older one comes again after a crash', async () => {
    const id = reminderId('clerk/late:2');
    const older = keyed('PUT', 'older');
    const later = instant(at + 60_000);
    const { actions, answers, timer, reminders: store } = room.ports();
    const dies = { ...answers, keep: () => Promise.reject(new Error('the process dies here')) };
    const dying = createReminders(
      { actions, answers: dies, timer, reminders: store },
      () => undefined,
      8_000,
    );
    const request = { id, at, missed: 'latest' } as const;
    await expect(dying.set(older, request, show)).rejects.toThrow('dies');
    const newer = { ...request, at: later };
    await desk().reminders.set(keyed('PUT', 'newer'), newer, show);
    const lossy = desk(losing(number, what)).reminders;
    const again = await lossy.set(older, request, show);
    expect(again).toMatchObject({ kind: 'shown', body: { dueAt: later } });
    expect((await room.look(id))?.reminder.dueAt).toBe(later);
  });

  it('what an actor has set is removed, and the rest is shown', async () => {
    const clerk = parseReminderActor('clerk') ?? expect.fail('it is an actor');
    const set = desk().reminders;
    const ids = ['clerk/a', 'clerk/b:1', 'other/a'].map(reminderId);
    for (const id of ids) await set.set(keyed('PUT', id), { id, at, missed: 'all' }, show);
    const lossy = desk(losing(number, what)).reminders;
    const removed = await lossy.removeAll(keyed('DELETE'), clerk, (count) => ({ count }));
    expect(removed).toMatchObject({ kind: 'shown' });
    const listed = await desk(losing(number, what)).reminders.reminders({ limit: 10 });
    if (listed.kind !== 'ok') throw new Error(listed.kind);
    expect(listed.value.items.map(({ reminder }) => reminder.id)).toEqual(['other/a']);
    const found = await desk(losing(number, what)).reminders.reminder(reminderId('other/a'));
    expect(found.kind).toBe('ok');
  });
});

describe('a database that stays away', () => {
  it('is told as such, within the time that the request has', async () => {
    const { timer, actions, answers, reminders: store } = room.ports();
    const gone: ReminderStore = { ...store, arm: () => Promise.resolve(lost) };
    const ports = { actions, answers, timer, reminders: gone };
    const reminders = createReminders(ports, () => undefined, 100);
    const request = { id: reminderId('clerk/late'), at, missed: 'latest' } as const;
    const answer = await reminders.set(keyed('PUT'), request, show);
    expect(answer).toMatchObject({ kind: 'unavailable', cause: 'the answer was lost' });
  });
});

describe('an alarm of the service', () => {
  const saga = parseReminderActor('~saga') ?? expect.fail('it is an actor');
  const alarm = { actor: saga, name: 'receipt', key: 'r1' };

  it('is set by the database’s clock, moved with a word in the log, and called off', async () => {
    const { reminders, events } = desk();
    const before = await room.now();
    const due = { afterMilliseconds: 10_000 };
    expect(await reminders.arm({ ...alarm, due, payload: '{}' })).toEqual({ kind: 'recorded' });
    const id = reminderId('~saga/receipt:r1');
    const first = await room.look(id);
    expect(first?.reminder).toMatchObject({ receiver: receiver('~saga'), payload: '{}' });
    expect(first?.reminder.dueAt).toBeGreaterThanOrEqual(before + 10_000);
    expect(first?.reminder.dueAt).toBeLessThanOrEqual((first?.now ?? 0) + 10_000);
    expect(events).toEqual([]);

    await reminders.arm({ ...alarm, due: { at }, recurring: { every: 'PT1H' } });
    const wasDueAt = first?.reminder.dueAt;
    expect(events).toEqual([{ kind: 'reminder-replaced', reminder: id, wasDueAt, dueAt: at }]);

    expect(await reminders.disarm(alarm)).toEqual({ kind: 'recorded' });
    expect(await reminders.disarm(alarm)).toEqual({ kind: 'recorded' });
    expect(await room.look(id)).toBeUndefined();
  });

  it('whose answer was lost is unknown, and safe to set again', async () => {
    const { reminders } = desk(losing(1, 'answer'));
    const due = { afterMilliseconds: 10_000 };
    expect(await reminders.arm({ ...alarm, due })).toEqual(lost);
    expect(await reminders.arm({ ...alarm, due })).toEqual({ kind: 'recorded' });
    expect(await room.reminders.countDocuments({ receiver: receiver('~saga') })).toBe(1);
  });
});
