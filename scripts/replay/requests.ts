/**
 * The plan as HTTP requests. Each carries an idempotency key made from what it is about and a hash
 * of what it asks: the same input gives the same keys, so a second run is all replays, and a row
 * that was edited asks for something else under another key.
 */
import { createHash } from 'node:crypto';
import type { Plan, PlannedLocation, PlannedShip, PlannedSku } from './plan.ts';
import type { Product } from './rows.ts';

export interface KeyedRequest {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: unknown;
  readonly key: string;
}

export interface SkuCheck {
  readonly sku: string;
  readonly unitsInStock: number;
  /** The key of its opening stock; undefined where nothing is opened. */
  readonly openingKey: string | undefined;
}

export interface ReplayRequests {
  readonly locations: readonly KeyedRequest[];
  readonly skus: readonly KeyedRequest[];
  readonly openings: readonly KeyedRequest[];
  readonly ships: readonly KeyedRequest[];
  readonly checks: readonly SkuCheck[];
}

export function requestsOf(plan: Plan): ReplayRequests {
  const opened = plan.skus.map((planned) => ({ planned, request: openingRequest(planned) }));
  return {
    locations: plan.locations.map(locationRequest),
    skus: plan.skus.map(skuRequest),
    openings: opened.flatMap(({ request }) => (request ? [request] : [])),
    ships: plan.ships.map(shipRequest),
    checks: opened.map(({ planned, request }) => ({
      sku: planned.sku,
      unitsInStock: planned.product.unitsInStock,
      openingKey: request?.key,
    })),
  };
}

function locationRequest({ location, warehouse }: PlannedLocation): KeyedRequest {
  const path = `/v1/locations/${encodeURIComponent(location)}`;
  return keyed(['location', location], 'PUT', path, { warehouse, kind: 'storage' });
}

function skuRequest({ sku, product }: PlannedSku): KeyedRequest {
  return keyed(['sku', sku], 'PUT', skuPath(sku), {
    description: descriptionOf(product),
    reorderPoint: product.reorderLevel,
    status: product.discontinued ? 'discontinued' : 'active',
  });
}

function descriptionOf({ productName, quantityPerUnit }: Product): string {
  return quantityPerUnit === '' ? productName : `${productName} (${quantityPerUnit})`;
}

function openingRequest({ sku, opening }: PlannedSku): KeyedRequest | undefined {
  if (opening.length === 0) return undefined;
  const body = { type: 'receive', sku, lines: opening, reference: 'opening stock' };
  return keyed(['opening', sku], 'POST', '/v1/movements', body);
}

function shipRequest(ship: PlannedShip): KeyedRequest {
  const { sku, location, quantity, orderId, productId, occurrence } = ship;
  const body = { type: 'ship', sku, location, quantity, reference: `order ${orderId}` };
  return keyed(['ship', orderId, productId, String(occurrence)], 'POST', '/v1/movements', body);
}

export function skuPath(sku: string): string {
  return `/v1/skus/${encodeURIComponent(sku)}`;
}

function keyed(
  about: readonly string[],
  method: KeyedRequest['method'],
  path: string,
  body: unknown,
): KeyedRequest {
  const content = JSON.stringify([method, path, body]);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 24);
  return { method, path, body, key: ['replay', ...about, hash].join(':') };
}
