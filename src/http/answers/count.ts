/** Stock counts, as answers show them. */
import { z } from 'zod';
import { countStatuses } from '../../domain/stock-count.ts';
import type { Shown } from './shown.ts';
import { instantShown, ordinal, units } from './shown.ts';

const head = {
  id: z.string(),
  status: z.enum(countStatuses),
  blind: z.boolean(),
  locations: z.array(z.string()),
  skus: z.array(z.string()).exactOptional(),
  openedBy: z.string(),
  openedAt: instantShown,
  closedBy: z.string().exactOptional(),
  closedAt: instantShown.exactOptional(),
  cancelledBy: z.string().exactOptional(),
  cancelledAt: instantShown.exactOptional(),
};

const line = {
  sku: z.string(),
  location: z.string(),
  expected: units
    .meta({ description: 'On hand when the count was opened; not shown where it is blind.' })
    .exactOptional(),
  counted: units.nullable(),
  asOfOrdinal: z.int().min(0).exactOptional(),
  onHand: units
    .meta({ description: 'On hand after that ordinal; not shown where it is blind.' })
    .exactOptional(),
  countedBy: z.string().exactOptional(),
  variance: units
    .nullable()
    .meta({ description: 'Counted less on hand; null where nothing was counted.' })
    .exactOptional(),
  outcome: z.enum(['adjusted', 'unchanged', 'uncounted', 'recount']).exactOptional(),
  ordinal: ordinal.exactOptional(),
  code: z
    .string()
    .meta({ description: 'Of a `recount`: why the variance could not be posted.' })
    .exactOptional(),
};

const lineOfCount = z.strictObject(line);
export type CountLineShown = Shown<typeof lineOfCount>;

export const countShown = z
  .strictObject({ ...head, lines: z.array(lineOfCount) })
  .meta({ id: 'StockCount' });
export type CountShown = Shown<typeof countShown>;

export const countSummaryShown = z
  .strictObject({ ...head, lineCount: z.int().min(0), countedCount: z.int().min(0) })
  .meta({ id: 'StockCountSummary' });

export const countLineShown = z
  .strictObject({ count: z.string(), ...line })
  .meta({ id: 'StockCountLine' });
