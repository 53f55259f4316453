/**
 * Receipts.
 *
 * 1. Every write is conditional on the version; the fence goes up with each change of hands.
 * 2. A lease ends by the database's clock. Only its first end is reckoned from an earlier reading
 *    of that clock, since an insert cannot ask for it.
 * 3. A finished receipt has no lease's end; that tells it from one that waits.
 */
import type { Document, Filter } from 'mongodb';
import type { ReceiptId } from '../domain/purchase-order.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { ListReceipts, ReceiptStore } from '../inventory/order-ports.ts';
import type { Read } from '../inventory/ports.ts';
import type { Held, Saved } from '../inventory/saga-ports.ts';
import { leaseMilliseconds } from '../inventory/saga-ports.ts';
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
import type { OrderCollections, ReceiptDocument } from './order-documents.ts';
import { heldOf, receiptFields, receiptOf } from './order-documents.ts';
import { ask, askPlainly } from './store-error.ts';

type Receipts = OrderCollections['receipts'];

export function createReceiptStore(receipts: Receipts): ReceiptStore {
  return {
    read: async (id) => {
      const asked = await askPlainly(() =>
        receipts.findOne<ReceiptDocument & { readonly now: Date }>(
          { _id: id },
          { projection: { ...everyField, now: '$$NOW' }, maxTimeMS },
        ),
      );
      if (asked.kind === 'unknown') return asked;
      if (asked.value === null) return { kind: 'missing' };
      const { lease, now } = asked.value;
      const value = { ...heldOf(asked.value), isAbandoned: isAbandoned(lease, now) };
      return { kind: 'found', value };
    },
    insert: async (record, holder, now) => {
      const document: ReceiptDocument = {
        _id: record.id,
        ...receiptFields(record),
        version: 1,
        lease: { holder, fence: 1, until: new Date(now + leaseMilliseconds) },
      };
      const asked = await ask(() => receipts.insertOne(document, { maxTimeMS }));
      if (asked.kind === 'unknown') return asked;
      return asked.kind === 'found' ? { kind: 'saved', held: heldOf(document) } : { kind: 'lost' };
    },
    save: (before, record, finished) => {
      const after = { record, version: before.version + 1, lease: before.lease };
      return write(receipts, before, after, { 'lease.fence': before.lease.fence }, [
        ...recordStages(record),
        finished ? ended : prolonged,
      ]);
    },
    take: (before, holder) => {
      const after = taken(before, before.record, holder);
      return write(receipts, before, after, whereAbandoned, [handedTo(after.lease)]);
    },
    reopen: (before, record, holder) => {
      const after = taken(before, record, holder);
      const condition = { 'lease.until': { $exists: false } };
      return write(receipts, before, after, condition, [
        ...recordStages(record),
        handedTo(after.lease),
      ]);
    },
    renew: (id, lease) =>
      renewal(() =>
        receipts.updateOne({ _id: id, ...whereHeldBy(lease) }, [prolonged], { maxTimeMS }),
      ),
    abandoned: (limit) =>
      abandonedAmong(() =>
        receipts.find<Leased<ReceiptId>>(whereWaiting, inOrderOfEnd(limit)).toArray(),
      ),
    list: (query) => list(receipts, query),
  };
}

const everyField = {
  number: 1,
  lines: 1,
  attempt: 1,
  state: 1,
  onOrder: 1,
  refusal: 1,
  reversal: 1,
  reference: 1,
  appointment: 1,
  actor: 1,
  at: 1,
  version: 1,
  lease: 1,
} as const;

function taken(before: Held<Receipt>, record: Receipt, holder: string): Held<Receipt> {
  return { record, version: before.version + 1, lease: succeeding(before.lease, holder) };
}

/** What a saga changes of its record; what it leaves out is gone. */
function recordStages(after: Receipt): readonly Document[] {
  const { lines, attempt, state, onOrder, refusal, reversal, at } = receiptFields(after);
  const gone = [
    ...(refusal === undefined ? ['refusal'] : []),
    ...(reversal === undefined ? ['reversal'] : []),
  ];
  return [
    {
      $set: {
        lines: { $literal: lines },
        attempt,
        state: { $literal: state },
        onOrder,
        at,
        ...(refusal === undefined ? {} : { refusal: { $literal: refusal } }),
        ...(reversal === undefined ? {} : { reversal: { $literal: reversal } }),
      },
    },
    ...(gone.length === 0 ? [] : [{ $unset: gone }]),
  ];
}

async function write(
  receipts: Receipts,
  { record, version }: Held<Receipt>,
  after: Held<Receipt>,
  condition: Filter<ReceiptDocument>,
  stages: readonly Document[],
): Promise<Saved<Receipt>> {
  const asked = await ask(() =>
    receipts.updateOne(
      { _id: record.id, version, ...condition },
      [...stages, { $set: { version: after.version } }],
      { maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  return asked.kind === 'found' && asked.value.matchedCount === 1
    ? { kind: 'saved', held: after }
    : { kind: 'lost' };
}

async function list(
  receipts: Receipts,
  { number, after, limit }: ListReceipts,
): Promise<Read<readonly Receipt[]>> {
  const filter: Filter<ReceiptDocument> = {
    number,
    state: { $nin: ['pending', 'refused'] },
    ...(after === undefined
      ? {}
      : {
          at: { $lte: new Date(after.at) },
          $or: [
            { at: { $lt: new Date(after.at) } },
            { at: new Date(after.at), _id: { $lt: after.id } },
          ],
        }),
  };
  const asked = await askPlainly(() =>
    receipts.find(filter, { sort: { at: -1, _id: -1 }, limit, maxTimeMS }).toArray(),
  );
  return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value.map(receiptOf) };
}
