/** What requests about the dock may say. */
import { z } from 'zod';
import {
  capacityLimit,
  oneSeat,
  parseCapacity,
  parseSeatCount,
  parseSlotId,
  seatsOfHoldLimit,
} from '../domain/dock-slot.ts';
import { parseInstant } from '../domain/ids.ts';
import { orderNumber } from './order-schemas.ts';
import { instant, number, page, string, through, warehouseId } from './schemas.ts';

/** Any text for the ids: the service makes them, so what is none of them names nothing. */
export const slotPath = z.strictObject({ slot: string });
export const dockHoldPath = z.strictObject({ id: string });

export const slotBody = z
  .strictObject({
    warehouse: warehouseId,
    startsAt: instant,
    endsAt: instant,
    capacity: through(
      number,
      parseCapacity,
      `must be a whole number from 1 to ${capacityLimit}`,
    ).meta({ type: 'integer', minimum: 1, maximum: capacityLimit }),
  })
  .refine(({ startsAt, endsAt }) => startsAt < endsAt, {
    path: ['endsAt'],
    error: 'must be later than startsAt',
  });

export const dockHoldBody = z.strictObject({
  seats: through(number, parseSeatCount, `must be a whole number from 1 to ${seatsOfHoldLimit}`)
    .meta({ type: 'integer', minimum: 1, maximum: seatsOfHoldLimit })
    .default(oneSeat),
  purchaseOrder: orderNumber.exactOptional(),
});

/** Nothing is said of a confirmation. */
export const confirmBody = z.strictObject({});

export const slotsQuery = z.strictObject({
  ...page,
  warehouse: warehouseId.exactOptional(),
  from: instant.exactOptional(),
  to: instant.exactOptional(),
});

export const availabilityQuery = z.strictObject({ warehouse: warehouseId.exactOptional() });

/** A slot's place among all, as a cursor holds it. */
export const slotPlace = z.strictObject({
  startsAt: through(number, parseInstant, 'must be milliseconds'),
  id: through(string, parseSlotId, 'must be the id of a slot'),
});
