/** Dock slots and holds, as answers show them. */
import { z } from 'zod';
import { bookingStatuses, capacityLimit, seatsOfHoldLimit } from '../../domain/dock-slot.ts';
import type { Shown } from './shown.ts';
import { instantShown } from './shown.ts';

const opened = {
  slot: z.string(),
  warehouse: z.string(),
  startsAt: instantShown,
  endsAt: instantShown,
  capacity: z.int().min(1).max(capacityLimit),
};

export const slotShown = z.strictObject(opened).meta({ id: 'DockSlot' });
export type SlotShown = Shown<typeof slotShown>;

export const slotAvailabilityShown = z
  .strictObject({
    ...opened,
    remaining: z
      .int()
      .min(0)
      .meta({ description: 'Places that are neither confirmed nor held; advice, not a promise.' }),
  })
  .meta({ id: 'DockSlotAvailability' });
export type SlotAvailabilityShown = Shown<typeof slotAvailabilityShown>;

export const dockHoldShown = z
  .strictObject({
    id: z.string(),
    slot: z.string(),
    seats: z.int().min(1).max(seatsOfHoldLimit),
    status: z.enum(bookingStatuses),
    expiresAt: instantShown
      .nullable()
      .meta({ description: 'When the hold lapses, or lapsed; null once it is confirmed.' }),
    purchaseOrder: z.string().exactOptional(),
    heldAt: instantShown,
    confirmedAt: instantShown.exactOptional(),
    cancelledAt: instantShown.exactOptional(),
  })
  .meta({ id: 'DockHold' });
export type DockHoldShown = Shown<typeof dockHoldShown>;
