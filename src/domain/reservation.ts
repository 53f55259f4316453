/** Reservations: units promised to somebody until a moment of the database's clock. */
import type { Brand, Digest, Instant, LocationId } from './ids.ts';
import type { Quantity } from './quantity.ts';

export type ReservationId = Brand<string, 'ReservationId'>;
/** 1 to 2,592,000 seconds, which are 30 days. */
export type HoldSeconds = Brand<number, 'HoldSeconds'>;

export interface Reservation {
  readonly id: ReservationId;
  readonly location: LocationId;
  readonly quantity: Quantity;
  /** null: until it is committed or released. */
  readonly expiresAt: Instant | null;
  /** The ordinal of the movement that made or last changed it. */
  readonly changedAt: number;
  /** Of the request that made it. */
  readonly digest: Digest;
}

export type ReservationState = 'held' | 'expired' | 'committed' | 'released';

/** What a movement records of the reservation it concerns: as it stood after the movement. */
export interface ReservationRecord {
  readonly id: ReservationId;
  readonly location: LocationId;
  /** Units still held; of an ended one, those that were held last. */
  readonly quantity: Quantity;
  readonly expiresAt: Instant | null;
  readonly state: ReservationState;
}

export const reservationLimit = 1_000;
export const holdSecondsLimit = 2_592_000;

const idPattern = /^[A-Za-z0-9_-]{22}$/;

export function parseReservationId(text: string): ReservationId | undefined {
  return idPattern.test(text) ? (text as ReservationId) : undefined;
}

export function parseHoldSeconds(value: number): HoldSeconds | undefined {
  return Number.isInteger(value) && value >= 1 && value <= holdSecondsLimit
    ? (value as HoldSeconds)
    : undefined;
}

/** The one definition of a live hold: it ends at the very millisecond of `expiresAt`. */
export function isLive(reservation: Reservation, now: Instant): boolean {
  return reservation.expiresAt === null || reservation.expiresAt > now;
}

/** When a hold that is made or renewed now will end. */
export function expiryOf(seconds: HoldSeconds | null, now: Instant): Instant | null {
  return seconds === null ? null : ((now + seconds * 1_000) as Instant);
}

export function recordOf(reservation: Reservation, state: ReservationState): ReservationRecord {
  const { id, location, quantity, expiresAt } = reservation;
  return { id, location, quantity, expiresAt, state };
}

/** Those that have lapsed, the one that lapsed first before the others. */
export function lapsed(reservations: readonly Reservation[], now: Instant): readonly Reservation[] {
  return reservations
    .filter((reservation) => !isLive(reservation, now))
    .toSorted((one, other) => (one.expiresAt ?? 0) - (other.expiresAt ?? 0));
}
