/**
 * Who may do what: each operation and the roles that may ask for it. What is not in this table is
 * denied. `admin` may do everything that is.
 */
import type { Role } from '../domain/api-key.ts';

/** Reads of what moves and where it stands. */
const readers: readonly Role[] = ['scanner', 'back_office', 'auditor'];
/** Who handles goods. */
const handlers: readonly Role[] = ['scanner', 'back_office'];
const office: readonly Role[] = ['back_office'];
const officeAndAuditors: readonly Role[] = ['back_office', 'auditor'];
const adminAlone: readonly Role[] = [];

const permissions: ReadonlyMap<string, readonly Role[]> = new Map(
  Object.entries({
    'GET /v1/session': readers,

    'POST /v1/movements': handlers,
    'POST /v1/movements/batch': handlers,
    'POST /v1/movements/{actionId}/reverse': handlers,
    'GET /v1/actions/{key}': readers,
    'GET /v1/movements': readers,
    'GET /v1/skus/{sku}/movements': readers,
    'GET /v1/skus/{sku}/levels': readers,
    'GET /v1/skus/{sku}/verification': readers,

    'GET /v1/skus': readers,
    'GET /v1/skus/{sku}': readers,
    'PUT /v1/skus/{sku}': office,
    'GET /v1/barcodes/{code}': readers,

    'GET /v1/locations': readers,
    'GET /v1/locations/{location}': readers,
    'GET /v1/locations/{location}/stock': readers,
    'PUT /v1/locations/{location}': office,
    'DELETE /v1/locations/{location}': office,

    'GET /v1/reservations': readers,
    'POST /v1/skus/{sku}/reservations': handlers,
    'GET /v1/skus/{sku}/reservations/{id}': readers,
    'PATCH /v1/skus/{sku}/reservations/{id}': handlers,
    'POST /v1/skus/{sku}/reservations/{id}/commit': handlers,
    'DELETE /v1/skus/{sku}/reservations/{id}': handlers,

    'GET /v1/purchase-orders': readers,
    'GET /v1/purchase-orders/{number}': readers,
    'POST /v1/purchase-orders': office,
    'PATCH /v1/purchase-orders/{number}': office,
    'POST /v1/purchase-orders/{number}/close': office,
    'POST /v1/purchase-orders/{number}/cancel': office,
    'GET /v1/purchase-orders/{number}/receipts': readers,
    'GET /v1/purchase-orders/{number}/receipts/{id}': readers,
    'POST /v1/purchase-orders/{number}/receipts': office,
    'POST /v1/purchase-orders/{number}/receipts/{id}/reverse': office,

    'GET /v1/stock-counts': readers,
    'GET /v1/stock-counts/{id}': readers,
    'POST /v1/stock-counts': office,
    'PUT /v1/stock-counts/{id}/lines': handlers,
    'POST /v1/stock-counts/{id}/close': office,
    'POST /v1/stock-counts/{id}/cancel': office,

    'GET /v1/cycle-counts': officeAndAuditors,
    'GET /v1/cycle-counts/{name}': officeAndAuditors,
    'PUT /v1/cycle-counts/{name}': office,
    'DELETE /v1/cycle-counts/{name}': office,

    'GET /v1/dock/slots': readers,
    'GET /v1/dock/slots/availability': readers,
    'POST /v1/dock/slots': office,
    'POST /v1/dock/slots/{slot}/holds': office,
    'GET /v1/dock/holds/{id}': readers,
    'POST /v1/dock/holds/{id}/confirm': office,
    'DELETE /v1/dock/holds/{id}': office,

    'GET /v1/reminders': officeAndAuditors,
    'GET /v1/reminders/{actor}/{name}': officeAndAuditors,
    'PUT /v1/reminders/{actor}/{name}': office,
    'DELETE /v1/reminders/{actor}/{name}': office,
    'DELETE /v1/reminders/{actor}': office,
    'POST /v1/reminders/{actor}/{name}/resume': office,

    'POST /v1/api-keys': adminAlone,
    'GET /v1/api-keys': adminAlone,
    'GET /v1/api-keys/{id}': adminAlone,
    'DELETE /v1/api-keys/{id}': adminAlone,
    'POST /v1/api-keys/{id}/rotate': adminAlone,
  }),
);

export const permittedOperations: readonly string[] = Array.from(permissions.keys());

/** @param operation such as `GET /v1/skus`. */
export function mayDo(role: Role, operation: string): boolean {
  const allowed = permissions.get(operation);
  return allowed !== undefined && (role === 'admin' || allowed.includes(role));
}

/** Everybody who may, for the document. */
export function rolesFor(operation: string): readonly Role[] {
  const allowed = permissions.get(operation);
  return allowed === undefined ? [] : [...allowed, 'admin'];
}
