/**
 * Dock slots: windows in which a warehouse takes deliveries, with room for so many. Carriers hold
 * seats of a slot for a while, then confirm them or not.
 *
 * 1. A slot has a set of seats, each pinned to its hold and to the request that took it; what
 *    remains is counted from them and kept nowhere.
 * 2. A seat is taken while it is confirmed, or while its hold ends later than now. One definition,
 *    applied by every read and every decision.
 * 3. The seats of a hold change together, and what has ended stays so.
 * 4. Seats that are not taken any more leave when a hold needs their room, and not before what
 *    became of their hold is entered in the ledger.
 * 5. A seat keeps all that was answered about its hold, so that each first answer can be shown again.
 */
import type { ActionId, Brand, Digest, Instant, OrderNumber, WarehouseId } from './ids.ts';
import { parseInstant } from './ids.ts';
import type { Refusal } from './refusal.ts';

export type SlotId = Brand<string, 'SlotId'>;
/** The id of its slot, a dot, and 22 characters of its own. */
export type HoldId = Brand<string, 'HoldId'>;
export type Capacity = Brand<number, 'Capacity'>;
export type SeatCount = Brand<number, 'SeatCount'>;

/** The request that did something to a hold, and when. */
export interface Mark {
  readonly action: ActionId;
  readonly at: Instant;
}

interface HoldFacts {
  readonly hold: HoldId;
  /** Of the request that took the seats. */
  readonly digest: Digest;
  readonly held: Mark;
  /** Until when it was held; kept when it is confirmed. */
  readonly heldUntil: Instant;
  /** null: confirmed. */
  readonly expiresAt: Instant | null;
  readonly purchaseOrder?: OrderNumber;
  readonly confirmed?: Mark;
  readonly cancelled?: Mark;
}

export interface Seat extends HoldFacts {
  /** Its place among those of its hold: 1, 2, 3 … */
  readonly seat: number;
}

/** A hold with all that happened to it. */
export interface Booking extends HoldFacts {
  readonly slot: SlotId;
  readonly seats: number;
  /** It was found lapsed, and entered as such. */
  readonly lapsed?: true;
}

export interface DockSlot {
  readonly id: SlotId;
  readonly warehouse: WarehouseId;
  readonly startsAt: Instant;
  readonly endsAt: Instant;
  readonly capacity: Capacity;
  readonly seats: readonly Seat[];
  readonly version: number;
  readonly lastActionId: ActionId;
}

/** As much of a seat as tells whether it is taken. */
export type Occupancy = Pick<Booking, 'expiresAt' | 'cancelled' | 'lapsed'>;

export const bookingStatuses = ['held', 'confirmed', 'cancelled', 'expired'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

export const capacityLimit = 500;
export const seatsOfHoldLimit = 20;
export const oneSeat = 1 as SeatCount;

const slotIdPattern = /^[A-Za-z0-9_-]{22}$/;
const holdIdPattern = /^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}$/;
const slotIdLength = 22;

export function parseSlotId(text: string): SlotId | undefined {
  return slotIdPattern.test(text) ? (text as SlotId) : undefined;
}

export function parseHoldId(text: string): HoldId | undefined {
  return holdIdPattern.test(text) ? (text as HoldId) : undefined;
}

export function slotOfHold(hold: HoldId): SlotId {
  return hold.slice(0, slotIdLength) as SlotId;
}

export function parseCapacity(value: number): Capacity | undefined {
  return Number.isInteger(value) && value >= 1 && value <= capacityLimit
    ? (value as Capacity)
    : undefined;
}

export function parseSeatCount(value: number): SeatCount | undefined {
  return Number.isInteger(value) && value >= 1 && value <= seatsOfHoldLimit
    ? (value as SeatCount)
    : undefined;
}

/** The one definition of a taken seat (2); it ends at the very millisecond of `expiresAt`. */
function isTaken(seat: Occupancy, now: Instant): boolean {
  return !hasEnded(seat) && (seat.expiresAt === null || seat.expiresAt > now);
}

export function remainingOf(
  slot: { readonly capacity: Capacity; readonly seats: readonly Occupancy[] },
  now: Instant,
): number {
  return slot.capacity - slot.seats.filter((seat) => isTaken(seat, now)).length;
}

export function statusOf(booking: Occupancy, now: Instant): BookingStatus {
  if (booking.cancelled !== undefined) return 'cancelled';
  if (!isTaken(booking, now)) return 'expired';
  return booking.expiresAt === null ? 'confirmed' : 'held';
}

/** The holds that have seats in the slot, in the order of their first ones. */
function bookingsOf({ id: slot, seats }: DockSlot): readonly Booking[] {
  const bookings = new Map<HoldId, Booking>();
  for (const seat of seats) {
    const others = bookings.get(seat.hold)?.seats ?? 0;
    bookings.set(seat.hold, bookingWith(seat, slot, others + 1));
  }
  return Array.from(bookings.values());
}

function bookingWith(seat: Seat, slot: SlotId, seats: number): Booking {
  const { confirmed, cancelled, expiresAt } = seat;
  return {
    ...firstFacts(seat),
    slot,
    seats,
    expiresAt,
    ...(confirmed === undefined ? {} : { confirmed }),
    ...(cancelled === undefined ? {} : { cancelled }),
  };
}

function firstFacts({ hold, digest, held, heldUntil, purchaseOrder }: HoldFacts): HoldFacts {
  const order = purchaseOrder === undefined ? {} : { purchaseOrder };
  return { hold, digest, held, heldUntil, expiresAt: heldUntil, ...order };
}

export function bookingOf(slot: DockSlot, hold: HoldId): Booking | undefined {
  return bookingsOf(slot).find((booking) => booking.hold === hold);
}

/** Whether its end is told: by then its seats may have left. */
export function hasEnded({ cancelled, lapsed }: Occupancy): boolean {
  return cancelled !== undefined || lapsed === true;
}

/** As it was when it was held. */
export function asHeld(booking: Booking): Booking {
  const { slot, seats } = booking;
  return { ...firstFacts(booking), slot, seats };
}

/** As it was when it was confirmed. */
export function asConfirmed(booking: Booking): Booking {
  const { confirmed } = booking;
  return { ...asHeld(booking), expiresAt: null, ...(confirmed === undefined ? {} : { confirmed }) };
}

export interface Accepted {
  readonly kind: 'accepted';
  readonly after: DockSlot;
  readonly booking: Booking;
  /** The write lands only while the database's clock is before this. */
  readonly until?: Instant;
  /** Holds whose seats leave with this, as they ended (4). */
  readonly leaving: readonly Booking[];
}

export type SlotDecision =
  | Accepted
  /** It is so already: nothing is to be written. */
  | { readonly kind: 'standing'; readonly booking: Booking }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface HoldToTake extends Pick<Booking, 'hold' | 'digest' | 'purchaseOrder'> {
  readonly action: ActionId;
  readonly seats: SeatCount;
  readonly seconds: number;
}

/** All of the seats, or none. */
export function takeSeats(slot: DockSlot, taking: HoldToTake, now: Instant): SlotDecision {
  const standing = bookingOf(slot, taking.hold);
  if (standing !== undefined) return { kind: 'standing', booking: standing };
  if (slot.startsAt <= now) return started(slot);
  const remaining = remainingOf(slot, now);
  if (remaining < taking.seats) {
    const requested = taking.seats;
    return { kind: 'refused', refusal: { code: 'capacity-exhausted', remaining, requested } };
  }
  const { leaving, staying } = makeRoom(slot, taking.seats, now);
  const after = changed(slot, taking.action, [...staying, ...seatsFor(taking, now)]);
  const booking = bookingOf(after, taking.hold);
  if (booking === undefined) throw new TypeError('a hold has at least one seat');
  return { kind: 'accepted', after, booking, until: slot.startsAt, leaving };
}

function seatsFor(taking: HoldToTake, now: Instant): readonly Seat[] {
  const { hold, digest, purchaseOrder, action, seats, seconds } = taking;
  const heldUntil = parseInstant(now + seconds * 1_000);
  if (heldUntil === undefined) throw new TypeError('a hold of whole seconds');
  return Array.from({ length: seats }, (_, index) => ({
    hold,
    seat: index + 1,
    digest,
    held: { action, at: now },
    heldUntil,
    expiresAt: heldUntil,
    ...(purchaseOrder === undefined ? {} : { purchaseOrder }),
  }));
}

/** Which seats leave: none while there is room for those that come, else all that are free (4). */
function makeRoom(
  slot: DockSlot,
  coming: number,
  now: Instant,
): { readonly leaving: readonly Booking[]; readonly staying: readonly Seat[] } {
  const { seats, capacity } = slot;
  if (seats.length + coming <= capacity) return { leaving: [], staying: seats };
  return {
    leaving: bookingsOf(slot)
      .filter((booking) => !isTaken(booking, now))
      .map(asEnded),
    staying: seats.filter((seat) => isTaken(seat, now)),
  };
}

/** What is neither confirmed nor cancelled when it leaves has lapsed. */
function asEnded(booking: Booking): Booking {
  return booking.cancelled === undefined ? { ...booking, lapsed: true } : booking;
}

/** What has ended is judged by its own state; the slot need not hold it any more. */
export function confirmHold(
  slot: DockSlot,
  booking: Booking,
  action: ActionId,
  now: Instant,
): SlotDecision {
  const { hold } = booking;
  switch (statusOf(booking, now)) {
    case 'cancelled':
      return { kind: 'refused', refusal: { code: 'hold-cancelled', hold } };
    case 'confirmed':
      return { kind: 'standing', booking };
    case 'expired':
      return { kind: 'refused', refusal: { code: 'hold-expired', hold } };
    case 'held':
      if (slot.startsAt <= now) return started(slot);
  }
  const until = parseInstant(Math.min(booking.heldUntil, slot.startsAt));
  const facts = { expiresAt: null, confirmed: { action, at: now } } as const;
  return altered(slot, booking, facts, action, until);
}

/** A hold that has lapsed stays so: its seats have come back already. */
export function cancelHold(
  slot: DockSlot,
  booking: Booking,
  action: ActionId,
  now: Instant,
): SlotDecision {
  switch (statusOf(booking, now)) {
    case 'cancelled':
    case 'expired':
      return { kind: 'standing', booking };
    case 'confirmed':
    case 'held': {
      const cancelled = { action, at: now };
      return altered(slot, booking, { cancelled }, action, booking.expiresAt ?? undefined);
    }
  }
}

function altered(
  slot: DockSlot,
  { hold }: Booking,
  facts: Partial<Pick<Seat, 'expiresAt' | 'confirmed' | 'cancelled'>>,
  action: ActionId,
  until: Instant | undefined,
): Accepted {
  const seats = slot.seats.map((seat) => (seat.hold === hold ? { ...seat, ...facts } : seat));
  const after = changed(slot, action, seats);
  const booking = bookingOf(after, hold);
  if (booking === undefined) throw new TypeError('a hold that is taken has its seats in the slot');
  return {
    kind: 'accepted',
    after,
    booking,
    ...(until === undefined ? {} : { until }),
    leaving: [],
  };
}

function changed(slot: DockSlot, lastActionId: ActionId, seats: readonly Seat[]): DockSlot {
  return { ...slot, seats, version: slot.version + 1, lastActionId };
}

/** The same slot under another version: nothing that was decided on it before lands any more. */
export function passedBy(slot: DockSlot, action: ActionId): DockSlot {
  return changed(slot, action, slot.seats);
}

function started({ id: slot }: DockSlot): SlotDecision {
  return { kind: 'refused', refusal: { code: 'slot-started', slot } };
}

export const bookingEvents = ['held', 'confirmed', 'cancelled', 'lapsed'] as const;
export type BookingEvent = (typeof bookingEvents)[number];

/** What happened to a hold, with the hold as it stood then. */
export interface BookingEntry {
  readonly event: BookingEvent;
  readonly at: Instant;
  readonly booking: Booking;
}

/** All that happened to a hold so far, oldest first. */
export function entriesOf(booking: Booking): readonly BookingEntry[] {
  const { held, heldUntil, confirmed, cancelled, lapsed } = booking;
  const first: BookingEntry = { event: 'held', at: held.at, booking: asHeld(booking) };
  return [
    first,
    ...(confirmed === undefined
      ? []
      : [{ event: 'confirmed', at: confirmed.at, booking: asConfirmed(booking) } as const]),
    ...(cancelled === undefined
      ? []
      : [{ event: 'cancelled', at: cancelled.at, booking } as const]),
    ...(lapsed === undefined ? [] : [{ event: 'lapsed', at: heldUntil, booking } as const]),
  ];
}

/** The hold as its entries leave it: what ended it says all that happened before. */
export function bookingFrom(entries: readonly BookingEntry[]): Booking | undefined {
  const ended: readonly BookingEvent[] = ['cancelled', 'lapsed', 'confirmed', 'held'];
  return ended
    .map((event) => entries.find((entry) => entry.event === event))
    .find((entry) => entry !== undefined)?.booking;
}
