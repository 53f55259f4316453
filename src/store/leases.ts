/**
 * Leases on the records of sagas: who carries one on, and until when.
 *
 * 1. A lease ends by the database's clock, in the write itself.
 * 2. Only a record that waits for something has such an end; the index holds no other.
 */
import type { Document, UpdateResult } from 'mongodb';
import type { Read } from '../inventory/ports.ts';
import type { Lease, Renewed } from '../inventory/saga-ports.ts';
import { leaseMilliseconds } from '../inventory/saga-ports.ts';
import { maxTimeMS } from './client.ts';
import type { LeaseDocument } from './order-documents.ts';
import { ask, askPlainly } from './store-error.ts';

const end = { $add: ['$$NOW', leaseMilliseconds] } as const;

/** The stage that lets a lease last for another full time. */
export const prolonged = { $set: { 'lease.until': end } } as const;
/** The stage that ends it: the record waits for nothing any more. */
export const ended = { $unset: 'lease.until' } as const;

/** The stage that hands a record on. */
export function handedTo({ holder, fence }: Lease): Document {
  return { $set: { lease: { holder: { $literal: holder }, fence, until: end } } };
}

export function succeeding({ fence }: Lease, holder: string): Lease {
  return { holder, fence: fence + 1 };
}

/** In a $cond, since DocumentDB looks for an index that could answer a bare comparison. */
const isOverNow = { $cond: [{ $lt: ['$lease.until', '$$NOW'] }, true, false] } as const;

/** Documents whose lease is over as the write lands. */
export const whereAbandoned = { 'lease.until': { $exists: true }, $expr: isOverNow } as const;

export function isAbandoned(lease: LeaseDocument | undefined, now: Date): boolean {
  return lease?.until !== undefined && lease.until < now;
}

/** The document while it waits under this lease. */
export function whereHeldBy({ holder, fence }: Lease) {
  return {
    'lease.holder': holder,
    'lease.fence': fence,
    'lease.until': { $exists: true },
  } as const;
}

/** Whatever waits, whether its lease is over or not. */
export const whereWaiting = { 'lease.until': { $gt: new Date(0) } } as const;

/** A document as it is read to see whether its lease is over. */
export interface Leased<I> {
  readonly _id: I;
  readonly lease?: LeaseDocument;
  readonly now: Date;
}

/** In the order of the index; the clock is compared by `abandonedAmong`. */
export function inOrderOfEnd(limit: number) {
  return {
    projection: { lease: 1, now: '$$NOW' },
    sort: { 'lease.until': 1 },
    limit,
    maxTimeMS,
  } as const;
}

/** @param read takes what waits, `inOrderOfEnd`. */
export async function abandonedAmong<I>(
  read: () => Promise<readonly Leased<I>[]>,
): Promise<Read<readonly I[]>> {
  const asked = await askPlainly(read);
  if (asked.kind === 'unknown') return asked;
  const over = asked.value.filter(({ lease, now }) => isAbandoned(lease, now));
  return { kind: 'found', value: over.map(({ _id }) => _id) };
}

/**
 * It leaves the version alone: the holder's next write need not know of it.
 * @param prolong finds the record only while its lease is the holder's.
 */
export async function renewal(prolong: () => Promise<UpdateResult>): Promise<Renewed> {
  const asked = await ask(prolong);
  if (asked.kind === 'unknown') return asked;
  return { kind: asked.kind === 'found' && asked.value.matchedCount === 1 ? 'renewed' : 'lost' };
}
