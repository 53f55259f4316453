/** Purchase orders: compare-and-swap on the version, which only ever grows. */
import type { Filter } from 'mongodb';
import { nextToGiveUp } from '../domain/appointment.ts';
import type { ActionId } from '../domain/ids.ts';
import type { PurchaseOrder } from '../domain/purchase-order.ts';
import { statusOf } from '../domain/purchase-order.ts';
import type { ListOrders, OrderStore, OrderWrite, SkuCatalogue } from '../inventory/order-ports.ts';
import type { Read } from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { Collections } from './documents.ts';
import { instantOf } from './documents.ts';
import type { OrderCollections, OrderDocument } from './order-documents.ts';
import { orderOf } from './order-documents.ts';
import { ask, askPlainly } from './store-error.ts';

type Orders = OrderCollections['orders'];

export function createOrderStore(orders: Orders): OrderStore {
  return {
    read: async (number) => {
      const asked = await askPlainly(() =>
        orders.findOne<OrderDocument & { readonly now: Date }>(
          { _id: number },
          { projection: { ...everyField, now: '$$NOW' }, maxTimeMS },
        ),
      );
      if (asked.kind === 'unknown') return asked;
      if (asked.value === null) return { kind: 'missing' };
      const { changedBy, now } = asked.value;
      const order = orderOf(asked.value);
      return { kind: 'found', value: { order, changedBy, now: instantOf(now) } };
    },
    create: (order, by) => create(orders, order, by),
    swap: (before, after, by) => swap(orders, before.order, after, by ?? before.changedBy),
    list: (query) => list(orders, query),
  };
}

export const everyField = {
  supplier: 1,
  standing: 1,
  lines: 1,
  overReceiptPercent: 1,
  outcomes: 1,
  appointments: 1,
  version: 1,
  changedBy: 1,
} as const;

/** A lease that is over: whoever looks first takes it. */
export const nobodys = { holder: '', fence: 0, until: new Date(1) } as const;

async function create(orders: Orders, order: PurchaseOrder, by: ActionId): Promise<OrderWrite> {
  const { number, ...fields } = order;
  const document = { _id: number, ...fields, listedAs: statusOf(order), changedBy: by };
  const asked = await ask(() => orders.insertOne(document, { maxTimeMS }));
  switch (asked.kind) {
    case 'found':
      return { kind: 'written', order };
    case 'conflict':
    case 'duplicate':
      return { kind: 'lost' };
    case 'unknown':
      return asked;
  }
}

async function swap(
  orders: Orders,
  before: PurchaseOrder,
  decided: PurchaseOrder,
  by: ActionId,
): Promise<OrderWrite> {
  const after = { ...decided, version: before.version + 1 };
  const { overReceiptPercent, appointments } = after;
  const asked = await ask(() =>
    orders.updateOne(
      { _id: before.number, version: before.version },
      {
        $set: {
          version: after.version,
          standing: after.standing,
          listedAs: statusOf(after),
          changedBy: by,
          ...(after.supplier === before.supplier ? {} : { supplier: after.supplier }),
          ...(after.lines === before.lines ? {} : { lines: after.lines }),
          ...(after.outcomes === before.outcomes ? {} : { outcomes: after.outcomes }),
          ...(appointments === before.appointments ? {} : { appointments }),
          ...(before.standing === 'open' && nextToGiveUp(after) !== undefined
            ? { lease: nobodys }
            : {}),
          ...(overReceiptPercent === undefined ? {} : { overReceiptPercent }),
        },
        ...(overReceiptPercent === undefined ? { $unset: { overReceiptPercent: '' } } : {}),
      },
      { maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  return asked.kind === 'found' && asked.value.matchedCount === 1
    ? { kind: 'written', order: after }
    : { kind: 'lost' };
}

async function list(
  orders: Orders,
  { status, after, limit }: ListOrders,
): Promise<Read<readonly PurchaseOrder[]>> {
  const filter: Filter<OrderDocument> = {
    ...(status === undefined ? {} : { listedAs: status }),
    ...(after === undefined ? {} : { _id: { $gt: after } }),
  };
  const asked = await askPlainly(() =>
    orders.find(filter, { sort: { _id: 1 }, limit, maxTimeMS }).toArray(),
  );
  return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value.map(orderOf) };
}

export function createSkuCatalogue(skus: Collections['skus']): SkuCatalogue {
  return {
    definitions: async (wanted) => {
      const asked = await askPlainly(() =>
        skus
          .find({ _id: { $in: [...wanted] } }, { projection: { baseUnit: 1, packs: 1 }, maxTimeMS })
          .toArray(),
      );
      if (asked.kind === 'unknown') return asked;
      return {
        kind: 'found',
        value: new Map(asked.value.map(({ _id, baseUnit, packs }) => [_id, { baseUnit, packs }])),
      };
    },
  };
}
