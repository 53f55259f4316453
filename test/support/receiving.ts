/** Processes that receive, and what has to hold whatever became of them. */
import type { ActionId, Instant, OrderNumber } from '../../src/domain/ids.ts';
import type { OrderLine, PurchaseOrder, ReceiptId } from '../../src/domain/purchase-order.ts';
import { parseOrderNumber } from '../../src/domain/ids.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { isUndone, nextStep } from '../../src/domain/receipt.ts';
import type {
  AskedLine,
  ReceiptAnswer,
  ReceiveRequest,
  Receiving,
} from '../../src/inventory/order-ports.ts';
import type { Timer } from '../../src/inventory/ports.ts';
import { receiptIdOf } from '../../src/inventory/receipt-id.ts';
import { requestDigest } from '../../src/inventory/request-digest.ts';
import { receiptSaga } from '../../sagas/receive-purchase-order.ts';
import { createReceiving } from '../../sagas/receiving.ts';
import type { SagaRuns } from '../../sagas/saga-runs.ts';
import { createSagaRuns } from '../../sagas/saga-runs.ts';
import { actionId, actor, place, quantity, sku } from './actions.ts';
import { Crash } from './gate.ts';
import type { MemoryPorts } from './memory-receiving.ts';

export interface ReceivingProcess {
  readonly receiving: Receiving;
  readonly runs: SagaRuns<ReceiptId, Receipt>;
  /** Resumes what is abandoned until nothing is. */
  readonly recover: () => Promise<void>;
}

let processes = 0;

export function receivingProcess(
  ports: MemoryPorts,
  timer: Timer,
  { deadlineMilliseconds = 8_000 }: { readonly deadlineMilliseconds?: number } = {},
): ReceivingProcess {
  const { orders, receipts, inventory, alarms } = ports;
  const defects: unknown[] = [];
  const runs = createSagaRuns({
    name: 'receipt',
    keyOf: String,
    idOf: ({ id }: Receipt) => id,
    saga: receiptSaga({ orders, receipts, inventory }),
    records: receipts,
    alarms,
    timer,
    process: `process-${(processes += 1)}`,
    report: (defect) => {
      if (!(defect instanceof Crash)) defects.push(defect);
    },
  });
  return {
    receiving: createReceiving({ ...ports, timer }, runs, deadlineMilliseconds),
    runs,
    recover: async () => {
      while ((await runs.resumeAbandoned()) > 0) {
        if (defects.length > 0) throw defects[0];
      }
      await runs.idle();
    },
  };
}

/** Time that passes only by being looked at; pauses end at once. */
export function briskTimer(): Timer {
  let ticks = 0;
  return {
    monotonic: () => (ticks += 1),
    pause: () => Promise.resolve(),
    after: () => () => undefined,
    random: () => 0.5,
  };
}

export function orderNumber(text: string): OrderNumber {
  const number = parseOrderNumber(text);
  if (number === undefined) throw new Error(`${text} is no number of an order`);
  return number;
}

export type WrittenLine = readonly [line: number, sku: string, ordered: number];

export function orderWith(number: string, ...lines: readonly WrittenLine[]): PurchaseOrder {
  return {
    number: orderNumber(number),
    supplier: 'ACME',
    standing: 'open',
    lines: lines.map(([line, id, ordered]): OrderLine => ({
      line,
      sku: sku(id),
      ordered: quantity(ordered),
      received: 0,
    })),
    outcomes: [],
    appointments: [],
    version: 1,
  };
}

export type ReceivedLine = readonly [line: number, location: string, quantity: number];

function askedLine([line, location, amount]: ReceivedLine): AskedLine {
  return { line, location: place(location), quantity: quantity(amount) };
}

export function receiveRequest(
  number: string,
  key: string,
  ...lines: readonly ReceivedLine[]
): ReceiveRequest {
  const asked = lines.map(askedLine);
  return {
    ...envelope('POST /v1/purchase-orders/{number}/receipts', number, key, asked),
    lines: asked,
  };
}

export function envelope(operation: string, number: string, key: string, body: unknown) {
  return {
    actionId: actionId(key),
    actor,
    operation,
    digest: requestDigest(operation, { number }, body),
    number: orderNumber(number),
  };
}

export function receiptOfKey(key: string): ReceiptId {
  return receiptIdOf(actionId(key));
}

/** A record that waits for the order, as a request leaves it. */
export function pendingReceipt(
  number: string,
  by: ActionId,
  at: Instant,
  lines: readonly (readonly [line: number, sku: string, location: string, quantity: number])[],
): Receipt {
  return {
    id: receiptIdOf(by),
    number: orderNumber(number),
    lines: lines.map(([line, id, location, amount]) => ({
      line,
      sku: sku(id),
      location: place(location),
      quantity: quantity(amount),
    })),
    attempt: 1,
    state: 'pending',
    onOrder: true,
    actor,
    at,
  };
}

export function answerName(answer: ReceiptAnswer): string {
  switch (answer.kind) {
    case 'receipt':
      return `${answer.receipt.state}${answer.replayed ? ' again' : ''}`;
    case 'refused':
      return answer.refusal.code;
    case 'not-found':
    case 'unavailable':
      return answer.kind;
  }
}

/**
 * What is wrong with an order, its receipts and the stock that came of them, once nothing is under
 * way: all of a receipt's effects are there once, or none is.
 * @param moved what else was moved of each SKU: movements, and units.
 */
export async function receivingFaults(
  { orders, receipts, inventory }: MemoryPorts,
  number: string,
  ids: readonly ReceiptId[],
  moved: ReadonlyMap<string, { readonly movements: number; readonly units: number }> = new Map(),
): Promise<readonly string[]> {
  const faults: string[] = [];
  const read = await orders.read(orderNumber(number));
  if (read.kind !== 'found') return ['the order is gone'];
  const { order } = read.value;
  if (order.outcomes.length > 0) faults.push(`the order keeps ${JSON.stringify(order.outcomes)}`);
  const credit = new Map<number, number>();
  const units = new Map<string, number>();
  const movements = new Map<string, number>();
  for (const id of ids) {
    const found = await receipts.read(id);
    if (found.kind !== 'found') continue;
    const { record } = found.value;
    if (nextStep(record) !== undefined) faults.push(`${id} is ${record.state}`);
    for (const { line, sku: of, quantity: amount, stocked, reversed } of record.lines) {
      const tries = (stocked === undefined ? 0 : 1) + (reversed === undefined ? 0 : 1);
      add(movements, of, tries);
      const stands = stocked?.kind === 'moved' && !isUndone(reversed);
      add(credit, line, stands ? amount : 0);
      add(units, of, stands ? amount : 0);
    }
  }
  for (const { line, received } of order.lines) {
    const explained = credit.get(line) ?? 0;
    if (received !== explained) faults.push(`line ${line}: ${received}, not ${explained}`);
  }
  for (const id of new Set(order.lines.map((line) => line.sku))) {
    const view = await inventory.sku(id);
    if (view.kind !== 'ok') return [...faults, `${id} is gone`];
    const onHand = view.value.levels.reduce((sum, level) => sum + level.onHand, 0);
    const also = moved.get(id) ?? { movements: 0, units: 0 };
    const explained = (units.get(id) ?? 0) + also.units;
    if (onHand !== explained) faults.push(`${id}: ${onHand} on hand, not ${explained}`);
    const counted = (movements.get(id) ?? 0) + also.movements;
    if (view.value.movementCount !== counted) {
      faults.push(`${id}: ${view.value.movementCount} movements, not ${counted}`);
    }
  }
  return faults;
}

function add<K>(sums: Map<K, number>, key: K, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
