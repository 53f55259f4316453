/** Opens the store: the ports that src/inventory asks for, over one MongoDB database. */
import type { ApiKeyStore } from '../inventory/api-key-ports.ts';
import type { ReadBacklog } from '../inventory/backlog.ts';
import type { CountStore } from '../inventory/count-ports.ts';
import type { DockLedger, DockSlotStore } from '../inventory/dock-ports.ts';
import type { ReadLapsedHolds } from '../inventory/lapsed-holds.ts';
import type { OrderRecords, OrderStore, ReceiptStore } from '../inventory/order-ports.ts';
import type { SkuCatalogue } from '../inventory/order-ports.ts';
import type { Ports } from '../inventory/ports.ts';
import type { Readiness } from '../inventory/inventory.ts';
import type { ReminderStore } from '../inventory/reminder-ports.ts';
import { createActionStore } from './action-store.ts';
import { createAnswerStore } from './answer-store.ts';
import { replaceBarcodeIndex } from './barcode-migration.ts';
import { createBarcodeStore } from './barcode-store.ts';
import { createApiKeyStore } from './api-key-store.ts';
import { createReadBacklog } from './backlog.ts';
import { createClient, maxTimeMS } from './client.ts';
import { countsOf } from './count-documents.ts';
import { createCountStore } from './count-store.ts';
import { dockOf } from './dock-documents.ts';
import { createDockLedger, createDockSlotStore } from './dock-store.ts';
import { collectionsOf } from './documents.ts';
import { createReadLapsedHolds } from './lapsed-holds.ts';
import { createLedger } from './ledger.ts';
import { createLedgerMark, ensureLedgerMark } from './ledger-mark.ts';
import { createLocationStore } from './location-store.ts';
import { createReminderStore } from './reminder-store.ts';
import { ordersOf } from './order-documents.ts';
import { createOrderRecords } from './order-records.ts';
import { createOrderStore, createSkuCatalogue } from './order-store.ts';
import type { PoolUse } from './pool-use.ts';
import { watchPool } from './pool-use.ts';
import { createReceiptStore } from './receipt-store.ts';
import { reviveWhenLost } from './revival.ts';
import { missingIndexes, prepareSchema } from './schema.ts';
import { createSkuStore } from './sku-store.ts';
import { Overdue, withinLimit } from './within-limit.ts';

export interface Store extends Readiness {
  readonly ports: Omit<Ports, 'timer'>;
  readonly reminders: ReminderStore;
  readonly apiKeys: ApiKeyStore;
  readonly counts: CountStore;
  readonly orders: OrderStore;
  readonly orderRecords: OrderRecords;
  readonly receipts: ReceiptStore;
  readonly catalogue: SkuCatalogue;
  readonly slots: DockSlotStore;
  readonly bookings: DockLedger;
  readonly readBacklog: ReadBacklog;
  readonly readLapsedHolds: ReadLapsedHolds;
  readonly poolUse: () => PoolUse;
  /** Makes collections and indexes; rejects while the database cannot be reached. */
  readonly prepare: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A driver that has lost itself may not end either; then the process ends without it. */
function leaveOverdue(error: unknown): void {
  if (!(error instanceof Overdue)) throw error;
}

/** For many commands in turn. Whoever begins again waits for the same indexes to be built. */
const preparationLimitMs = 60_000;

/**
 * Connects with the first operation, so that it opens while the database is down.
 *
 * @param onRevival is told why the connection to the database is made anew.
 */
export function openStore(
  uri: string,
  database: string,
  onRevival: (cause: string) => void = () => undefined,
): Store {
  const client = createClient(uri);
  const endWatch = reviveWhenLost(client, onRevival);
  const poolUse = watchPool(client);
  const db = client.db(database);
  const { skus, barcodes, actions, movements, locations, answers, marks, reminders } =
    collectionsOf(db);
  const { orders, receipts } = ordersOf(db);
  const dock = dockOf(db);
  const reminderStore = createReminderStore(reminders, marks);
  return {
    ports: {
      skus: createSkuStore(skus),
      barcodes: createBarcodeStore(barcodes, skus),
      actions: createActionStore(actions),
      ledger: createLedger(movements),
      mark: createLedgerMark(marks),
      locations: createLocationStore(locations),
      answers: createAnswerStore(answers),
    },
    counts: createCountStore(countsOf(db), skus),
    reminders: reminderStore,
    apiKeys: createApiKeyStore(db),
    orders: createOrderStore(orders),
    orderRecords: createOrderRecords(orders),
    receipts: createReceiptStore(receipts),
    catalogue: createSkuCatalogue(skus),
    slots: createDockSlotStore(dock.slots),
    bookings: createDockLedger(dock.bookings),
    readBacklog: createReadBacklog(db, reminderStore),
    readLapsedHolds: createReadLapsedHolds(skus),
    poolUse,
    prepare: async () => {
      // A client whose first connection failed stays closed until it is told to connect again.
      await withinLimit(() => client.connect());
      await withinLimit(() => prepareSchema(db), preparationLimitMs);
      // Once, and as long as there are SKUs; each of its commands has a limit of its own.
      await replaceBarcodeIndex(db);
      await ensureLedgerMark(marks);
    },
    ready: async () => {
      try {
        await withinLimit(() => db.command({ ping: 1, maxTimeMS }));
        const missing = await withinLimit(() => missingIndexes(db));
        return missing.length === 0
          ? { kind: 'ready' }
          : { kind: 'not-ready', cause: `indexes are missing: ${missing.join(', ')}` };
      } catch (error) {
        return { kind: 'not-ready', cause: error instanceof Error ? error.message : String(error) };
      }
    },
    close: () => {
      endWatch();
      return withinLimit(() => client.close()).catch(leaveOverdue);
    },
  };
}
