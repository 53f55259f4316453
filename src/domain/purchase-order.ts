/**
 * Purchase orders: what a supplier is to bring, and what of it has come in.
 *
 * 1. Of a line no more is received than was ordered and its tolerance allows. All lines of a
 *    receipt are judged together, and are credited together or not at all.
 * 2. Of each receipt under way the order keeps what it decided, until the receipt's own record
 *    says so too. Whoever asks again meanwhile finds the decision and makes no second one.
 * 3. A refusal is kept in the same way as a credit, so that it cannot turn into one for a runner
 *    that comes late.
 * 4. A line is never taken out and stays with its SKU: a receipt under way finds it as it was.
 */
import type { HoldId } from './dock-slot.ts';
import type { Brand, OrderNumber, Sku, WarehouseId } from './ids.ts';
import type { Quantity } from './quantity.ts';
import type { Refusal } from './refusal.ts';

export type ReceiptId = Brand<string, 'ReceiptId'>;
/** 0 to 1,000 percent, with at most two decimals. */
export type Percent = Brand<number, 'Percent'>;

export const orderLinesLimit = 500;
export const lineNumberLimit = 1_000_000_000;
export const percentLimit = 1_000;
/** So many receipts of one order may be under way at a time; it bounds the document. */
export const outcomesLimit = 200;

export interface OrderLine {
  readonly line: number;
  readonly sku: Sku;
  /** Both in base units. */
  readonly ordered: Quantity;
  readonly received: number;
  /** The order's own where it is left out. */
  readonly overReceiptPercent?: Percent;
}

export type OrderStanding = 'open' | 'closed' | 'cancelled';

/** What the order decided for a receipt whose record does not say so yet. */
export type ReceiptOutcome = { readonly receipt: ReceiptId; readonly attempt: number } & (
  | { readonly kind: 'credited' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The credit of lines that could not be stocked was taken back. */
  | { readonly kind: 'returned' }
  /** The credit of lines that were reversed was taken back. */
  | { readonly kind: 'reversed' }
);

/** A hold at the dock that a delivery of the order has, or is about to get. */
export interface Appointment {
  readonly hold: HoldId;
  readonly warehouse: WarehouseId;
  /** The order was cancelled, and the hold has no seat any more and gets none. */
  readonly givenUp?: true;
}

export interface PurchaseOrder {
  readonly number: OrderNumber;
  readonly supplier: string;
  readonly standing: OrderStanding;
  readonly lines: readonly OrderLine[];
  readonly overReceiptPercent?: Percent;
  readonly outcomes: readonly ReceiptOutcome[];
  readonly appointments: readonly Appointment[];
  readonly version: number;
}

/** Units of one line of the order; a line may occur more than once. */
export interface LineQuantity {
  readonly line: number;
  readonly quantity: number;
}

export const orderStatuses = ['open', 'partial', 'complete', 'closed', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];
export type OrderLineStatus = 'open' | 'partial' | 'complete' | 'over';

const receiptIdPattern = /^[A-Za-z0-9_-]{22}$/;

export function parseReceiptId(text: string): ReceiptId | undefined {
  return receiptIdPattern.test(text) ? (text as ReceiptId) : undefined;
}

export function parsePercent(value: number): Percent | undefined {
  const isInRange = value >= 0 && value <= percentLimit;
  return isInRange && hundredths(value) / 100 === value ? ((0 + value) as Percent) : undefined;
}

function hundredths(percent: number): number {
  return Math.round(percent * 100);
}

/** The most that may be received of so many, rounded down. The product stays below 2^53. */
export function receivableAtMost(ordered: number, percent: number): number {
  const product = ordered * (10_000 + hundredths(percent));
  return (product - (product % 10_000)) / 10_000;
}

export function limitOf(order: PurchaseOrder, line: OrderLine): number {
  const percent = line.overReceiptPercent ?? order.overReceiptPercent ?? 0;
  return receivableAtMost(line.ordered, percent);
}

export function remainingOf({ ordered, received }: OrderLine): number {
  return Math.max(0, ordered - received);
}

export function lineStatusOf({ ordered, received }: OrderLine): OrderLineStatus {
  if (received === 0) return 'open';
  if (received < ordered) return 'partial';
  return received === ordered ? 'complete' : 'over';
}

export function statusOf({ standing, lines }: PurchaseOrder): OrderStatus {
  if (standing !== 'open') return standing;
  if (lines.every((line) => line.received >= line.ordered)) return 'complete';
  return lines.some((line) => line.received > 0) ? 'partial' : 'open';
}

/** Why these units cannot be received; undefined where they can. */
export function refusalOfReceipt(
  order: PurchaseOrder,
  asked: readonly LineQuantity[],
): Refusal | undefined {
  if (order.standing !== 'open') return closed(order);
  for (const [number, requested] of totals(asked)) {
    const line = order.lines.find((candidate) => candidate.line === number);
    if (line === undefined) return { code: 'unknown-line', line: number };
    const receivable = limitOf(order, line) - line.received;
    if (requested > receivable) {
      const { ordered, received } = line;
      const remaining = remainingOf(line);
      return { code: 'over-receipt', line: number, ordered, received, remaining, requested };
    }
  }
  return undefined;
}

export function closed({ number, standing }: PurchaseOrder): Refusal {
  return { code: 'purchase-order-closed', number, standing };
}

function totals(quantities: readonly LineQuantity[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { line, quantity } of quantities) sums.set(line, (sums.get(line) ?? 0) + quantity);
  return sums;
}

export interface ReceiptAttempt {
  readonly receipt: ReceiptId;
  readonly attempt: number;
}

export function outcomeOf(
  order: PurchaseOrder,
  { receipt, attempt }: ReceiptAttempt,
): ReceiptOutcome | undefined {
  return order.outcomes.find((kept) => kept.receipt === receipt && kept.attempt === attempt);
}

export function isFull(order: PurchaseOrder): boolean {
  return order.outcomes.length >= outcomesLimit;
}

/** The order with its decision on a receipt that it has not decided yet (1, 2, 3). */
export function decideReceipt(
  order: PurchaseOrder,
  { receipt, attempt }: ReceiptAttempt,
  asked: readonly LineQuantity[],
): PurchaseOrder {
  const refusal = refusalOfReceipt(order, asked);
  return refusal === undefined
    ? keeping(received(order, asked, 1), { receipt, attempt, kind: 'credited' })
    : keeping(order, { receipt, attempt, kind: 'refused', refusal });
}

/** The order after a receipt's credit for some units was taken back. */
export function takeBack(
  order: PurchaseOrder,
  { receipt, attempt }: ReceiptAttempt,
  kind: 'returned' | 'reversed',
  units: readonly LineQuantity[],
): PurchaseOrder {
  return keeping(received(order, units, -1), { receipt, attempt, kind });
}

/** The order without what it kept of a receipt, whose record says it by now. */
export function letGo(order: PurchaseOrder, receipt: ReceiptId): PurchaseOrder {
  return { ...order, outcomes: order.outcomes.filter((kept) => kept.receipt !== receipt) };
}

function keeping(order: PurchaseOrder, outcome: ReceiptOutcome): PurchaseOrder {
  const { outcomes } = letGo(order, outcome.receipt);
  return { ...order, outcomes: [...outcomes, outcome] };
}

function received(
  order: PurchaseOrder,
  units: readonly LineQuantity[],
  sign: 1 | -1,
): PurchaseOrder {
  const sums = totals(units);
  const lines = order.lines.map((line) => {
    const sum = sums.get(line.line);
    return sum === undefined ? line : { ...line, received: line.received + sign * sum };
  });
  return { ...order, lines };
}
