/**
 * The saga of a receipt: the order credits it, its lines are stocked, and the order takes back the
 * credit of lines that could not be. A reversal carries the same record on, the other way.
 *
 * 1. The order is read first, the record after it. A record that is still the one in hand had no
 *    decision at the time of the first read, unless the order shows it: the order lets go of a
 *    decision only once the record says it. So a swap against the order that was read is the first
 *    decision on this attempt, or it does not land.
 * 2. A line is stocked by one movement whose id is the receipt's and the line's place in it. Where
 *    the state refuses it, a `void` movement takes that id. So two runners find one outcome,
 *    whichever comes first, and a failure that was recorded cannot become a movement later.
 * 3. A credit is taken back in one swap that leaves the receipt's id on the order, so once.
 */
import type { Action, StockChange } from '../src/domain/action.ts';
import type { ActionId } from '../src/domain/ids.ts';
import { serviceActionId } from '../src/domain/ids.ts';
import type { Movement } from '../src/domain/movement.ts';
import type { PurchaseOrder } from '../src/domain/purchase-order.ts';
import { decideReceipt, isFull, letGo, outcomeOf, takeBack } from '../src/domain/purchase-order.ts';
import type { LineOutcome, Receipt, ReceiptLine, ReceiptStep } from '../src/domain/receipt.ts';
import { afterStocking, afterUndoing, creditToTakeBack, nextStep } from '../src/domain/receipt.ts';
import type { ActionAnswer, NotFound } from '../src/inventory/answer.ts';
import type { Inventory } from '../src/inventory/inventory.ts';
import type { OrderStore, ReceiptStore } from '../src/inventory/order-ports.ts';
import type { Lookup, Unknown } from '../src/inventory/ports.ts';
import { requestDigest } from '../src/inventory/request-digest.ts';
import type { Held } from '../src/inventory/saga-ports.ts';
import type { Carried, Saga } from './saga.ts';

export interface ReceiptSagaPorts {
  readonly orders: Pick<OrderStore, 'read' | 'swap'>;
  readonly receipts: Pick<ReceiptStore, 'read'>;
  readonly inventory: Pick<Inventory, 'post' | 'reverse'>;
}

export function receiptSaga(ports: ReceiptSagaPorts): Saga<Receipt, ReceiptStep> {
  return {
    next: nextStep,
    carryOut: (held, step) => {
      switch (step.kind) {
        case 'credit':
          return credit(ports, held);
        case 'stock':
          return stock(ports, held.record, step.lines);
        case 'take-back':
          return returnCredit(ports, held, step.as);
        case 'undo':
          return undo(ports, held.record, step.lines);
        case 'let-go':
          return release(ports, held);
      }
    },
  };
}

/** The order's decision on all lines together (1). */
async function credit(ports: ReceiptSagaPorts, held: Held<Receipt>): Promise<Carried<Receipt>> {
  const { record } = held;
  const asked = attemptOf(record);
  const order = await onOrder(ports, held, (found) =>
    outcomeOf(found, asked) === undefined ? decideReceipt(found, asked, record.lines) : found,
  );
  if (order.kind !== 'found') return asCarried(order);
  const outcome = outcomeOf(order.value, asked);
  if (outcome?.kind === 'refused') {
    const { refusal } = outcome;
    return carried({ ...record, state: 'refused', onOrder: true, refusal });
  }
  return carried({ ...record, state: 'credited', onOrder: true });
}

/** The credit of lines that failed, or of lines that were reversed, is taken back (3). */
async function returnCredit(
  ports: ReceiptSagaPorts,
  held: Held<Receipt>,
  as: 'returned' | 'reversed',
): Promise<Carried<Receipt>> {
  const { record } = held;
  const asked = attemptOf(record);
  const order = await onOrder(ports, held, (found) =>
    outcomeOf(found, asked)?.kind === as
      ? found
      : takeBack(found, asked, as, creditToTakeBack(record, as)),
  );
  if (order.kind !== 'found') return asCarried(order);
  return carried({ ...record, state: as === 'returned' ? 'completed' : 'reversed', onOrder: true });
}

async function release(ports: ReceiptSagaPorts, held: Held<Receipt>): Promise<Carried<Receipt>> {
  const { record } = held;
  const order = await onOrder(ports, held, (found) =>
    found.outcomes.some(({ receipt }) => receipt === record.id) ? letGo(found, record.id) : found,
  );
  return order.kind === 'found' ? carried({ ...record, onOrder: false }) : asCarried(order);
}

function attemptOf({ id, attempt }: Receipt) {
  return { receipt: id, attempt };
}

function carried(after: Receipt): Carried<Receipt> {
  return { kind: 'carried', after };
}

function asCarried(unsettled: { readonly kind: 'missing' } | Unknown): Carried<Receipt> {
  return unsettled.kind === 'missing' ? { kind: 'overtaken' } : unsettled;
}

/**
 * @param change gives the order itself where there is nothing to write.
 * @returns the order as it was found or written; `missing` where somebody else was faster.
 */
async function onOrder(
  { orders, receipts }: ReceiptSagaPorts,
  { record, version }: Held<Receipt>,
  change: (found: PurchaseOrder) => PurchaseOrder,
): Promise<Lookup<PurchaseOrder>> {
  const read = await orders.read(record.number);
  if (read.kind === 'unknown') return read;
  if (read.kind === 'missing') throw new Error(`there is no order ${record.number}`);
  const { order } = read.value;
  const after = change(order);
  if (after === order) return { kind: 'found', value: order };
  if (after.outcomes.length > order.outcomes.length && isFull(order)) {
    return { kind: 'unknown', cause: 'too many receipts of the order are under way' };
  }
  const standing = await receipts.read(record.id);
  if (standing.kind === 'unknown') return standing;
  if (standing.kind === 'missing' || standing.value.version !== version) return { kind: 'missing' };
  const written = await orders.swap(read.value, after);
  switch (written.kind) {
    case 'written':
      return { kind: 'found', value: written.order };
    case 'lost':
      return { kind: 'missing' };
    case 'unknown':
      return written;
  }
}

/** Several lines at once: each is one movement, and a wave's outcomes are recorded together (2). */
async function stock(
  { inventory }: ReceiptSagaPorts,
  receipt: Receipt,
  positions: readonly number[],
): Promise<Carried<Receipt>> {
  const outcomes = await outcomesOf(receipt, positions, (line, index) =>
    inventory.post(stockingOf(receipt, line, index)),
  );
  return outcomes.kind === 'unknown' ? outcomes : carried(afterStocking(receipt, outcomes.value));
}

async function undo(
  { inventory }: ReceiptSagaPorts,
  receipt: Receipt,
  positions: readonly number[],
): Promise<Carried<Receipt>> {
  const note = receipt.reversal?.note;
  const outcomes = await outcomesOf(receipt, positions, (_, index) =>
    inventory.reverse({
      ...envelope(receipt, reversalActionOf(receipt, index), reverseOperation),
      ...(note === undefined ? {} : { note }),
      original: stockingActionOf(receipt, index),
    }),
  );
  return outcomes.kind === 'unknown' ? outcomes : carried(afterUndoing(receipt, outcomes.value));
}

type Outcomes =
  { readonly kind: 'found'; readonly value: ReadonlyMap<number, LineOutcome> } | Unknown;

/** What is known of the lines after each was tried; unknown where nothing is. */
async function outcomesOf(
  { lines }: Receipt,
  positions: readonly number[],
  move: (line: ReceiptLine, index: number) => Promise<ActionAnswer | NotFound>,
): Promise<Outcomes> {
  const outcomes = new Map<number, LineOutcome>();
  let unknown: Unknown | undefined;
  await Promise.all(
    positions.map(async (index) => {
      const line = lines[index];
      if (line === undefined) throw new RangeError(`the receipt has no line at ${index}`);
      const answer = await move(line, index);
      switch (answer.kind) {
        case 'moved':
          outcomes.set(index, outcomeOfMovement(answer.movement));
          break;
        case 'unavailable':
          unknown = { kind: 'unknown', cause: answer.cause };
          break;
        case 'refused':
        case 'not-found':
        case 'defined':
          throw new Error(`a line of a receipt was answered with ${JSON.stringify(answer)}`);
      }
    }),
  );
  return outcomes.size === 0 && unknown !== undefined
    ? unknown
    : { kind: 'found', value: outcomes };
}

function outcomeOfMovement({ ordinal, refused }: Movement): LineOutcome {
  return refused === undefined ? { kind: 'moved', ordinal } : { kind: 'failed', code: refused };
}

const receiveOperation = 'POST /v1/purchase-orders/{number}/receipts';
const reverseOperation = 'POST /v1/purchase-orders/{number}/receipts/{id}/reverse';

/** The action of the line at a position. */
export function stockingActionOf({ id }: Receipt, index: number): ActionId {
  return serviceActionId('receipt', `${id}/${index}`);
}

function reversalActionOf({ id }: Receipt, index: number): ActionId {
  return serviceActionId('receipt-reversal', `${id}/${index}`);
}

function stockingOf(receipt: Receipt, line: ReceiptLine, index: number): Action<StockChange> {
  const { sku, location, quantity } = line;
  return {
    ...envelope(receipt, stockingActionOf(receipt, index), receiveOperation),
    sku,
    change: { type: 'receive', lines: [{ location, quantity }] },
  };
}

/** The same for every runner: it is made from the record alone. The order's number leads back to it. */
function envelope(
  receipt: Receipt,
  actionId: ActionId,
  operation: string,
): Omit<Action, 'sku' | 'change'> {
  const by = operation === reverseOperation ? receipt.reversal : receipt;
  const reference = by?.reference ?? receipt.number;
  return {
    actionId,
    actor: by?.actor ?? receipt.actor,
    operation,
    digest: requestDigest(operation, { number: receipt.number }, { action: actionId }),
    orVoid: true,
    reference,
  };
}
