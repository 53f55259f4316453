/** What requests about orders and receipts may say. */
import { z } from 'zod';
import { parseHoldId } from '../domain/dock-slot.ts';
import { parseInstant, parseOrderNumber } from '../domain/ids.ts';
import {
  lineNumberLimit,
  orderLinesLimit,
  orderStatuses,
  parsePercent,
  parseReceiptId,
  percentLimit,
} from '../domain/purchase-order.ts';
import { receiptLinesLimit } from '../domain/receipt.ts';
import {
  freeText,
  label,
  locationId,
  number,
  page,
  quantity,
  said,
  skuId,
  string,
  through,
  unitName,
} from './schemas.ts';

export const orderNumber = through(
  string,
  parseOrderNumber,
  'must be 1 to 64 printable characters without white space at either end, not . or ..',
).meta({ minLength: 1, maxLength: 64 });

const lineNumber = through(
  number,
  (value) =>
    Number.isInteger(value) && value >= 1 && value <= lineNumberLimit ? value : undefined,
  `must be a whole number from 1 to ${lineNumberLimit}`,
).meta({ type: 'integer', minimum: 1, maximum: lineNumberLimit });

const percent = through(
  number,
  parsePercent,
  `must be a number from 0 to ${percentLimit} with at most two decimals`,
).meta({ minimum: 0, maximum: percentLimit, description: 'At most two decimals.' });

export const orderPath = z.strictObject({ number: orderNumber });
/** Any text for the id: the service makes ids, so what is none of its names no receipt. */
export const receiptPath = z.strictObject({ number: orderNumber, id: string });

function eachLineOnce(
  { lines }: { readonly lines?: readonly { readonly line: number }[] },
  context: z.RefinementCtx,
): void {
  const seen = new Set<number>();
  for (const [index, { line }] of (lines ?? []).entries()) {
    const path = ['lines', index, 'line'];
    if (seen.has(line)) context.addIssue({ code: 'custom', path, message: 'is listed twice' });
    seen.add(line);
  }
}

export const orderBody = z
  .strictObject({
    number: orderNumber,
    supplier: label(200),
    lines: z
      .array(
        z.strictObject({
          line: lineNumber,
          sku: skuId,
          ordered: quantity,
          unit: unitName.exactOptional(),
          overReceiptPercent: percent.exactOptional(),
        }),
      )
      .min(1)
      .max(orderLinesLimit),
    overReceiptPercent: percent.exactOptional(),
  })
  .superRefine(eachLineOnce);

/** What is left out stays; a line number that the order has not yet is a new line. */
export const orderChangeBody = z
  .strictObject({
    supplier: label(200).exactOptional(),
    overReceiptPercent: percent.nullable().exactOptional(),
    lines: z
      .array(
        z
          .strictObject({
            line: lineNumber,
            sku: skuId.exactOptional(),
            ordered: quantity.exactOptional(),
            unit: unitName.exactOptional(),
            overReceiptPercent: percent.nullable().exactOptional(),
          })
          .superRefine(({ unit, ordered }, context) => {
            if (unit === undefined || ordered !== undefined) return;
            const message = 'says nothing without ordered';
            context.addIssue({ code: 'custom', path: ['unit'], message });
          }),
      )
      .min(1)
      .max(orderLinesLimit)
      .exactOptional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'must name what changes')
  .superRefine(eachLineOnce);

/** Nothing is said of an end. */
export const orderEndBody = z.strictObject({});

export const ordersQuery = z.strictObject({
  ...page,
  status: z.enum(orderStatuses).exactOptional(),
});

/** A line of the order may occur more than once, such as for two locations. */
export const receiptBody = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        line: lineNumber,
        location: locationId,
        quantity,
        unit: unitName.exactOptional(),
      }),
    )
    .min(1)
    .max(receiptLinesLimit),
  reference: freeText.exactOptional(),
  appointment: through(string, parseHoldId, 'must be the id of a hold at the dock').exactOptional(),
});

export const receiptReversalBody = z.strictObject(said);

/** A receipt's place among those of its order, as a cursor holds it. */
export const receiptPlace = z.strictObject({
  at: through(number, parseInstant, 'must be milliseconds'),
  id: through(string, parseReceiptId, 'must be the id of a receipt'),
});
