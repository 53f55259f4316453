/**
 * Changes that callers make to an order: new lines, other quantities, its end.
 *
 * 1. A line goes on allowing what was received of it: neither its quantity nor a tolerance is
 *    lowered below that.
 * 2. A line that was ordered before stays with its SKU and is never taken out.
 * 3. An order that has ended is changed no more.
 */
import type { Sku } from './ids.ts';
import type { OrderLine, OrderStanding, Percent, PurchaseOrder } from './purchase-order.ts';
import { closed, limitOf, orderLinesLimit } from './purchase-order.ts';
import type { Quantity } from './quantity.ts';
import type { Refusal } from './refusal.ts';

/** What is named changes; in base units. */
export interface OrderAlteration {
  readonly supplier?: string;
  /** null: none any more. */
  readonly overReceiptPercent?: Percent | null;
  readonly lines: readonly LineAlteration[];
}

export interface LineAlteration {
  readonly line: number;
  readonly sku?: Sku;
  readonly ordered?: Quantity;
  /** null: the order's own. */
  readonly overReceiptPercent?: Percent | null;
}

export type OrderDecision =
  | { readonly kind: 'accepted'; readonly order: PurchaseOrder }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function alterOrder(order: PurchaseOrder, alteration: OrderAlteration): OrderDecision {
  if (order.standing !== 'open') return { kind: 'refused', refusal: closed(order) };
  const { overReceiptPercent: percent, supplier = order.supplier } = alteration;
  const lines = new Map(order.lines.map((line) => [line.line, line]));
  for (const [index, altered] of alteration.lines.entries()) {
    const line = alterLine(lines.get(altered.line), altered);
    if (typeof line === 'string') return invalid(`/lines/${index}/${line}`, reasons[line]);
    lines.set(altered.line, line);
  }
  if (lines.size > orderLinesLimit) {
    return invalid('/lines', `an order has at most ${orderLinesLimit} lines`);
  }
  const { overReceiptPercent: before, ...rest } = order;
  const after: PurchaseOrder = {
    ...rest,
    supplier,
    lines: Array.from(lines.values()),
    ...percentOf(before, percent),
  };
  const refusal = belowReceived(order, after);
  return refusal === undefined ? { kind: 'accepted', order: after } : { kind: 'refused', refusal };
}

const reasons = {
  sku: 'stays what it was for a line that is there, and is required for a new one',
  ordered: 'is required for a new line',
} as const;

function alterLine(
  line: OrderLine | undefined,
  { line: number, sku, ordered, overReceiptPercent: percent }: LineAlteration,
): OrderLine | keyof typeof reasons {
  if (line === undefined) {
    if (sku === undefined) return 'sku';
    if (ordered === undefined) return 'ordered';
    return { line: number, sku, ordered, received: 0, ...percentOf(undefined, percent) };
  }
  if (sku !== undefined && sku !== line.sku) return 'sku';
  const { overReceiptPercent: before, ...rest } = line;
  return { ...rest, ordered: ordered ?? line.ordered, ...percentOf(before, percent) };
}

function percentOf(
  before: Percent | undefined,
  after: Percent | null | undefined,
): { readonly overReceiptPercent?: Percent } {
  const percent = after === undefined ? before : after;
  return percent === undefined || percent === null ? {} : { overReceiptPercent: percent };
}

function belowReceived(before: PurchaseOrder, after: PurchaseOrder): Refusal | undefined {
  const ordered = new Map(before.lines.map((line) => [line.line, line.ordered]));
  const short = after.lines.find((line) => {
    const isLowered = line.ordered < (ordered.get(line.line) ?? 0);
    return (isLowered && line.ordered < line.received) || limitOf(after, line) < line.received;
  });
  if (short === undefined) return undefined;
  const { line, received } = short;
  return { code: 'below-received', line, ordered: short.ordered, received };
}

function invalid(path: string, message: string): OrderDecision {
  return { kind: 'refused', refusal: { code: 'validation', errors: [{ path, message }] } };
}

export function endOrder(
  order: PurchaseOrder,
  standing: Exclude<OrderStanding, 'open'>,
): OrderDecision {
  return order.standing === 'open'
    ? { kind: 'accepted', order: { ...order, standing } }
    : { kind: 'refused', refusal: closed(order) };
}
