/** Reservations, as answers show them. */
import { z } from 'zod';
import { movementShown, reservationStates } from './movement.ts';
import type { Shown } from './shown.ts';
import { instantShown, units } from './shown.ts';

const reservation = {
  id: z.string(),
  sku: z.string(),
  location: z.string(),
  quantity: units,
  expiresAt: instantShown.nullable().meta({ description: 'null: it is held until it is ended.' }),
  state: z.enum(reservationStates),
};

export const reservationShown = z.strictObject(reservation).meta({
  id: 'Reservation',
  examples: [
    {
      id: 'q0vJ3cN1m8Xw2aZ7kPbTfg',
      sku: 'TEA-100',
      location: 'A-01',
      quantity: 10,
      expiresAt: '2030-01-31T12:10:00.000Z',
      state: 'held',
    },
  ],
});
export type ReservationShown = Shown<typeof reservationShown>;

export const committedShown = z
  .strictObject({ ...reservation, movement: movementShown })
  .meta({ id: 'CommittedReservation' });
