/** The sagas of this process: put together, carried on, and brought back when they were left. */
import { randomUUID } from 'node:crypto';
import { sagaActor } from './domain/ids.ts';
import { parseReceiptId } from './domain/purchase-order.ts';
import type { Inventory } from './inventory/inventory.ts';
import type { PurchaseOrders, Receiving } from './inventory/order-ports.ts';
import { createPurchaseOrders } from './inventory/purchase-orders.ts';
import type { Deliver } from './inventory/reminder-delivery.ts';
import type { Alarms as Reminders } from './inventory/reminders.ts';
import type { Alarms } from './inventory/saga-ports.ts';
import { processTimer as timer } from './inventory/timer.ts';
import type { Store } from './store/open-store.ts';
import { receiptSaga } from '../sagas/receive-purchase-order.ts';
import { createReceiving } from '../sagas/receiving.ts';
import { createSagaRuns } from '../sagas/saga-runs.ts';
import { watchOver } from '../sagas/watch-over.ts';

export interface SagaService {
  readonly purchaseOrders: PurchaseOrders;
  readonly receiving: Receiving;
  /** What an alarm of a saga calls. */
  readonly deliver: Deliver;
  /** Looks after what was left, from now until the stop. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

export function createSagaService(parts: {
  readonly store: Pick<Store, 'ports' | 'orders' | 'receipts' | 'catalogue'>;
  readonly inventory: Inventory;
  readonly reminders: Reminders;
  readonly deadlineMilliseconds: number;
  readonly report: (defect: unknown) => void;
}): SagaService {
  const { store, inventory, deadlineMilliseconds } = parts;
  const { orders, receipts, catalogue } = store;
  const stopping = new AbortController();
  const runs = createSagaRuns({
    name: 'receipt',
    keyOf: String,
    idOf: ({ id }) => id,
    saga: receiptSaga({ orders, receipts, inventory }),
    records: receipts,
    alarms: alarmsOf(parts.reminders),
    timer,
    process: randomUUID(),
    report: parts.report,
    stopping: stopping.signal,
  });
  const ports = { ...store.ports, orders, receipts, catalogue, inventory, timer };
  let watching: Promise<void> | undefined;
  return {
    purchaseOrders: createPurchaseOrders(ports, deadlineMilliseconds),
    receiving: createReceiving(ports, runs, deadlineMilliseconds),
    deliver: async ({ name, key = '' }) => {
      const id = name === 'receipt' ? parseReceiptId(key) : undefined;
      if (id === undefined) return { kind: 'failed', cause: `no saga is called ${name}` };
      const done = await runs.alarmed(id);
      return done.kind === 'recorded' ? { kind: 'done' } : { kind: 'failed', cause: done.cause };
    },
    start: () => {
      watching ??= watchOver(timer, [runs.resumeAbandoned], stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([watching, runs.idle()]);
    },
  };
}

function alarmsOf(reminders: Reminders): Alarms {
  return {
    arm: (alarm, afterMilliseconds) =>
      reminders.arm({ actor: sagaActor, ...alarm, due: { afterMilliseconds } }),
    disarm: (alarm) => reminders.disarm({ actor: sagaActor, ...alarm }),
  };
}
