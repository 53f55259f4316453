/**
 * Reminders, one document each, which its name makes unique.
 *
 * 1. The database's clock decides: due is what `nextAt` says at the time of the statement that
 *    takes it, and what a caller gives as a delay is added to that clock in the write itself.
 * 2. A lease is a name in the document and a `nextAt` that lies ahead. When that passes without a
 *    renewal, the reminder is due again: nothing has to notice that a process died.
 * 3. Whatever ends or prolongs a lease names it, so a process that lost its lease changes nothing.
 * 4. Setting a reminder writes it whole and so ends a lease; the same setting again changes nothing,
 *    not even after newer ones have taken its place: a late repeat does not undo them.
 * 5. Many are changed by a bulk of single updates, in the order of their ids. One update of many
 *    documents loses what others write meanwhile, on DocumentDB where a collection has a validator.
 */
import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import type { Actor } from '../domain/ids.ts';
import type { ReminderId } from '../domain/reminder.ts';
import { reminderIdBounds, serviceIdsFrom } from '../domain/reminder.ts';
import type { Lookup, Read, Recorded } from '../inventory/ports.ts';
import type {
  Armed,
  Holding,
  Reminder,
  ReminderQuery,
  ReminderSetting,
  ReminderStore,
  Settlement,
  StampedReminder,
  TakenReminder,
} from '../inventory/reminder-ports.ts';
import { maxTimeMS } from './client.ts';
import type { Collections } from './documents.ts';
import { instantOf } from './documents.ts';
import type { ReminderDocument } from './reminder-document.ts';
import { ask, askPlainly } from './store-error.ts';

type Reminders = Collections['reminders'];

/** Every field of use to a reader, and the database's clock. */
const stamped = {
  armedBy: 1,
  receiver: 1,
  every: 1,
  timeZone: 1,
  missed: 1,
  payload: 1,
  firstDueAt: 1,
  dueAt: 1,
  catchingUpThrough: 1,
  state: 1,
  attempts: 1,
  lastFailure: 1,
  nextAt: 1,
  lease: 1,
  begunAt: 1,
  replacedDueAt: 1,
  repeated: 1,
  now: '$$NOW',
} as const;

/** A bare comparison with $$NOW fails on DocumentDB where an index covers the field. */
const isDue: Filter<ReminderDocument> = {
  $expr: { $cond: [{ $lte: ['$nextAt', '$$NOW'] }, true, false] },
};

export function createReminderStore(
  reminders: Reminders,
  marks: Collections['marks'],
): ReminderStore {
  return {
    arm: (setting) => arm(reminders, setting),
    disarm: async (id, armedBy) => {
      const filter = { _id: id, ...(armedBy !== undefined && { armedBy }) };
      const asked = await askPlainly(() => reminders.deleteOne(filter, { maxTimeMS }));
      if (asked.kind === 'unknown') return asked;
      return { kind: 'found', value: asked.value.deletedCount > 0 };
    },
    disarmAll: async (actor) => {
      const asked = await askPlainly(() => reminders.deleteMany(ofActor(actor), { maxTimeMS }));
      if (asked.kind === 'unknown') return asked;
      return { kind: 'found', value: asked.value.deletedCount };
    },
    resume: (id) => resume(reminders, id),
    find: (id) => find(reminders, id),
    list: (query) => list(reminders, query),
    countSuspended: () =>
      askPlainly(() => reminders.countDocuments({ state: 'suspended' }, { maxTimeMS })),
    clock: () => clock(marks),
    due: (query) => due(reminders, query),
    take: (query) => take(reminders, query),
    renew: (holdings, forMilliseconds) => renew(reminders, holdings, forMilliseconds),
    settle: (settlements) => settle(reminders, settlements),
  };
}

function ofActor(actor: Actor): Filter<ReminderDocument> {
  const [from, before] = reminderIdBounds(actor);
  return { _id: { $gte: from, $lt: before } };
}

// Setting

/** Two settings of a new name at once: one makes the document, then the other replaces it. */
async function arm(reminders: Reminders, setting: ReminderSetting): Promise<Armed> {
  for (let tries = 0; tries < armTries; tries += 1) {
    const asked = await ask(() =>
      reminders.findOneAndUpdate({ _id: setting.id }, arming(setting), {
        upsert: true,
        returnDocument: 'after',
        projection: stamped,
        maxTimeMS,
      }),
    );
    if (asked.kind === 'unknown') return asked;
    if (asked.kind !== 'found' || asked.value === null) continue;
    const { replacedDueAt: replaced, repeated } = asked.value;
    return {
      kind: 'armed',
      ...stampedOf(asked.value),
      ...(replaced !== undefined && { replaced: instantOf(replaced) }),
      repeated: repeated ?? false,
    };
  }
  return { kind: 'unknown', cause: 'others kept setting the same reminder' };
}

const armTries = 10;
/** More than a caller sets anew while it still repeats an older request. */
const settingsRemembered = 8;

/** Everything that a caller says stands in a literal. */
function arming(setting: ReminderSetting): Document[] {
  const { armedBy, receiver, due, recurring, missed, payload } = setting;
  const dueAt = 'at' in due ? new Date(due.at) : { $add: ['$$NOW', due.afterMilliseconds] };
  const fields = {
    armedBy: { $literal: armedBy },
    receiver: { $literal: receiver },
    ...(recurring !== undefined && { every: { $literal: recurring.every } }),
    ...(recurring?.timeZone !== undefined && { timeZone: { $literal: recurring.timeZone } }),
    missed: { $literal: missed },
    ...(payload !== undefined && { payload: { $literal: payload } }),
    firstDueAt: dueAt,
    dueAt,
    nextAt: dueAt,
    state: { $literal: 'armed' },
    attempts: { $literal: 0 },
  };
  const replaced = {
    $cond: [{ $eq: [{ $type: '$dueAt' }, 'date'] }, { replacedDueAt: '$dueAt' }, {}],
  };
  const settings = {
    $concatArrays: [
      { $cond: [{ $eq: [{ $type: '$armedBy' }, 'string'] }, ['$armedBy'], []] },
      { $ifNull: ['$formerly', []] },
    ],
  };
  const formerly = { formerly: { $slice: [settings, settingsRemembered] } };
  const again = { $mergeObjects: ['$$ROOT', { repeated: { $literal: true } }] };
  const anew = { $mergeObjects: [{ _id: '$_id' }, fields, formerly, replaced] };
  const isSame = { $in: [{ $literal: armedBy }, settings] };
  return [{ $replaceWith: { $cond: [isSame, again, anew] } }];
}

async function resume(reminders: Reminders, id: ReminderId): Promise<Lookup<StampedReminder>> {
  const asked = await askPlainly(() =>
    reminders.updateOne(
      { _id: id, state: 'suspended' },
      [{ $set: { state: 'armed', attempts: 0, nextAt: '$$NOW' } }],
      { maxTimeMS },
    ),
  );
  return asked.kind === 'unknown' ? asked : find(reminders, id);
}

// Looking

async function find(reminders: Reminders, id: ReminderId): Promise<Lookup<StampedReminder>> {
  const asked = await askPlainly(() =>
    reminders.findOne({ _id: id }, { projection: stamped, maxTimeMS }),
  );
  if (asked.kind === 'unknown') return asked;
  return asked.value === null
    ? { kind: 'missing' }
    : { kind: 'found', value: stampedOf(asked.value) };
}

async function list(
  reminders: Reminders,
  { state, actor, callersOnly, after, limit }: ReminderQuery,
): Promise<Read<readonly StampedReminder[]>> {
  const conditions: Filter<ReminderDocument>[] = [
    ...(state === undefined ? [] : [{ state }]),
    ...(after === undefined ? [] : [{ _id: { $gt: after } }]),
    ...(actor === undefined ? [] : [ofActor(actor)]),
    ...(callersOnly === undefined ? [] : [{ _id: { $lt: serviceIdsFrom } }]),
  ];
  const filter = conditions.length === 0 ? {} : { $and: conditions };
  const asked = await askPlainly(() =>
    reminders.find(filter, { projection: stamped, sort: { _id: 1 }, limit, maxTimeMS }).toArray(),
  );
  return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value.map(stampedOf) };
}

async function clock(marks: Collections['marks']): ReturnType<ReminderStore['clock']> {
  const asked = await askPlainly(() =>
    marks.findOne<{ readonly now: Date }>({}, { projection: { now: '$$NOW' }, maxTimeMS }),
  );
  if (asked.kind === 'unknown') return asked;
  return asked.value === null
    ? { kind: 'unknown', cause: 'there is no document to read the clock with' }
    : { kind: 'found', value: instantOf(asked.value.now) };
}

// Delivering

async function due(
  reminders: Reminders,
  { receivers, before, limit }: Parameters<ReminderStore['due']>[0],
): ReturnType<ReminderStore['due']> {
  const asked = await askPlainly(() =>
    reminders
      .find(
        // The index serves the bound; the exact condition looks only at what is within it.
        { receiver: { $in: [...receivers] }, nextAt: { $lte: new Date(before) }, ...isDue },
        { projection: { receiver: 1, now: '$$NOW' }, sort: { nextAt: 1 }, limit, maxTimeMS },
      )
      .toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  const candidates = asked.value.map(({ _id: id, receiver }) => ({ id, receiver }));
  return { kind: 'found', value: { candidates, ...nowOf(asked.value) } };
}

/** The same update of several documents, each for itself (5). @returns how many met it. */
async function updateEach(
  reminders: Reminders,
  conditions: readonly (readonly [id: ReminderId, Filter<ReminderDocument>])[],
  update: Document[],
): Promise<Read<number>> {
  // In one order, so that two processes do not wait for each other.
  const operations = conditions
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([_id, condition]) => ({ updateOne: { filter: { ...condition, _id }, update } }));
  const asked = await askPlainly(() =>
    reminders.bulkWrite(operations, { ordered: false, maxTimeMS }),
  );
  return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value.matchedCount };
}

/** Takes them, then looks at what it got: a reminder moved in between is not among it. */
async function take(
  reminders: Reminders,
  { ids, lease, forMilliseconds }: Parameters<ReminderStore['take']>[0],
): ReturnType<ReminderStore['take']> {
  const leased = {
    lease: { $literal: lease },
    nextAt: { $add: ['$$NOW', forMilliseconds] },
    begunAt: { $ifNull: ['$begunAt', '$$NOW'] },
  };
  const written = await updateEach(
    reminders,
    ids.map((id) => [id, { state: 'armed', ...isDue }]),
    [{ $set: leased }],
  );
  if (written.kind === 'unknown') return written;
  if (written.value === 0) return { kind: 'found', value: { taken: [] } };
  const asked = await askPlainly(() =>
    reminders.find({ _id: { $in: [...ids] }, lease }, { projection: stamped, maxTimeMS }).toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  return { kind: 'found', value: { taken: asked.value.flatMap(takenOf), ...nowOf(asked.value) } };
}

function nowOf([first]: readonly ReminderDocument[]) {
  return first?.now === undefined ? {} : { now: instantOf(first.now) };
}

function standing(holdings: readonly Holding[]): Filter<ReminderDocument> {
  return {
    _id: { $in: holdings.map(({ id }) => id) },
    lease: { $in: Array.from(new Set(holdings.map(({ lease }) => lease))) },
  };
}

/** A lease that has run out is prolonged too, where nobody has taken the reminder since. */
async function renew(
  reminders: Reminders,
  holdings: readonly Holding[],
  forMilliseconds: number,
): Promise<Read<ReadonlySet<ReminderId>>> {
  const written = await updateEach(
    reminders,
    holdings.map(({ id, lease }) => [id, { lease }]),
    [{ $set: { nextAt: { $add: ['$$NOW', forMilliseconds] } } }],
  );
  if (written.kind === 'unknown') return written;
  if (written.value === holdings.length) {
    return { kind: 'found', value: new Set(holdings.map(({ id }) => id)) };
  }
  const asked = await askPlainly(() =>
    reminders.find(standing(holdings), { projection: { _id: 1 }, maxTimeMS }).toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  return { kind: 'found', value: new Set(asked.value.map(({ _id }) => _id)) };
}

async function settle(reminders: Reminders, settlements: readonly Settlement[]): Promise<Recorded> {
  const finished = settlements.filter(({ kind }) => kind === 'finished');
  const others = settlements
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(settling);
  const results = await Promise.all([
    finished.length > 0 &&
      askPlainly(() => reminders.deleteMany(standing(finished), { maxTimeMS })),
    others.length > 0 &&
      askPlainly(() => reminders.bulkWrite(others, { ordered: false, maxTimeMS })),
  ]);
  for (const result of results) {
    if (result !== false && result.kind === 'unknown') return result;
  }
  return { kind: 'recorded' };
}

/** Each names its lease (3). */
function settling(settlement: Settlement): readonly AnyBulkWriteOperation<ReminderDocument>[] {
  const { id, lease } = settlement;
  const fields = fieldsAfter(settlement);
  if (fields === undefined) return [];
  const { set, unset } = fields;
  const update = [{ $set: set }, { $unset: ['lease', ...unset] }];
  return [{ updateOne: { filter: { _id: id, lease }, update } }];
}

interface FieldChange {
  readonly set: Document;
  readonly unset: readonly (keyof ReminderDocument)[];
}

/** undefined where the document goes. */
function fieldsAfter(settlement: Settlement): FieldChange | undefined {
  switch (settlement.kind) {
    case 'finished':
      return undefined;
    case 'advanced': {
      const { dueAt, catchingUpThrough: through } = settlement;
      const set = {
        dueAt: new Date(dueAt),
        nextAt: new Date(dueAt),
        attempts: 0,
        ...(through !== undefined && { catchingUpThrough: new Date(through) }),
      };
      const unset = ['begunAt', 'lastFailure'] as const;
      return { set, unset: through === undefined ? [...unset, 'catchingUpThrough'] : unset };
    }
    case 'retry': {
      const { attempts, afterMilliseconds, cause } = settlement;
      const nextAt = { $add: ['$$NOW', afterMilliseconds] };
      return { set: { attempts, nextAt, lastFailure: { $literal: cause } }, unset: [] };
    }
    case 'suspended': {
      const { attempts, cause } = settlement;
      const set = { state: 'suspended', attempts, lastFailure: { $literal: cause } };
      return { set, unset: ['nextAt'] };
    }
    case 'released':
      return { set: { nextAt: '$$NOW' }, unset: [] };
  }
}

// From documents

function reminderOf(document: ReminderDocument): Reminder {
  const { _id: id, armedBy, receiver, every, timeZone, missed, payload } = document;
  const { state, attempts, lastFailure, catchingUpThrough, nextAt } = document;
  return {
    id,
    armedBy,
    receiver,
    ...(every !== undefined && {
      recurring: { every, ...(timeZone !== undefined && { timeZone }) },
    }),
    missed,
    ...(payload !== undefined && { payload }),
    firstDueAt: instantOf(document.firstDueAt),
    dueAt: instantOf(document.dueAt),
    ...(catchingUpThrough !== undefined && { catchingUpThrough: instantOf(catchingUpThrough) }),
    state,
    attempts,
    ...(lastFailure !== undefined && { lastFailure }),
    ...(nextAt !== undefined && { nextAt: instantOf(nextAt) }),
  };
}

function stampedOf(document: ReminderDocument): StampedReminder {
  if (document.now === undefined) throw new TypeError('a reminder was read without the clock');
  return { reminder: reminderOf(document), now: instantOf(document.now) };
}

function takenOf(document: ReminderDocument): readonly TakenReminder[] {
  const { lease, begunAt } = document;
  if (lease === undefined || begunAt === undefined) return [];
  return [{ ...reminderOf(document), lease, begunAt: instantOf(begunAt) }];
}
