/** Records of sagas in memory: every call is one indivisible step, and the clock is the test's. */
import type { Instant } from '../../src/domain/ids.ts';
import type { Held, Lease, SagaRecords } from '../../src/inventory/saga-ports.ts';
import { leaseMilliseconds } from '../../src/inventory/saga-ports.ts';
import { instant } from './actions.ts';

export function found<T>(value: T): Promise<{ readonly kind: 'found'; readonly value: T }> {
  return Promise.resolve({ kind: 'found', value });
}

export function recorded(effect: () => unknown): Promise<{ readonly kind: 'recorded' }> {
  effect();
  return Promise.resolve({ kind: 'recorded' });
}

export const missing = Promise.resolve({ kind: 'missing' } as const);
export const lost = Promise.resolve({ kind: 'lost' } as const);

/** The entry of a map, as a list of at most one. */
export function pair<K, V>(key: K, value: V | undefined): readonly (readonly [K, V])[] {
  return value === undefined ? [] : [[key, value]];
}

export interface Clock {
  readonly now: Instant;
}

/** A record, and until when somebody's lease on it lasts; none where it waits for nothing. */
export interface MemoryRecord<R> extends Held<R> {
  readonly until?: Instant;
}

export function memoryRecords<I, R>(
  records: Map<I, MemoryRecord<R>>,
  clock: Clock,
  idOf: (record: R) => I,
): SagaRecords<I, R> {
  const leaseEnd = (): Instant => instant(clock.now + leaseMilliseconds);
  const isOver = ({ until }: MemoryRecord<R>): boolean => until !== undefined && until < clock.now;

  function put(record: R, version: number, lease: Lease, until: Instant | undefined) {
    const held = { record, version, lease };
    records.set(idOf(record), { ...held, ...(until === undefined ? {} : { until }) });
    return Promise.resolve({ kind: 'saved', held } as const);
  }

  function unmoved(
    { record, version }: Held<R>,
    also: (standing: MemoryRecord<R>) => boolean,
  ): boolean {
    const standing = records.get(idOf(record));
    return standing?.version === version && also(standing);
  }

  return {
    read: (id) => {
      const standing = records.get(id);
      if (standing === undefined) return missing;
      const { record, version, lease } = standing;
      return found({ record, version, lease, isAbandoned: isOver(standing) });
    },
    insert: (record, holder, now) =>
      records.has(idOf(record))
        ? lost
        : put(record, 1, { holder, fence: 1 }, instant(now + leaseMilliseconds)),
    save: (before, after, finished) =>
      unmoved(before, ({ lease }) => lease.fence === before.lease.fence)
        ? put(after, before.version + 1, before.lease, finished ? undefined : leaseEnd())
        : lost,
    take: (before, holder) =>
      unmoved(before, isOver)
        ? put(
            before.record,
            before.version + 1,
            { holder, fence: before.lease.fence + 1 },
            leaseEnd(),
          )
        : lost,
    reopen: (before, after, holder) =>
      unmoved(before, ({ until }) => until === undefined)
        ? put(after, before.version + 1, { holder, fence: before.lease.fence + 1 }, leaseEnd())
        : lost,
    renew: (id, lease) => {
      const standing = records.get(id);
      const isHeld =
        standing?.until !== undefined &&
        standing.lease.fence === lease.fence &&
        standing.lease.holder === lease.holder;
      if (isHeld) records.set(id, { ...standing, until: leaseEnd() });
      return Promise.resolve({ kind: isHeld ? 'renewed' : 'lost' });
    },
    abandoned: (limit) =>
      found(
        Array.from(records)
          .filter(([, record]) => isOver(record))
          .toSorted(([, one], [, other]) => (one.until ?? 0) - (other.until ?? 0))
          .slice(0, limit)
          .map(([id]) => id),
      ),
  };
}
