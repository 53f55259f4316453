/**
 * Reminders as the edge and other use cases see them: set, looked at, taken away, resumed. The
 * loop delivers them.
 */
import { v7 as uuid } from 'uuid';
import type { ActionId, Actor, Instant } from '../domain/ids.ts';
import type { Missed, ReminderId, ReminderName } from '../domain/reminder.ts';
import { isServiceActor, reminderIdOf, reminderNameOf } from '../domain/reminder.ts';
import type { NotFound, Ok, Page, QueryAnswer } from './answer.ts';
import type { KeyedPorts, Shown, ShownAnswer } from './keyed-answer.ts';
import { shownOnce } from './keyed-answer.ts';
import type { KeyedRequest } from './keyed-request.ts';
import { untilAnswered } from './keyed-request.ts';
import type { Read, Recorded, Unknown } from './ports.ts';
import type { Report } from './reminder-events.ts';
import type {
  Armed,
  Receiver,
  Recurring,
  ReminderPorts,
  ReminderQuery,
  ReminderSetting,
  ReminderStore,
  StampedReminder,
} from './reminder-ports.ts';
import type { ParsedRecurrence } from './schedule.ts';
import { parseRecurrence } from './schedule.ts';

/** An alarm of the service's own. */
export interface Alarm extends ReminderName {
  /** By the database's clock. */
  readonly due: { readonly at: Instant } | { readonly afterMilliseconds: number };
  readonly recurring?: Recurring;
  readonly missed?: Missed;
  /** JSON text. */
  readonly payload?: string;
}

/** What sagas and the like need: one attempt each, safe to make again. */
export interface Alarms {
  /** Sets the alarm, or moves it: there is one of a name. */
  readonly arm: (alarm: Alarm) => Promise<Recorded>;
  readonly disarm: (name: ReminderName) => Promise<Recorded>;
}

/** A reminder that a caller sets. Without `at` it is first due when its cron line says so. */
export interface ReminderRequest {
  readonly id: ReminderId;
  readonly at?: Instant;
  readonly recurring?: Recurring;
  readonly missed: Missed;
  readonly payload?: string;
}

export interface Reminders extends Alarms {
  readonly set: (
    action: KeyedRequest,
    request: ReminderRequest,
    show: (reminder: StampedReminder) => object,
  ) => Promise<ShownAnswer>;
  /**
   * Afterwards there is none of this name, as far as the caller sees.
   * @param sees of what stands there, whether the caller does; what it does not see stays.
   */
  readonly remove: (
    action: KeyedRequest,
    id: ReminderId,
    shown: object,
    sees?: (standing: StampedReminder) => Promise<Read<boolean>>,
  ) => Promise<ShownAnswer>;
  readonly removeAll: (
    action: KeyedRequest,
    actor: Actor,
    show: (count: number) => object,
  ) => Promise<ShownAnswer>;
  /** Tries a suspended reminder again, at once; any other goes on as it is. */
  readonly resume: (
    action: KeyedRequest,
    id: ReminderId,
    show: (reminder: StampedReminder) => object,
  ) => Promise<ShownAnswer>;
  readonly reminder: (id: ReminderId) => Promise<QueryAnswer<StampedReminder>>;
  readonly reminders: (query: ReminderQuery) => Promise<QueryAnswer<Page<StampedReminder>>>;
  /** How many wait for somebody to look at them. */
  readonly countSuspended: () => Promise<Read<number>>;
}

export function createReminders(
  ports: ReminderPorts & KeyedPorts,
  report: Report,
  deadlineMilliseconds: number,
): Reminders {
  const { reminders: store, timer } = ports;
  const once = (
    action: KeyedRequest,
    reminder: ReminderId | Actor,
    effect: () => Promise<Shown | NotFound | Unknown>,
  ) => shownOnce(ports, deadlineMilliseconds, action, { kind: 'reminder', reminder }, effect);
  return {
    arm: (alarm) => armAlarm(ports, report, alarm),
    disarm: async (name) => {
      const removed = await store.disarm(requiredId(name));
      return removed.kind === 'unknown' ? removed : { kind: 'recorded' };
    },
    set: (action, request, show) =>
      once(action, request.id, () => set(ports, report, action.actionId, request, show)),
    remove: (action, id, shown, sees) =>
      once(action, id, async () => {
        const removed =
          sees === undefined ? await store.disarm(id) : await disarmSeen(store, id, sees);
        return removed.kind === 'unknown' ? removed : shownAs(shown);
      }),
    removeAll: (action, actor, show) =>
      once(action, actor, async () => {
        const removed = await store.disarmAll(actor);
        return removed.kind === 'unknown' ? removed : shownAs(show(removed.value));
      }),
    resume: (action, id, show) =>
      once(action, id, async () => {
        const resumed = await store.resume(id);
        if (resumed.kind === 'missing') return { kind: 'not-found' };
        return resumed.kind === 'unknown' ? resumed : shownAs(show(resumed.value));
      }),
    reminder: (id) => untilAnswered(timer, deadlineMilliseconds, () => look(store, id)),
    reminders: (query) => untilAnswered(timer, deadlineMilliseconds, () => list(store, query)),
    countSuspended: store.countSuspended,
  };
}

function shownAs(body: object, created = false): Shown {
  return { kind: 'shown', body, created };
}

/** What was looked at goes, not what took its place in between. */
async function disarmSeen(
  store: ReminderStore,
  id: ReminderId,
  sees: (standing: StampedReminder) => Promise<Read<boolean>>,
): Promise<Read<boolean>> {
  for (;;) {
    const standing = await store.find(id);
    if (standing.kind === 'unknown') return standing;
    if (standing.kind === 'missing') return { kind: 'found', value: false };
    const seen = await sees(standing.value);
    if (seen.kind === 'unknown' || !seen.value) return seen;
    const removed = await store.disarm(id, standing.value.reminder.armedBy);
    if (removed.kind === 'unknown' || removed.value) return removed;
  }
}

async function look(
  store: ReminderStore,
  id: ReminderId,
): Promise<Ok<StampedReminder> | NotFound | Unknown> {
  const read = await store.find(id);
  switch (read.kind) {
    case 'found':
      return { kind: 'ok', value: read.value };
    case 'missing':
      return { kind: 'not-found' };
    case 'unknown':
      return read;
  }
}

async function list(
  store: ReminderStore,
  query: ReminderQuery,
): Promise<Ok<Page<StampedReminder>> | Unknown> {
  const { limit } = query;
  const listed = await store.list({ ...query, limit: limit + 1 });
  if (listed.kind === 'unknown') return listed;
  const { value: items } = listed;
  return {
    kind: 'ok',
    value: { items: items.slice(0, limit), more: items.length > limit },
  };
}

/** The action names the setting, so that a repeat finds its own. */
async function set(
  ports: ReminderPorts,
  report: Report,
  armedBy: ActionId,
  { at, ...request }: ReminderRequest,
  show: (reminder: StampedReminder) => object,
): Promise<Shown | Unknown> {
  const due = await firstDue(ports, at, request.recurring);
  if (due.kind === 'unknown') return due;
  const receiver = receiverOf(reminderNameOf(request.id).actor);
  const setting = { ...request, armedBy, receiver, due: { at: due.value } };
  const armed = await arm(ports, report, setting);
  return armed.kind === 'unknown' ? armed : shownAs(show(armed), armed.replaced === undefined);
}

async function firstDue(
  { reminders }: ReminderPorts,
  at: Instant | undefined,
  recurring: Recurring | undefined,
): Promise<Read<Instant>> {
  if (at !== undefined) return { kind: 'found', value: at };
  if (recurring === undefined) throw new TypeError('a reminder that is due at no time');
  const now = await reminders.clock();
  if (now.kind === 'unknown') return now;
  const next = recurrence(recurring).startingAt(now.value).after(now.value);
  if (next === undefined) throw new TypeError(`${recurring.every} never comes`);
  return { kind: 'found', value: next };
}

function recurrence(recurring: Recurring): Extract<ParsedRecurrence, { kind: 'recurrence' }> {
  const parsed = parseRecurrence(recurring);
  if (parsed.kind === 'invalid') throw new TypeError(`${parsed.member} ${parsed.message}`);
  return parsed;
}

async function armAlarm(ports: ReminderPorts, report: Report, alarm: Alarm): Promise<Recorded> {
  const { due, recurring, missed = 'latest', payload } = alarm;
  if (recurring !== undefined) recurrence(recurring);
  const armed = await arm(ports, report, {
    id: requiredId(alarm),
    armedBy: uuid(),
    receiver: receiverOf(alarm.actor),
    due,
    ...(recurring !== undefined && { recurring }),
    missed,
    ...(payload !== undefined && { payload }),
  });
  return armed.kind === 'unknown' ? armed : { kind: 'recorded' };
}

function requiredId(name: ReminderName): ReminderId {
  const id = reminderIdOf(name);
  if (id === undefined) throw new TypeError('a reminder whose name cannot be one');
  return id;
}

/** A service actor has a handler of its own; everybody else is told by webhook. */
function receiverOf(actor: Actor): Receiver {
  return isServiceActor(actor) ? actor : 'webhook';
}

async function arm(
  { reminders }: ReminderPorts,
  report: Report,
  setting: ReminderSetting,
): Promise<Armed> {
  const armed = await reminders.arm(setting);
  if (armed.kind === 'armed' && armed.replaced !== undefined) {
    const { id: reminder, dueAt } = armed.reminder;
    report({ kind: 'reminder-replaced', reminder, wasDueAt: armed.replaced, dueAt });
  }
  return armed;
}
