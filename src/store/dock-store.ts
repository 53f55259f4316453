/**
 * Dock slots and the ledger of their holds.
 *
 * 1. `swap` is one conditional write of the seats that differ; it lands on exactly the state that
 *    it was decided on and while it is not too late, or not at all.
 * 2. A hold's seats change together, so they are told apart by their hold.
 * 3. An event of a hold has a key of its own: entered once, never changed.
 */
import type { Document, Filter } from 'mongodb';
import type { DockSlot, Seat } from '../domain/dock-slot.ts';
import { bookingEvents } from '../domain/dock-slot.ts';
import type {
  DockLedger,
  DockSlotStore,
  ListSlots,
  SlotChange,
  SlotWrite,
} from '../inventory/dock-ports.ts';
import { maxTimeMS } from './client.ts';
import type { DockCollections, SlotDocument } from './dock-documents.ts';
import {
  entryDocument,
  entryId,
  entryOf,
  expiryOf,
  markOf,
  openingOf,
  seatDocument,
  slotDocument,
  slotOf,
} from './dock-documents.ts';
import { instantOf } from './documents.ts';
import { isBefore } from './sku-change.ts';
import type { Asked } from './store-error.ts';
import { ask, askPlainly } from './store-error.ts';

type Slots = DockCollections['slots'];
type Stamped<D> = D & { readonly now: Date };

export function createDockSlotStore(slots: Slots): DockSlotStore {
  return {
    read: async (id) => {
      const asked = await askPlainly(() =>
        slots.findOne<Stamped<SlotDocument>>(
          { _id: id },
          { projection: { ...opening, seats: 1, version: 1, lastActionId: 1 }, maxTimeMS },
        ),
      );
      if (asked.kind === 'unknown') return asked;
      if (asked.value === null) return { kind: 'missing' };
      const now = instantOf(asked.value.now);
      return { kind: 'found', value: { slot: slotOf(asked.value), now } };
    },
    create: async (slot) => {
      const asked = await ask(() => slots.insertOne(slotDocument(slot), { maxTimeMS }));
      return written(asked, () => true);
    },
    swap: (change) => swap(slots, change),
    list: (query) => list(slots, query),
  };
}

const opening = {
  warehouse: 1,
  startsAt: 1,
  endsAt: 1,
  capacity: 1,
  now: '$$NOW',
} as const;

function written<T>(asked: Asked<T>, isWritten: (value: T) => boolean): SlotWrite {
  if (asked.kind === 'unknown') return asked;
  return asked.kind === 'found' && isWritten(asked.value) ? { kind: 'written' } : { kind: 'lost' };
}

async function swap(slots: Slots, { before, after, until }: SlotChange): Promise<SlotWrite> {
  const asked = await ask(() =>
    slots.findOneAndUpdate(
      {
        _id: before.id,
        version: before.version,
        lastActionId: before.lastActionId,
        ...(until === undefined ? {} : { $expr: isBefore(until) }),
      },
      [
        {
          $set: {
            seats: seatsChange(before, after),
            version: after.version,
            lastActionId: { $literal: after.lastActionId },
          },
        },
      ],
      { projection: { _id: 1 }, maxTimeMS },
    ),
  );
  return written(asked, (document) => document !== null);
}

/** The seats of other holds as they stand, and those that differ (2). */
function seatsChange({ seats: before }: DockSlot, { seats: after }: DockSlot): Document {
  const stood = new Set<Seat>(before);
  const kept = new Set<Seat>(after);
  const gone = before.filter((seat) => !kept.has(seat)).map(({ hold }) => hold);
  const others = {
    $filter: {
      input: '$seats',
      cond: { $not: [{ $in: ['$$this.hold', { $literal: Array.from(new Set(gone)) }] }] },
    },
  };
  const changed = after.filter((seat) => !stood.has(seat)).map(seatDocument);
  return { $concatArrays: [others, { $literal: changed }] };
}

/** A slot in a list, with as much of its seats as tells whether they are taken. */
type ListedDocument = Stamped<
  Omit<SlotDocument, 'seats' | 'version' | 'lastActionId'> & {
    readonly seats: readonly Pick<SlotDocument['seats'][number], 'expiresAt' | 'cancelled'>[];
  }
>;

async function list(slots: Slots, query: ListSlots): ReturnType<DockSlotStore['list']> {
  const asked = await askPlainly(() =>
    slots
      .find<ListedDocument>(within(query), {
        projection: { ...opening, 'seats.expiresAt': 1, 'seats.cancelled': 1 },
        sort: { startsAt: 1, _id: 1 },
        limit: query.limit,
        batchSize: query.limit,
        maxTimeMS,
      })
      .toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  const value = asked.value.map(({ now, seats, ...document }) => ({
    slot: {
      ...openingOf(document),
      seats: seats.map(({ expiresAt, cancelled }) => ({
        expiresAt: expiryOf(expiresAt),
        ...(cancelled === undefined ? {} : { cancelled: markOf(cancelled) }),
      })),
    },
    now: instantOf(now),
  }));
  return { kind: 'found', value };
}

function within({ warehouse, warehouses, from, to, after }: ListSlots): Filter<SlotDocument> {
  const start = after && new Date(after.startsAt);
  return {
    ...(warehouses === undefined ? {} : { warehouse: { $in: [...warehouses] } }),
    ...(warehouse === undefined ? {} : { warehouse }),
    ...(from === undefined && to === undefined
      ? {}
      : {
          startsAt: {
            ...(from === undefined ? {} : { $gte: new Date(from) }),
            ...(to === undefined ? {} : { $lte: new Date(to) }),
          },
        }),
    ...(after === undefined || start === undefined
      ? {}
      : { $or: [{ startsAt: { $gt: start } }, { startsAt: start, _id: { $gt: after.id } }] }),
  };
}

export function createDockLedger(bookings: DockCollections['bookings']): DockLedger {
  return {
    record: async (entries) => {
      const documents = entries
        .map(entryDocument)
        .toSorted((one, other) => (one._id < other._id ? -1 : 1));
      const asked = await ask(() => bookings.insertMany(documents, { ordered: false, maxTimeMS }));
      switch (asked.kind) {
        case 'found':
        case 'duplicate':
          return { kind: 'recorded' };
        case 'conflict':
          return { kind: 'unknown', cause: 'the entries met a conflict' };
        case 'unknown':
          return asked;
      }
    },
    ofHold: async (hold) => {
      const ids = bookingEvents.map((event) => entryId(hold, event));
      const asked = await askPlainly(() =>
        bookings.find({ _id: { $in: ids } }, { maxTimeMS }).toArray(),
      );
      return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value.map(entryOf) };
    },
  };
}
