/** A movement as every answer shows it. */
import type { Movement } from '../domain/movement.ts';
import type { ReservationRecord } from '../domain/reservation.ts';
import type { MovementShown } from './answers/movement.ts';
import { instantText, instantTextOrNull } from './instant-text.ts';

export function movementView(movement: Movement): MovementShown {
  const { actionId, sku, ordinal, type, lines, actor, at } = movement;
  const { reason, reference, note, reservation, reverses } = movement;
  return {
    actionId,
    sku,
    ordinal,
    type,
    lines: lines.map(({ location, delta, onHand }) => ({ location, delta, onHand })),
    ...(reason !== undefined && { reason }),
    ...(reference !== undefined && { reference }),
    ...(note !== undefined && { note }),
    ...(reservation !== undefined && { reservation: recordView(reservation) }),
    ...(reverses !== undefined && { reverses }),
    actor,
    at: instantText(at),
  };
}

/** The reservation as it stood after the movement. */
function recordView(record: ReservationRecord): NonNullable<MovementShown['reservation']> {
  const { id, location, quantity, expiresAt, state } = record;
  return { id, location, quantity, expiresAt: instantTextOrNull(expiresAt), state };
}
