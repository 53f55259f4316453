/** The table of operations for keys with warehouses of their own: made once for each set of them. */
import { LRUCache } from 'lru-cache';
import type { WarehouseId } from '../domain/ids.ts';
import { apiKeysWithin } from '../inventory/api-keys-within-reach.ts';
import {
  countsWithin,
  cycleCountsWithin,
  ordersWithin,
  receivingWithin,
  remindersWithin,
} from '../inventory/desks-within-reach.ts';
import { dockWithin } from '../inventory/dock-within-reach.ts';
import type { LocationDirectory } from '../inventory/location-directory.ts';
import { reachOf } from '../inventory/reach.ts';
import { inventoryWithin } from '../inventory/within-reach.ts';
import type { Endpoint } from './endpoint.ts';
import type { EdgeServices } from './routes.ts';
import { endpoints } from './routes.ts';
import { touch } from './touched.ts';

const tablesKept = 500;

/** @param open closes what may not be asked yet. */
export function createTableWithin(
  services: EdgeServices,
  places: LocationDirectory['known'],
  open: (table: readonly Endpoint[]) => readonly Endpoint[],
): (warehouses: readonly WarehouseId[]) => readonly Endpoint[] {
  const tables = new LRUCache<string, readonly Endpoint[]>({ max: tablesKept });
  return (warehouses) => {
    const name = JSON.stringify(warehouses.toSorted());
    const kept = tables.get(name);
    if (kept !== undefined) return kept;
    const reach = reachOf(warehouses, places, touch);
    const made = endpoints({
      ...services,
      apiKeys: apiKeysWithin(reach, services.apiKeys),
      reminders: remindersWithin(services.reminders),
      inventory: inventoryWithin(reach, services.inventory),
      purchaseOrders: ordersWithin(reach, services.purchaseOrders),
      receiving: receivingWithin(reach, services.receiving, services.dock),
      stockCounts: countsWithin(reach, services.stockCounts),
      cycleCounts: cycleCountsWithin(reach, services.cycleCounts),
      dock: dockWithin(reach, services.dock),
    });
    const table = open(made);
    tables.set(name, table);
    return table;
  };
}
