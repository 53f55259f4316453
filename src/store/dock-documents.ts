/** Slots and bookings as MongoDB holds them, and the way between them and the domain's values. */
import type { Collection, Db } from 'mongodb';
import type {
  Booking,
  BookingEntry,
  BookingEvent,
  Capacity,
  DockSlot,
  HoldId,
  Mark,
  Seat,
  SlotId,
} from '../domain/dock-slot.ts';
import type { ActionId, Instant, OrderNumber, WarehouseId } from '../domain/ids.ts';
import { instantOf } from './documents.ts';

interface MarkDocument {
  readonly action: ActionId;
  readonly at: Date;
}

/** What a seat and a booking share. */
interface FactsDocument {
  readonly hold: HoldId;
  readonly digest: Seat['digest'];
  readonly held: MarkDocument;
  readonly heldUntil: Date;
  readonly expiresAt: Date | null;
  readonly purchaseOrder?: OrderNumber;
  readonly confirmed?: MarkDocument;
  readonly cancelled?: MarkDocument;
}

interface SeatDocument extends FactsDocument {
  readonly seat: number;
}

export interface SlotDocument {
  readonly _id: SlotId;
  readonly warehouse: WarehouseId;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly capacity: Capacity;
  readonly seats: readonly SeatDocument[];
  readonly version: number;
  readonly lastActionId: ActionId;
}

export interface BookingDocument extends FactsDocument {
  /** One for each event of a hold. */
  readonly _id: string;
  readonly event: BookingEvent;
  readonly at: Date;
  readonly slot: SlotId;
  readonly seats: number;
  readonly lapsed?: true;
}

export interface DockCollections {
  readonly slots: Collection<SlotDocument>;
  readonly bookings: Collection<BookingDocument>;
}

export function dockOf(db: Db): DockCollections {
  return { slots: db.collection('dockSlots'), bookings: db.collection('dockBookings') };
}

type Facts = Omit<Seat, 'seat'>;

function factsDocument(facts: Facts): FactsDocument {
  const { hold, digest, held, heldUntil, expiresAt, purchaseOrder, confirmed, cancelled } = facts;
  return {
    hold,
    digest,
    held: dated(held),
    heldUntil: new Date(heldUntil),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    ...(purchaseOrder === undefined ? {} : { purchaseOrder }),
    ...(confirmed === undefined ? {} : { confirmed: dated(confirmed) }),
    ...(cancelled === undefined ? {} : { cancelled: dated(cancelled) }),
  };
}

function factsOf(document: FactsDocument): Facts {
  const { hold, digest, held, heldUntil, expiresAt, purchaseOrder } = document;
  const { confirmed, cancelled } = document;
  return {
    hold,
    digest,
    held: markOf(held),
    heldUntil: instantOf(heldUntil),
    expiresAt: expiryOf(expiresAt),
    ...(purchaseOrder === undefined ? {} : { purchaseOrder }),
    ...(confirmed === undefined ? {} : { confirmed: markOf(confirmed) }),
    ...(cancelled === undefined ? {} : { cancelled: markOf(cancelled) }),
  };
}

function dated({ action, at }: Mark): MarkDocument {
  return { action, at: new Date(at) };
}

export function markOf({ action, at }: MarkDocument): Mark {
  return { action, at: instantOf(at) };
}

export function expiryOf(expiresAt: Date | null): Instant | null {
  return expiresAt === null ? null : instantOf(expiresAt);
}

export function seatDocument(seat: Seat): SeatDocument {
  return { ...factsDocument(seat), seat: seat.seat };
}

export function slotDocument(slot: DockSlot): SlotDocument {
  const { id, warehouse, startsAt, endsAt, capacity, seats, version, lastActionId } = slot;
  return {
    _id: id,
    warehouse,
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    capacity,
    seats: seats.map(seatDocument),
    version,
    lastActionId,
  };
}

/** What a slot has beside its seats. */
export function openingOf({
  _id: id,
  warehouse,
  startsAt,
  endsAt,
  capacity,
}: Omit<SlotDocument, 'seats' | 'version' | 'lastActionId'>): Pick<
  DockSlot,
  'id' | 'warehouse' | 'startsAt' | 'endsAt' | 'capacity'
> {
  return {
    id,
    warehouse,
    startsAt: instantOf(startsAt),
    endsAt: instantOf(endsAt),
    capacity,
  };
}

export function slotOf(document: SlotDocument): DockSlot {
  const { seats, version, lastActionId } = document;
  return {
    ...openingOf(document),
    seats: seats.map((seat) => ({ ...factsOf(seat), seat: seat.seat })),
    version,
    lastActionId,
  };
}

/** The key of an event: a hold has each at most once. */
export function entryId(hold: HoldId, event: BookingEvent): string {
  return `${hold}/${event}`;
}

export function entryDocument({ event, at, booking }: BookingEntry): BookingDocument {
  const { slot, seats, lapsed } = booking;
  return {
    _id: entryId(booking.hold, event),
    event,
    at: new Date(at),
    ...factsDocument(booking),
    slot,
    seats,
    ...(lapsed === undefined ? {} : { lapsed }),
  };
}

export function entryOf(document: BookingDocument): BookingEntry {
  const { event, at, slot, seats, lapsed } = document;
  const booking: Booking = {
    ...factsOf(document),
    slot,
    seats,
    ...(lapsed === undefined ? {} : { lapsed }),
  };
  return { event, at: instantOf(at), booking };
}
