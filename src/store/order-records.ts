/**
 * Orders as the records of the sagas that give up the appointments of cancelled ones.
 *
 * 1. Every write is conditional on the version that was read and raises it by one; renewing a
 *    lease is conditional on the lease and leaves the version.
 * 2. A lease ends by the database's clock. Only an order that waits has such an end.
 * 3. What a step came to is written as such: everything else of the order is its own writers'.
 */
import type { Document, Filter } from 'mongodb';
import type { OrderNumber } from '../domain/ids.ts';
import type { PurchaseOrder } from '../domain/purchase-order.ts';
import type { OrderRecords } from '../inventory/order-ports.ts';
import type { Held, Saved } from '../inventory/saga-ports.ts';
import { maxTimeMS } from './client.ts';
import type { Leased } from './leases.ts';
import {
  abandonedAmong,
  ended,
  handedTo,
  inOrderOfEnd,
  isAbandoned,
  prolonged,
  renewal,
  succeeding,
  whereAbandoned,
  whereHeldBy,
  whereWaiting,
} from './leases.ts';
import type { OrderCollections, OrderDocument } from './order-documents.ts';
import { orderOf } from './order-documents.ts';
import { everyField, nobodys } from './order-store.ts';
import { ask, askPlainly } from './store-error.ts';

type Orders = OrderCollections['orders'];
type OrderHeld = Held<PurchaseOrder>;

export function createOrderRecords(orders: Orders): OrderRecords {
  return {
    read: async (number) => {
      const asked = await askPlainly(() =>
        orders.findOne<OrderDocument & { readonly now: Date }>(
          { _id: number },
          { projection: { ...everyField, lease: 1, now: '$$NOW' }, maxTimeMS },
        ),
      );
      if (asked.kind === 'unknown') return asked;
      if (asked.value === null) return { kind: 'missing' };
      const { version, lease = nobodys, now } = asked.value;
      const value = {
        record: orderOf(asked.value),
        version,
        lease: { holder: lease.holder, fence: lease.fence },
        isAbandoned: isAbandoned(asked.value.lease, now),
      };
      return { kind: 'found', value };
    },
    save: (before, record, finished) =>
      write(
        orders,
        before,
        { ...before, record, version: before.version + 1 },
        { 'lease.fence': before.lease.fence },
        [
          { $set: { appointments: { $literal: record.appointments } } },
          finished ? ended : prolonged,
        ],
      ),
    take: (before, holder) => {
      const lease = succeeding(before.lease, holder);
      const after = { ...before, version: before.version + 1, lease };
      return write(orders, before, after, whereAbandoned, [handedTo(lease)]);
    },
    renew: (number, lease) =>
      renewal(() =>
        orders.updateOne({ _id: number, ...whereHeldBy(lease) }, [prolonged], { maxTimeMS }),
      ),
    abandoned: (limit) =>
      abandonedAmong(() =>
        orders.find<Leased<OrderNumber>>(whereWaiting, inOrderOfEnd(limit)).toArray(),
      ),
  };
}

/** The order in hand goes on under the version that was written. */
async function write(
  orders: Orders,
  { record: { number }, version }: OrderHeld,
  after: OrderHeld,
  condition: Filter<OrderDocument>,
  stages: readonly Document[],
): Promise<Saved<PurchaseOrder>> {
  const asked = await ask(() =>
    orders.updateOne(
      { _id: number, version, ...condition },
      [...stages, { $set: { version: after.version } }],
      { maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  if (asked.kind !== 'found' || asked.value.matchedCount !== 1) return { kind: 'lost' };
  const record = { ...after.record, version: after.version };
  return { kind: 'saved', held: { ...after, record } };
}
