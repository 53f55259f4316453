/** Reservations: units promised to somebody until a moment of the database's clock. */
import type { Digest, Instant, LocationId } from './ids.ts';
import type { Quantity } from './quantity.ts';

export interface Reservation {
  readonly id: string;
  readonly location: LocationId;
  readonly quantity: Quantity;
  /** null: until it is committed or released. */
  readonly expiresAt: Instant | null;
  /** Of the request that made it. */
  readonly digest: Digest;
}

export const reservationLimit = 1_000;

/** The one definition of a live hold: it ends at the very millisecond of `expiresAt`. */
export function isLive(reservation: Reservation, now: Instant): boolean {
  return reservation.expiresAt === null || reservation.expiresAt > now;
}
