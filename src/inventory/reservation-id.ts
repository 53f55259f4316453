/** The id of a reservation. */
import type { ActionId } from '../domain/ids.ts';
import type { ReservationId } from '../domain/reservation.ts';
import { parseReservationId } from '../domain/reservation.ts';
import { derivedId } from './derived-id.ts';

export function reservationIdOf(action: ActionId): ReservationId {
  return derivedId(action, parseReservationId);
}
