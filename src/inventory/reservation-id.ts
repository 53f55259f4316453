/**
 * The id of a reservation, made from the action that makes it: a repeat of the action, through
 * whichever process, makes the same id, and nobody has to keep one in between.
 */
import { createHash } from 'node:crypto';
import type { ActionId } from '../domain/ids.ts';
import type { ReservationId } from '../domain/reservation.ts';
import { parseReservationId } from '../domain/reservation.ts';

/** 128 bits: no two of any number of actions that a stock can see will meet. */
const idBytes = 16;

export function reservationIdOf(action: ActionId): ReservationId {
  const digest = createHash('sha256').update(action).digest();
  const id = parseReservationId(digest.subarray(0, idBytes).toString('base64url'));
  if (id === undefined) throw new TypeError('16 bytes make 22 characters of base64url');
  return id;
}
