/** The sagas of this process: put together, carried on, and brought back when they were left. */
import { randomUUID } from 'node:crypto';
import { parseOrderNumber, sagaActor } from './domain/ids.ts';
import { parseReceiptId } from './domain/purchase-order.ts';
import { parseCountId } from './domain/stock-count.ts';
import type { StockCounts } from './inventory/count-ports.ts';
import type { Dock } from './inventory/dock-ports.ts';
import type { Inventory } from './inventory/inventory.ts';
import type { PurchaseOrders, Receiving } from './inventory/order-ports.ts';
import { createPurchaseOrders } from './inventory/purchase-orders.ts';
import type { Recorded } from './inventory/ports.ts';
import type { Deliver } from './inventory/reminder-delivery.ts';
import type { Alarms as Reminders } from './inventory/reminders.ts';
import type { Alarms } from './inventory/saga-ports.ts';
import { createStockCounts } from './inventory/stock-counts.ts';
import { processTimer as timer } from './inventory/timer.ts';
import type { Store } from './store/open-store.ts';
import { closingSaga, createCloseCount } from '../sagas/close-stock-count.ts';
import { appointmentsSaga } from '../sagas/give-up-appointments.ts';
import { receiptSaga } from '../sagas/receive-purchase-order.ts';
import { createReceiving } from '../sagas/receiving.ts';
import { createSagaRuns } from '../sagas/saga-runs.ts';
import { watchOver } from '../sagas/watch-over.ts';

export interface SagaService {
  readonly purchaseOrders: PurchaseOrders;
  readonly receiving: Receiving;
  readonly stockCounts: StockCounts;
  /** What an alarm of a saga calls. */
  readonly deliver: Deliver;
  /** Each carries on the abandoned sagas of one kind; returns how many it found. */
  readonly resumeAbandoned: readonly (() => Promise<number>)[];
  /** Looks after what was left, from now until the stop. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

interface SagaParts {
  readonly store: Pick<
    Store,
    'ports' | 'orders' | 'orderRecords' | 'receipts' | 'catalogue' | 'counts' | 'slots'
  >;
  readonly inventory: Inventory;
  readonly dock: Dock;
  readonly reminders: Reminders;
  readonly deadlineMilliseconds: number;
  readonly report: (defect: unknown) => void;
}

export function createSagaService(parts: SagaParts): SagaService {
  const { store, inventory, dock, deadlineMilliseconds } = parts;
  const { orders, receipts, catalogue, counts } = store;
  const stopping = new AbortController();
  const { runs, closings, cancellations } = sagaRuns(parts, stopping.signal);
  const closeCount = createCloseCount({ counts, runs: closings, timer });
  const ring = (name: string, key: string): Promise<Recorded> | undefined => {
    const receipt = name === 'receipt' ? parseReceiptId(key) : undefined;
    if (receipt !== undefined) return runs.alarmed(receipt);
    const count = name === 'count' ? parseCountId(key) : undefined;
    if (count !== undefined) return closings.alarmed(count);
    const order = name === 'order' ? parseOrderNumber(key) : undefined;
    return order === undefined ? undefined : cancellations.alarmed(order);
  };
  const ports = { ...store.ports, orders, receipts, catalogue, inventory, dock, timer };
  const appointments = { arm: cancellations.arm, carryOn: cancellations.resume };
  const all = [runs, closings, cancellations];
  const resumeAbandoned = all.map((sagas) => sagas.resumeAbandoned);
  let watching: Promise<void> | undefined;
  return {
    resumeAbandoned,
    purchaseOrders: createPurchaseOrders({ ...ports, appointments }, deadlineMilliseconds),
    receiving: createReceiving(ports, runs, deadlineMilliseconds),
    stockCounts: createStockCounts(
      { ...store.ports, counts, timer },
      closeCount,
      deadlineMilliseconds,
    ),
    deliver: async ({ name, key = '' }) => {
      const done = await ring(name, key);
      if (done === undefined) return { kind: 'failed', cause: `no saga is called ${name}` };
      return done.kind === 'recorded' ? { kind: 'done' } : { kind: 'failed', cause: done.cause };
    },
    start: () => {
      watching ??= watchOver(timer, resumeAbandoned, stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([watching, ...all.map((sagas) => sagas.idle())]);
    },
  };
}

function sagaRuns({ store, inventory, dock, ...parts }: SagaParts, stopping: AbortSignal) {
  const { orders, orderRecords, receipts, counts, slots } = store;
  const house = {
    keyOf: String,
    alarms: alarmsOf(parts.reminders),
    timer,
    process: randomUUID(),
    report: parts.report,
    stopping,
  };
  const runs = createSagaRuns({
    ...house,
    name: 'receipt',
    idOf: ({ id }) => id,
    saga: receiptSaga({ orders, receipts, inventory }),
    records: receipts,
  });
  const closings = createSagaRuns({
    ...house,
    name: 'count',
    idOf: ({ id }) => id,
    saga: closingSaga(inventory),
    records: counts,
  });
  const cancellations = createSagaRuns({
    ...house,
    name: 'order',
    idOf: ({ number }) => number,
    saga: appointmentsSaga({ dock, slots }),
    records: orderRecords,
  });
  return { runs, closings, cancellations };
}

function alarmsOf(reminders: Reminders): Alarms {
  return {
    arm: (alarm, afterMilliseconds) =>
      reminders.arm({ actor: sagaActor, ...alarm, due: { afterMilliseconds } }),
    disarm: (alarm) => reminders.disarm({ actor: sagaActor, ...alarm }),
  };
}
