/** The lists that go out to CSV and come in from it. */
import type { LocationAnswer, OrderAnswer, SkuAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { texts } from '../texts.ts';
import type { LocationDefinition } from './location-import.ts';
import { checkLocations, exportLocations } from './location-import.ts';
import type { NewOrderDefinition } from './order-import.ts';
import { checkOrders, exportOrders } from './order-import.ts';
import type { SkuDefinition } from './sku-import.ts';
import { checkSkus, exportSkus } from './sku-import.ts';
import type { Transferred } from './transfer.tsx';

export const skuTransfer: Transferred<SkuAnswer, SkuDefinition> = {
  heading: texts.importing.skus,
  fileName: 'skus.csv',
  path: '/v1/skus',
  exported: exportSkus,
  check: checkSkus,
  nameOf: ({ sku }) => sku,
  write: ({ sku, body }) => ask(`/v1/skus/${encodeURIComponent(sku)}`, { method: 'PUT', body }),
};

export const locationTransfer: Transferred<LocationAnswer, LocationDefinition> = {
  heading: texts.importing.locations,
  fileName: 'locations.csv',
  path: '/v1/locations',
  exported: exportLocations,
  check: checkLocations,
  nameOf: ({ location }) => location,
  write: ({ location, body }) => ask(`/v1/locations/${location}`, { method: 'PUT', body }),
};

export const orderTransfer: Transferred<OrderAnswer, NewOrderDefinition> = {
  heading: texts.importing.orders,
  fileName: 'purchase-orders.csv',
  path: '/v1/purchase-orders',
  exported: exportOrders,
  check: checkOrders,
  nameOf: ({ number }) => number,
  // A number is one order, so a second sending under the same key is the same order.
  write: async (body) =>
    ask('/v1/purchase-orders', { method: 'POST', body, idempotencyKey: await importKey(body) }),
};

async function importKey(order: NewOrderDefinition): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(order));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `import-${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
