/** Every operation of the service, in one table. Routing, 405 and Allow are derived from it. */
import type { ApiKeys } from '../inventory/api-key-ports.ts';
import type { StockCounts } from '../inventory/count-ports.ts';
import type { CycleCounts } from '../inventory/cycle-counts.ts';
import type { Dock } from '../inventory/dock-ports.ts';
import type { Inventory, Readiness } from '../inventory/inventory.ts';
import type { PurchaseOrders, Receiving } from '../inventory/order-ports.ts';
import type { Reminders } from '../inventory/reminders.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { auditEndpoints } from './audit.ts';
import { batchEndpoint } from './batch.ts';
import { cycleCountEndpoints } from './cycle-counts.ts';
import { dockEndpoints } from './dock.ts';
import { documentEndpoints } from './docs.ts';
import type { Endpoint } from './endpoint.ts';
import { locationEndpoints } from './locations.ts';
import { movementEndpoints } from './movements.ts';
import { probeEndpoints } from './probes.ts';
import { orderEndpoints } from './purchase-orders.ts';
import { receiptEndpoints } from './receipts.ts';
import { reminderEndpoints } from './reminders.ts';
import { reservationEndpoints } from './reservations.ts';
import { reversalEndpoint } from './reversals.ts';
import { sessionEndpoint } from './session.ts';
import { skuEndpoints } from './skus.ts';
import { stockCountEndpoints } from './stock-counts.ts';

export interface EdgeServices {
  readonly apiKeys: ApiKeys;
  readonly inventory: Inventory;
  readonly reminders: Reminders;
  readonly purchaseOrders: PurchaseOrders;
  readonly receiving: Receiving;
  readonly stockCounts: StockCounts;
  readonly cycleCounts: CycleCounts;
  readonly dock: Dock;
  readonly readiness: Readiness;
  readonly metrics: () => Promise<string>;
  /** Within which a request begins its work. */
  readonly requestDeadlineMs: number;
}

export function endpoints(services: EdgeServices): readonly Endpoint[] {
  const { inventory, reminders, requestDeadlineMs } = services;
  // Most requests are movements, and Express looks at one path after the other.
  const described = [
    ...movementEndpoints(inventory),
    batchEndpoint(inventory, requestDeadlineMs),
    ...probeEndpoints(services.readiness, services.metrics),
    sessionEndpoint(),
    ...locationEndpoints(inventory),
    ...skuEndpoints(inventory),
    reversalEndpoint(inventory),
    ...reservationEndpoints(inventory),
    ...auditEndpoints(inventory),
    ...reminderEndpoints(reminders),
    ...orderEndpoints(services.purchaseOrders),
    ...receiptEndpoints(services.receiving),
    ...stockCountEndpoints(services.stockCounts),
    ...cycleCountEndpoints(services.cycleCounts),
    ...dockEndpoints(services.dock),
    ...apiKeyEndpoints(services.apiKeys),
  ];
  return [...described, ...documentEndpoints(described)];
}

/** The endpoints of each path. */
export function byPath(table: readonly Endpoint[]): ReadonlyMap<string, readonly Endpoint[]> {
  const served = new Map<string, Endpoint[]>();
  for (const endpoint of table) {
    const beside = served.get(endpoint.path);
    if (beside) beside.push(endpoint);
    else served.set(endpoint.path, [endpoint]);
  }
  return served;
}

/** What may be asked of a path, for Allow. */
export function allowed(served: readonly Endpoint[]): string {
  const methods = served.map(({ method }) => method);
  const head = methods.includes('GET') ? ['HEAD'] : [];
  return [...methods, ...head, 'OPTIONS'].toSorted().join(', ');
}
