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
import type { Read } from '../inventory/ports.ts';
import type { Held, Lease, Saved } from '../inventory/saga-ports.ts';
import { maxTimeMS } from './client.ts';
import type { LeaseDocument, OrderCollections, OrderDocument } from './order-documents.ts';
import { orderOf } from './order-documents.ts';
import { everyField, nobodys } from './order-store.ts';
import { leaseEnd, leaseIsOver } from './receipt-store.ts';
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
        isAbandoned: isOver(asked.value.lease, now),
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
          finished ? { $unset: 'lease.until' } : { $set: { 'lease.until': leaseEnd } },
        ],
      ),
    take: (before, holder) => {
      const lease = { holder, fence: before.lease.fence + 1 };
      const after = { ...before, version: before.version + 1, lease };
      const condition = { 'lease.until': { $exists: true }, $expr: leaseIsOver };
      return write(orders, before, after, condition, [
        {
          $set: {
            lease: { holder: { $literal: holder }, fence: lease.fence, until: leaseEnd },
          },
        },
      ]);
    },
    renew: (number, { holder, fence }: Lease) => renew(orders, number, { holder, fence }),
    abandoned: (limit) => abandoned(orders, limit),
  };
}

function isOver(lease: LeaseDocument | undefined, now: Date): boolean {
  return lease?.until !== undefined && lease.until < now;
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

async function renew(orders: Orders, number: OrderNumber, { holder, fence }: Lease) {
  const asked = await ask(() =>
    orders.updateOne(
      {
        _id: number,
        'lease.holder': holder,
        'lease.fence': fence,
        'lease.until': { $exists: true },
      },
      [{ $set: { 'lease.until': leaseEnd } }],
      { maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  const isOurs = asked.kind === 'found' && asked.value.matchedCount === 1;
  return { kind: isOurs ? 'renewed' : 'lost' } as const;
}

/** In the order of the index, which holds those only that wait; the clock is compared here. */
async function abandoned(orders: Orders, limit: number): Promise<Read<readonly OrderNumber[]>> {
  const asked = await askPlainly(() =>
    orders
      .find<Pick<OrderDocument, '_id' | 'lease'> & { readonly now: Date }>(
        { 'lease.until': { $gt: new Date(0) } },
        {
          projection: { lease: 1, now: '$$NOW' },
          sort: { 'lease.until': 1 },
          limit,
          maxTimeMS,
        },
      )
      .toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  const over = asked.value.filter(({ lease, now }) => isOver(lease, now));
  return { kind: 'found', value: over.map(({ _id }) => _id) };
}
