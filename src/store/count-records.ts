/**
 * Counts as the records of the sagas that close them.
 *
 * 1. Every write is conditional on the version that was read and raises it by one; renewing a
 *    lease is conditional on the lease and leaves the version.
 * 2. A lease lasts from the database's clock at its last write. Writes name lines by their places,
 *    which the operators with expressions cannot, so the stamp is of the lease's begin.
 * 3. What a step came to is written as such, not with the whole count.
 */
import type { Collection, Document, UpdateFilter } from 'mongodb';
import type { CountId, CountStatus, StockCount } from '../domain/stock-count.ts';
import type { Lookup, Read } from '../inventory/ports.ts';
import type { Held, Lease, SagaRead, SagaRecords, Saved } from '../inventory/saga-ports.ts';
import { leaseMilliseconds } from '../inventory/saga-ports.ts';
import { maxTimeMS } from './client.ts';
import type { CountDocument } from './count-documents.ts';
import { countDocument, countOf } from './count-documents.ts';
import { instantOf } from './documents.ts';
import { renewal } from './leases.ts';
import { ask, askPlainly } from './store-error.ts';

type Counts = Collection<CountDocument>;
type CountHeld = Held<StockCount>;

export function createCountRecords(counts: Counts): SagaRecords<CountId, StockCount> {
  return {
    read: (id) => read(counts, id),
    insert: (record, holder) => insert(counts, record, { holder, fence: 1 }),
    save: (before, after, finished) => save(counts, before, after, finished),
    take: (before, holder) =>
      swap(counts, before, { ...before, lease: nextLease(before, holder) }, { $expr: isOver }),
    reopen: (before, after, holder) =>
      swap(counts, before, { ...before, record: after, lease: nextLease(before, holder) }),
    renew: (id, lease) =>
      renewal(() =>
        counts.updateOne({ _id: id, lease, status: 'closing' }, stampLease, { maxTimeMS }),
      ),
    abandoned: (limit) => abandoned(counts, limit),
  };
}

function nextLease({ lease }: CountHeld, holder: string): Lease {
  return { holder, fence: lease.fence + 1 };
}

const stampLease = { $currentDate: { leasedAt: true } } as const;

/** In a $cond, since DocumentDB looks for an index that could answer a bare comparison. */
export const isOver: Document = {
  $cond: [{ $lte: ['$leasedAt', { $subtract: ['$$NOW', leaseMilliseconds] }] }, true, false],
};

/** Only closing is work; an open count waits for people. */
export function isAbandoned(status: CountStatus, leaseIsOver: boolean): boolean {
  return status === 'closing' && leaseIsOver;
}

async function read(counts: Counts, id: CountId): Promise<Lookup<SagaRead<StockCount>>> {
  const asked = await askPlainly(() =>
    counts.findOne<Omit<CountDocument, 'pairs'> & { readonly isOver: boolean }>(
      { _id: id },
      { projection: { ...fields, isOver }, maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  if (asked.value === null) return { kind: 'missing' };
  const { version, lease, status, isOver: leaseIsOver } = asked.value;
  const value = {
    record: countOf(asked.value),
    version,
    lease,
    isAbandoned: isAbandoned(status, leaseIsOver),
  };
  return { kind: 'found', value };
}

const fields = {
  version: 1,
  status: 1,
  isBlind: 1,
  locations: 1,
  skus: 1,
  openedWith: 1,
  openedBy: 1,
  openedAt: 1,
  endedBy: 1,
  endedAt: 1,
  lines: 1,
  lease: 1,
} as const;

async function insert(
  counts: Counts,
  record: StockCount,
  lease: Lease,
): Promise<Saved<StockCount>> {
  const document = countDocument(record, lease);
  const asked = await ask(() => counts.insertOne(document, { maxTimeMS }));
  switch (asked.kind) {
    case 'found':
      return { kind: 'saved', held: { record, version: document.version, lease } };
    case 'duplicate':
    case 'conflict':
      return { kind: 'lost' };
    case 'unknown':
      return asked;
  }
}

function save(
  counts: Counts,
  before: CountHeld,
  after: StockCount,
  finished: boolean,
): Promise<Saved<StockCount>> {
  const outcomes = after.lines.flatMap(({ outcome }, index) =>
    outcome === undefined || outcome === before.record.lines[index]?.outcome
      ? []
      : [[`lines.${index}.outcome`, outcome] as const],
  );
  const ending = finished ? ended : {};
  return swap(
    counts,
    before,
    { ...before, record: after },
    {},
    Object.fromEntries(outcomes),
    ending,
  );
}

const ended: UpdateFilter<CountDocument> = {
  $currentDate: { leasedAt: true, endedAt: true },
  $unset: { pairs: 1 },
};

/** The one conditional write: status and lease, and what a step came to. */
async function swap(
  counts: Counts,
  before: CountHeld,
  { record, lease }: CountHeld,
  also: Document = {},
  outcomes: Document = {},
  ending: UpdateFilter<CountDocument> = {},
): Promise<Saved<StockCount>> {
  const version = before.version + 1;
  const { id, status, endedBy } = record;
  const set = {
    version,
    status,
    lease,
    ...(endedBy === undefined ? {} : { endedBy }),
    ...outcomes,
  };
  const asked = await ask(() =>
    counts.findOneAndUpdate(
      { _id: id, version: before.version, ...also },
      { ...stampLease, $set: set, ...ending },
      { projection: { endedAt: 1 }, returnDocument: 'after', maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  if (asked.kind !== 'found' || asked.value === null) return { kind: 'lost' };
  const { endedAt } = asked.value;
  const stamped = endedAt === undefined ? {} : { endedAt: instantOf(endedAt) };
  return { kind: 'saved', held: { record: { ...record, ...stamped }, version, lease } };
}

async function abandoned(counts: Counts, limit: number): Promise<Read<readonly CountId[]>> {
  const asked = await askPlainly(() =>
    counts
      .find<Pick<CountDocument, '_id'>>(
        { status: 'closing', $expr: isOver },
        { projection: { _id: 1 }, sort: { leasedAt: 1 }, limit, maxTimeMS },
      )
      .toArray(),
  );
  return asked.kind === 'unknown'
    ? asked
    : { kind: 'found', value: asked.value.map(({ _id }) => _id) };
}
