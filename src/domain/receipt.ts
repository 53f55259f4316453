/**
 * Receipts of purchase orders. The record of a receipt is the record of the saga that carries it
 * out: what it waits for next can be read off it.
 *
 * 1. What was found for a line is never changed: its movement, or the `void` that took its id.
 * 2. A refused receipt may be tried again, under the next attempt's number; before any of its
 *    lines was stocked.
 * 3. A receipt is reversed at most once.
 */
import type { ActionId, Actor, Instant, LocationId, OrderNumber, Sku } from './ids.ts';
import type { MovementText } from './movement.ts';
import type { Appointment, LineQuantity, ReceiptId } from './purchase-order.ts';
import type { Quantity } from './quantity.ts';
import type { Refusal, RefusalCode } from './refusal.ts';

/** Whether the goods came in, or left again, and by which movement. */
export type LineOutcome =
  | { readonly kind: 'moved'; readonly ordinal: number }
  | { readonly kind: 'failed'; readonly code: RefusalCode };

export interface ReceiptLine {
  /** Of the order. */
  readonly line: number;
  readonly sku: Sku;
  readonly location: LocationId;
  /** In base units. */
  readonly quantity: Quantity;
  readonly stocked?: LineOutcome;
  readonly reversed?: LineOutcome;
}

export type ReceiptState =
  /** Waits for the order's decision. */
  | 'pending'
  /** The order has refused it. */
  | 'refused'
  /** Waits for its lines to be stocked. */
  | 'credited'
  /** Waits for the order to take back the credit of lines that could not be stocked. */
  | 'returning'
  | 'completed'
  /** Waits for the movements of its lines to be undone. */
  | 'reversing'
  /** Waits for the order to take back the credit of lines that were undone. */
  | 'uncrediting'
  | 'reversed';

export interface ReceiptReversal extends MovementText {
  readonly by: ActionId;
  readonly actor: Actor;
}

export interface Receipt {
  readonly id: ReceiptId;
  readonly number: OrderNumber;
  readonly lines: readonly ReceiptLine[];
  readonly attempt: number;
  readonly state: ReceiptState;
  /** The order may still keep what it decided for this receipt. */
  readonly onOrder: boolean;
  readonly refusal?: Refusal;
  readonly reversal?: ReceiptReversal;
  readonly reference?: string;
  /** On which it arrived. */
  readonly appointment?: Pick<Appointment, 'hold' | 'warehouse'>;
  readonly actor: Actor;
  /** The database's clock when it was asked for. */
  readonly at: Instant;
}

export const receiptLinesLimit = 500;
/** So many lines are stocked at a time; their outcomes are recorded together. */
const linesAtOnce = 50;

export type ReceiptStep =
  | { readonly kind: 'credit' }
  | { readonly kind: 'stock'; readonly lines: readonly number[] }
  | { readonly kind: 'take-back'; readonly as: 'returned' | 'reversed' }
  | { readonly kind: 'undo'; readonly lines: readonly number[] }
  | { readonly kind: 'let-go' };

/** What the receipt waits for; undefined where it waits for nothing more. */
export function nextStep(receipt: Receipt): ReceiptStep | undefined {
  switch (receipt.state) {
    case 'pending':
      return { kind: 'credit' };
    case 'credited':
      return { kind: 'stock', lines: unstocked(receipt).slice(0, linesAtOnce) };
    case 'returning':
      return { kind: 'take-back', as: 'returned' };
    case 'reversing':
      return { kind: 'undo', lines: standing(receipt).slice(0, linesAtOnce) };
    case 'uncrediting':
      return { kind: 'take-back', as: 'reversed' };
    case 'refused':
    case 'completed':
    case 'reversed':
      return receipt.onOrder ? { kind: 'let-go' } : undefined;
  }
}

/** The positions of lines that have no outcome yet. */
function unstocked({ lines }: Receipt): readonly number[] {
  return positions(lines, ({ stocked }) => stocked === undefined);
}

/** The positions of stocked lines that have not been looked at for the reversal yet. */
function standing({ lines }: Receipt): readonly number[] {
  return positions(
    lines,
    ({ stocked, reversed }) => stocked?.kind === 'moved' && reversed === undefined,
  );
}

function positions(
  lines: readonly ReceiptLine[],
  wanted: (line: ReceiptLine) => boolean,
): readonly number[] {
  return Array.from(lines.entries()).flatMap(([index, line]) => (wanted(line) ? [index] : []));
}

/** The receipt once these lines' outcomes, by their positions, are known. */
export function afterStocking(
  receipt: Receipt,
  outcomes: ReadonlyMap<number, LineOutcome>,
): Receipt {
  const lines = withOutcomes(receipt, outcomes, 'stocked');
  const after: Receipt = { ...receipt, lines };
  if (unstocked(after).length > 0) return after;
  return {
    ...after,
    state: creditToTakeBack(after, 'returned').length > 0 ? 'returning' : 'completed',
  };
}

export function afterUndoing(
  receipt: Receipt,
  outcomes: ReadonlyMap<number, LineOutcome>,
): Receipt {
  const lines = withOutcomes(receipt, outcomes, 'reversed');
  const after: Receipt = { ...receipt, lines };
  if (standing(after).length > 0) return after;
  return {
    ...after,
    state: creditToTakeBack(after, 'reversed').length > 0 ? 'uncrediting' : 'reversed',
  };
}

function withOutcomes(
  { lines }: Receipt,
  outcomes: ReadonlyMap<number, LineOutcome>,
  member: 'stocked' | 'reversed',
): readonly ReceiptLine[] {
  return lines.map((line, index) => {
    const outcome = outcomes.get(index);
    return outcome === undefined ? line : { ...line, [member]: outcome };
  });
}

/** The units whose credit the order takes back, for good or with a reversal. */
export function creditToTakeBack(
  { lines }: Receipt,
  as: 'returned' | 'reversed',
): readonly LineQuantity[] {
  return lines.filter(({ stocked, reversed }) =>
    as === 'returned' ? stocked?.kind === 'failed' : isUndone(reversed),
  );
}

/** Goods that somebody else had sent back before count as undone. */
export function isUndone(reversed: LineOutcome | undefined): boolean {
  return (
    reversed?.kind === 'moved' ||
    (reversed?.kind === 'failed' && reversed.code === 'movement-reversed')
  );
}

/** Whether the order is known to have credited it. */
export function isCredited({ state }: Receipt): boolean {
  return state !== 'pending' && state !== 'refused';
}

/** Whether what was asked for last has come to its end, as far as a caller can see. */
export function isSettled({ state }: Receipt): boolean {
  return state === 'refused' || state === 'completed' || state === 'reversed';
}
