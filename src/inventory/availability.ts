/**
 * What remains of the dock's slots, remembered for a short while: it is read far more often than it
 * changes, and is advice; the swap that takes a seat decides.
 *
 * 1. Of those who ask for one list at once, one recomputes it. The others are given the last copy,
 *    or wait with it, and ask the database nothing.
 * 2. Nobody waits for longer than their patience; then they ask the database themselves. So a read
 *    never fails because of what is remembered.
 * 3. What was dropped is not shown again: a recomputation that began before is given to those who
 *    asked before, and to nobody else.
 * 4. A copy is shown for its time, and while it is recomputed for as long again. A recomputation
 *    that failed is told to those who wait for it and is not kept.
 * 5. It is of this process: what another one drops is seen here when the copy's time is up.
 */
import { LRUCache } from 'lru-cache';
import type { WarehouseId } from '../domain/ids.ts';
import { inTime } from './in-time.ts';
import type { Read, Timer, Unknown } from './ports.ts';

export interface Availability<V> {
  /** @param warehouse all of them where it is left out. */
  readonly get: (warehouse?: WarehouseId) => Promise<Read<V>>;
  /** To be called when a change in that warehouse has gone through, before it is answered (3). */
  readonly drop: (warehouse: WarehouseId) => void;
}

export interface AvailabilityParts<V> {
  readonly read: (warehouse?: WarehouseId) => Promise<Read<V>>;
  readonly timer: Pick<Timer, 'monotonic' | 'after'>;
  /** How long a copy is shown without looking. */
  readonly seconds: number;
}

const listsKept = 500;
const patienceMilliseconds = 3_000;

/** No id of a warehouse is empty. */
const everywhere = '';

type Key = WarehouseId | typeof everywhere;

type Found<V> = Exclude<Read<V>, Unknown>;

/** How the cache is told that there is nothing to keep (4). */
class NotRecomputed extends Error {
  readonly outcome: Unknown;

  constructor(outcome: Unknown) {
    super(outcome.cause);
    this.outcome = outcome;
  }
}

export function createAvailability<V extends object>({
  read,
  timer,
  seconds,
}: AvailabilityParts<V>): Availability<V> {
  const milliseconds = seconds * 1_000;
  const ask = (key: Key) => (key === everywhere ? read() : read(key));
  const lists = new LRUCache<Key, Found<V>>({
    max: listsKept,
    ttl: milliseconds,
    ttlResolution: 0,
    perf: { now: timer.monotonic },
    fetchMethod: async (key) => {
      const outcome = await ask(key);
      if (outcome.kind === 'unknown') throw new NotRecomputed(outcome);
      return outcome;
    },
    // Those who asked before a drop are answered; the cache lets go of it all the same (3).
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
  });

  async function shared(key: Key): Promise<Read<V>> {
    const allowStale = lists.getRemainingTTL(key) > -milliseconds;
    try {
      return (await lists.fetch(key, { allowStale })) ?? (await ask(key));
    } catch (error) {
      if (error instanceof NotRecomputed) return error.outcome;
      throw error;
    }
  }

  return {
    get: async (warehouse) => {
      const key = warehouse ?? everywhere;
      const until = timer.monotonic() + patienceMilliseconds;
      return (await inTime(timer, until, shared(key))) ?? (await ask(key));
    },
    drop: (warehouse) => {
      lists.delete(warehouse);
      lists.delete(everywhere);
    },
  };
}
