/** Receiving on a real database, without HTTP between: as many processes as a test wants. */
import { afterAll, beforeAll } from 'vitest';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import type { Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { OrderCollections } from '../../src/store/order-documents.ts';
import { ordersOf } from '../../src/store/order-documents.ts';
import { action, definition, location, sku } from './actions.ts';
import type { TestDatabase } from './database.ts';
import { useDatabase } from './database.ts';
import type { Gate } from './gate.ts';
import { gated } from './gate.ts';
import type { MemoryPorts } from './memory-receiving.ts';

export interface ReceivingSite {
  readonly database: TestDatabase;
  readonly collections: OrderCollections;
  /** Every call to the database goes through the gate, those of the mutation path too. */
  readonly ports: (gate?: Gate) => MemoryPorts;
  readonly stockSku: (id: string) => Promise<void>;
  /** Lets every lease that there is lapse. */
  readonly lapse: () => Promise<void>;
}

/** Call it at the top of a file. It has the locations A1 and B1, and R1, which is retired. */
export function useReceivingSite(): ReceivingSite {
  const database = useDatabase();
  const collections = ordersOf(database.db);
  let opened: Store | undefined;
  const store = (): Store => {
    if (opened === undefined) throw new Error('the site opens before the tests');
    return opened;
  };

  function ports(gate: Gate = (_, call) => call()): MemoryPorts {
    const { orders, receipts, catalogue } = store();
    const below = gated(store().ports, gate);
    const inventory = createInventory({ ...below, timer: processTimer }, 8_000);
    const { actions, locations, ledger } = below;
    return {
      ...gated({ orders, receipts, catalogue, alarms: silentAlarms }, gate),
      actions,
      locations,
      ledger,
      inventory,
    };
  }

  beforeAll(async () => {
    opened = openStore(database.uri, database.name);
    await opened.prepare();
    for (const { location: id, warehouse, kind } of [location('A1'), location('B1')]) {
      await opened.ports.locations.create(id, { warehouse, kind }, newAction());
    }
    const retired = location('R1');
    const { location: id, warehouse, kind } = retired;
    await opened.ports.locations.create(id, { warehouse, kind }, newAction());
    const read = await opened.ports.locations.read(id);
    if (read.kind === 'found') await opened.ports.locations.retire(read.value, newAction());
  });
  afterAll(() => opened?.close());

  return {
    database,
    collections,
    ports,
    stockSku: async (id) => {
      const define = action({ type: 'define', definition }, { id });
      await createInventory({ ...store().ports, timer: processTimer }, 8_000).post({
        ...define,
        sku: sku(id),
      });
    },
    lapse: async () => {
      await collections.receipts.updateMany(
        { 'lease.until': { $exists: true } },
        { $set: { 'lease.until': new Date(1) } },
      );
    },
  };
}

function newAction() {
  return action({ type: 'define', definition }).actionId;
}

const silentAlarms: MemoryPorts['alarms'] = {
  arm: () => Promise.resolve({ kind: 'recorded' }),
  disarm: () => Promise.resolve({ kind: 'recorded' }),
};
