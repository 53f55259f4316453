/**
 * Stock counts in memory: every write is conditional on the version that was read, and the pairs of
 * two open counts never meet.
 */
import type { Actor, Instant, Sku } from '../../src/domain/ids.ts';
import type { CountId, CountLine, CountPair, StockCount } from '../../src/domain/stock-count.ts';
import { pairText } from '../../src/domain/stock-count.ts';
import type {
  CountStore,
  CountSummary,
  LineChange,
  LineSlot,
} from '../../src/inventory/count-ports.ts';
import type { Held, Lease, Saved } from '../../src/inventory/saga-ports.ts';
import { leaseMilliseconds } from '../../src/inventory/saga-ports.ts';
import { instant } from './actions.ts';
import type { Clock } from './memory-records.ts';
import { found, lost, missing } from './memory-records.ts';
import type { MemorySku } from './memory-skus.ts';

export interface MemoryCount extends Held<StockCount> {
  readonly leasedAt: Instant;
  /** By pair: the request that counted or cleared the line last. */
  readonly changedBy: ReadonlyMap<string, LineChange['changedBy']>;
}

type Counts = Map<CountId, MemoryCount>;

export function memoryCounts(
  counts: Counts,
  skus: ReadonlyMap<Sku, Pick<MemorySku, 'state'>>,
  clock: Clock,
): CountStore {
  return {
    ...memoryCountRecords(counts, clock),
    summary: (id) => {
      const standing = counts.get(id);
      if (standing === undefined) return missing;
      const { record, version } = standing;
      return found({ version, count: summaryOf(record), isAbandoned: isLeft(standing, clock) });
    },
    slot: (id, wanted) => {
      const standing = counts.get(id);
      return standing === undefined ? missing : found(slotOf(standing, wanted));
    },
    putLine: (change) => putLine(counts, change),
    cancel: (id, version, endedBy: Actor) => {
      const standing = counts.get(id);
      if (standing?.version !== version) return lost;
      const record = {
        ...standing.record,
        status: 'cancelled',
        endedBy,
        endedAt: clock.now,
      } as const;
      counts.set(id, { ...standing, record, version: version + 1 });
      return Promise.resolve({ kind: 'written' });
    },
    overlapping: (id, pairs) => {
      const met = overlap(counts, id, pairs);
      return met === undefined ? missing : found(met);
    },
    list: ({ status, after, limit }) =>
      found(
        Array.from(counts.values(), ({ record }) => summaryOf(record))
          .filter((count) => status === undefined || count.status === status)
          .toSorted((one, other) => other.openedAt - one.openedAt || (one.id < other.id ? 1 : -1))
          .filter(
            ({ openedAt, id }) =>
              after === undefined ||
              openedAt < after.at ||
              (openedAt === after.at && id < after.id),
          )
          .slice(0, limit),
      ),
    progressAt: (ids, locations) =>
      found(
        new Map(
          ids.flatMap((id) => {
            const lines = counts
              .get(id)
              ?.record.lines.filter(({ location }) => locations.includes(location));
            if (lines === undefined) return [];
            const countedCount = lines.filter(({ tally }) => tally !== null).length;
            return [[id, { lineCount: lines.length, countedCount }]];
          }),
        ),
      ),
    standing: ({ locations, skus: named, limit }) =>
      found(
        new Map(
          Array.from(skus.values(), ({ state }) => state)
            .map(
              ({ sku, levels }) =>
                [sku, levels.filter(({ location }) => locations.includes(location))] as const,
            )
            .filter(([sku, levels]) =>
              named === undefined ? levels.some(({ onHand }) => onHand > 0) : named.includes(sku),
            )
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .slice(0, limit)
            .map(([sku, levels]) => [
              sku,
              new Map(levels.map(({ location, onHand }) => [location, onHand])),
            ]),
        ),
      ),
  };
}

type CountRecords = Pick<
  CountStore,
  'read' | 'insert' | 'save' | 'take' | 'reopen' | 'renew' | 'abandoned'
>;

function memoryCountRecords(counts: Counts, clock: Clock): CountRecords {
  function put(
    standing: MemoryCount,
    record: StockCount,
    lease: Lease,
  ): Promise<Saved<StockCount>> {
    const held = { record, version: standing.version + 1, lease };
    counts.set(record.id, { ...standing, ...held, leasedAt: clock.now });
    return Promise.resolve({ kind: 'saved', held });
  }
  const unmoved = ({ record, version }: Held<StockCount>): MemoryCount | undefined => {
    const standing = counts.get(record.id);
    return standing?.version === version ? standing : undefined;
  };
  const next = ({ lease }: Held<StockCount>, holder: string): Lease => ({
    holder,
    fence: lease.fence + 1,
  });
  return {
    read: (id) => {
      const standing = counts.get(id);
      if (standing === undefined) return missing;
      const { record, version, lease } = standing;
      return found({ record, version, lease, isAbandoned: isLeft(standing, clock) });
    },
    insert: (record, holder) => {
      if (counts.has(record.id) || overlap(counts, record.id, record.lines) !== undefined) {
        return lost;
      }
      const held = { record, version: 1, lease: { holder, fence: 1 } };
      counts.set(record.id, { ...held, leasedAt: clock.now, changedBy: new Map() });
      return Promise.resolve({ kind: 'saved', held });
    },
    save: (before, after, finished) => {
      const standing = unmoved(before);
      if (standing === undefined) return lost;
      const record = finished ? { ...after, endedAt: clock.now } : after;
      return put(standing, record, before.lease);
    },
    take: (before, holder) => {
      const standing = unmoved(before);
      if (standing === undefined || !isOver(standing, clock)) return lost;
      return put(standing, before.record, next(before, holder));
    },
    reopen: (before, after, holder) => {
      const standing = unmoved(before);
      return standing === undefined ? lost : put(standing, after, next(before, holder));
    },
    renew: (id, { holder, fence }) => {
      const standing = counts.get(id);
      const isHeld =
        standing?.record.status === 'closing' &&
        standing.lease.holder === holder &&
        standing.lease.fence === fence;
      if (isHeld) counts.set(id, { ...standing, leasedAt: clock.now });
      return Promise.resolve({ kind: isHeld ? 'renewed' : 'lost' });
    },
    abandoned: (limit) =>
      found(
        Array.from(counts.values())
          .filter((count) => isLeft(count, clock))
          .toSorted((one, other) => one.leasedAt - other.leasedAt)
          .slice(0, limit)
          .map(({ record }) => record.id),
      ),
  };
}

function isOver({ leasedAt }: MemoryCount, { now }: Clock): boolean {
  return leasedAt <= instant(now - leaseMilliseconds);
}

function isLeft(count: MemoryCount, clock: Clock): boolean {
  return count.record.status === 'closing' && isOver(count, clock);
}

function holdsPairs({ status }: StockCount): boolean {
  return status === 'open' || status === 'closing';
}

function overlap(
  counts: Counts,
  id: CountId,
  pairs: readonly CountPair[],
): { readonly id: CountId; readonly pair: CountPair } | undefined {
  for (const { record } of counts.values()) {
    if (record.id === id || !holdsPairs(record)) continue;
    const covered = new Set(record.lines.map(pairText));
    const shared = pairs.find((one) => covered.has(pairText(one)));
    if (shared !== undefined) {
      return { id: record.id, pair: { sku: shared.sku, location: shared.location } };
    }
  }
  return undefined;
}

function summaryOf({ lines, ...count }: StockCount): CountSummary {
  const countedCount = lines.filter(({ tally }) => tally !== null).length;
  return { ...count, lineCount: lines.length, countedCount };
}

function slotOf({ record, version, changedBy }: MemoryCount, wanted: CountPair): LineSlot {
  const index = record.lines.findIndex((line) => pairText(line) === pairText(wanted));
  const read = { version, count: summaryOf(record) };
  const value = record.lines[index];
  if (value === undefined) return read;
  const by = changedBy.get(pairText(wanted));
  return { ...read, line: { index, value, ...(by === undefined ? {} : { changedBy: by }) } };
}

function putLine(
  counts: Counts,
  { id, version, index, line, changedBy }: LineChange,
): ReturnType<CountStore['putLine']> {
  const standing = counts.get(id);
  if (standing?.version !== version) return lost;
  if (index === undefined && overlap(counts, id, [line]) !== undefined) {
    return Promise.resolve({ kind: 'taken' });
  }
  const lines: readonly CountLine[] =
    index === undefined
      ? [...standing.record.lines, line]
      : standing.record.lines.with(index, line);
  counts.set(id, {
    ...standing,
    record: { ...standing.record, lines },
    version: version + 1,
    changedBy: new Map([...standing.changedBy, [pairText(line), changedBy]]),
  });
  return Promise.resolve({ kind: 'written' });
}
