/** One simulated process: the real use cases and the real sagas, every call of theirs on the stage. */
import type { ReceiptId } from '../../src/domain/purchase-order.ts';
import { parseReceiptId } from '../../src/domain/purchase-order.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { CountId, StockCount } from '../../src/domain/stock-count.ts';
import { parseCountId } from '../../src/domain/stock-count.ts';
import type { StockCounts } from '../../src/inventory/count-ports.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import type { PurchaseOrders, Receiving } from '../../src/inventory/order-ports.ts';
import type { Recorded } from '../../src/inventory/ports.ts';
import type { OrderPorts } from '../../src/inventory/purchase-orders.ts';
import { createPurchaseOrders } from '../../src/inventory/purchase-orders.ts';
import { createStockCounts } from '../../src/inventory/stock-counts.ts';
import { closingSaga, createCloseCount } from '../../sagas/close-stock-count.ts';
import { receiptSaga } from '../../sagas/receive-purchase-order.ts';
import { createReceiving } from '../../sagas/receiving.ts';
import { createSagaRuns } from '../../sagas/saga-runs.ts';
import { watchOver } from '../../sagas/watch-over.ts';
import type { Database, Stores } from './database.ts';
import { describe } from './describe.ts';
import type { Life, Stage } from './stage.ts';

/** What a mutant puts in the place of a part; left out, the part is the real one. */
export interface Mutation {
  /** Below the stage: what the database itself does. */
  readonly stores?: (database: Database) => Stores;
  /** Above it: how a process uses the database. */
  readonly ports?: (ports: Stores, stage: Stage) => Stores;
  readonly inventory?: (inventory: RunningInventory, database: Database) => RunningInventory;
  /** What sagas are given in its place. */
  readonly sagaInventory?: (inventory: RunningInventory, database: Database) => RunningInventory;
}

export interface Process {
  readonly life: Life;
  readonly inventory: RunningInventory;
  readonly receiving: Receiving;
  readonly purchaseOrders: PurchaseOrders;
  readonly counts: StockCounts;
  readonly ring: (alarm: string) => Promise<Recorded>;
}

export interface ProcessParts {
  readonly database: Database;
  /** Its stores, as the mutation has them. */
  readonly stores: Stores;
  readonly mutation: Mutation;
  /** Whether it looks for abandoned sagas: where there are any. */
  readonly isWatching: boolean;
  readonly report: (defect: unknown) => void;
}

/** Short, so that requests run out of time. */
const deadlineMilliseconds = 900;

export function startProcess(
  stage: Stage,
  life: Life,
  { database, stores, mutation, isWatching, report }: ProcessParts,
): Process {
  const { ports: mutatePorts, inventory: mutateInventory, sagaInventory } = mutation;
  const timer = stage.timer(life);
  const staged = onStage(stage, life, stores);
  const ports = { ...(mutatePorts?.(staged, stage) ?? staged), timer };
  const real = createInventory(ports, deadlineMilliseconds);
  const inventory = mutateInventory?.(real, database) ?? real;
  const forSagas = sagaInventory?.(inventory, database) ?? inventory;
  const { orders, receipts, counts, alarms } = ports;
  const house = { alarms, timer, process: life.name, report };
  const runs = createSagaRuns({
    ...house,
    name: 'receipt',
    keyOf: String,
    idOf: ({ id }: Receipt): ReceiptId => id,
    saga: receiptSaga({ orders, receipts, inventory: forSagas }),
    records: receipts,
  });
  const closings = createSagaRuns({
    ...house,
    name: 'count',
    keyOf: String,
    idOf: ({ id }: StockCount): CountId => id,
    saga: closingSaga(forSagas),
    records: counts,
  });
  const closeCount = createCloseCount({ counts, runs: closings, timer });
  const watched = [runs.resumeAbandoned, closings.resumeAbandoned];
  if (isWatching) void watchOver(timer, watched, new AbortController().signal);
  return {
    life,
    inventory,
    receiving: createReceiving({ ...ports, inventory }, runs, deadlineMilliseconds),
    purchaseOrders: createPurchaseOrders({ ...ports, ...noDock }, deadlineMilliseconds),
    counts: createStockCounts(ports, closeCount, deadlineMilliseconds),
    ring: (alarm) => ringing(alarm, runs, closings),
  };
}

/** No order here has appointments. */
const noDock: Pick<OrderPorts, 'dock' | 'appointments'> = {
  dock: { holdOf: () => Promise.resolve({ kind: 'not-found' }) },
  appointments: {
    arm: () => Promise.reject(new TypeError('there is nothing to give up')),
    carryOn: () => Promise.resolve(),
  },
};

/** What an alarm calls, by the kind of its saga. */
async function ringing(
  alarm: string,
  runs: { readonly alarmed: (id: ReceiptId) => Promise<Recorded> },
  closings: { readonly alarmed: (id: CountId) => Promise<Recorded> },
): Promise<Recorded> {
  const [name, key = ''] = alarm.split(':');
  const receipt = name === 'receipt' ? parseReceiptId(key) : undefined;
  if (receipt !== undefined) return runs.alarmed(receipt);
  const count = name === 'count' ? parseCountId(key) : undefined;
  if (count === undefined) throw new TypeError(`${alarm} is no alarm of a saga`);
  return closings.alarmed(count);
}

/** The stores with the stage before each of their functions. */
function onStage(stage: Stage, life: Life, stores: Stores): Stores {
  const staged = <T extends object>(name: string, store: T): T =>
    new Proxy(store, {
      get: (target, key): unknown => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        return (...args: readonly unknown[]) =>
          stage.call(life, {
            name: `${name}.${String(key)}`,
            about: () => describe(args),
            carryOut: async () => {
              const answer: unknown = await Reflect.apply(member, target, args);
              return answer;
            },
          });
      },
    });
  return {
    skus: staged('skus', stores.skus),
    barcodes: staged('barcodes', stores.barcodes),
    actions: staged('actions', stores.actions),
    ledger: staged('ledger', stores.ledger),
    mark: staged('mark', stores.mark),
    answers: staged('answers', stores.answers),
    locations: staged('locations', stores.locations),
    orders: staged('orders', stores.orders),
    receipts: staged('receipts', stores.receipts),
    catalogue: staged('catalogue', stores.catalogue),
    counts: staged('counts', stores.counts),
    alarms: staged('alarms', stores.alarms),
  };
}
