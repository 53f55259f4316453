/** Purchase orders and their receipts, as answers show them. */
import { z } from 'zod';
import { bookingStatuses } from '../../domain/dock-slot.ts';
import { orderStatuses } from '../../domain/purchase-order.ts';
import type { Shown } from './shown.ts';
import { instantShown, ordinal, units } from './shown.ts';

const percent = z.number().exactOptional();

const appointmentShown = z.strictObject({
  /** Of the hold at the dock. */
  id: z.string(),
  slot: z.string(),
  warehouse: z.string(),
  seats: z.int().min(1),
  status: z.enum(bookingStatuses),
  expiresAt: instantShown.nullable(),
});
export type AppointmentShown = Shown<typeof appointmentShown>;

export const orderShown = z
  .strictObject({
    number: z.string(),
    supplier: z.string(),
    status: z.enum(orderStatuses),
    overReceiptPercent: percent,
    lines: z.array(
      z.strictObject({
        line: z.int(),
        sku: z.string(),
        ordered: units,
        received: units,
        remaining: units.min(0),
        status: z.enum(['open', 'partial', 'complete', 'over']),
        overReceiptPercent: percent,
      }),
    ),
    appointments: z
      .array(appointmentShown)
      .exactOptional()
      .meta({ description: 'Where one order is shown; within the warehouses of the key.' }),
  })
  .meta({
    id: 'PurchaseOrder',
    examples: [
      {
        number: 'PO-7',
        supplier: 'Leaf & Sons',
        status: 'open',
        lines: [
          { line: 1, sku: 'TEA-100', ordered: 120, received: 0, remaining: 120, status: 'open' },
        ],
      },
    ],
  });
export type OrderShown = Shown<typeof orderShown>;

/** Why a line could not be stocked, or not be taken back: the code of a problem. */
const code = z.string();

export const receiptShown = z
  .strictObject({
    id: z.string(),
    number: z.string(),
    status: z.enum(['in_progress', 'refused', 'completed', 'reversing', 'reversed']),
    lines: z.array(
      z.strictObject({
        line: z.int(),
        sku: z.string(),
        location: z.string(),
        quantity: units,
        ordinal: ordinal.exactOptional(),
        status: z.literal('failed').exactOptional(),
        code: code.exactOptional(),
        reversal: z
          .union([
            z.strictObject({ ordinal }),
            z.strictObject({ status: z.enum(['reversed', 'failed']), code }),
          ])
          .exactOptional(),
      }),
    ),
    reference: z.string().exactOptional(),
    appointment: z.string().exactOptional(),
    actor: z.string(),
    at: instantShown,
  })
  .meta({ id: 'Receipt' });
export type ReceiptShown = Shown<typeof receiptShown>;
