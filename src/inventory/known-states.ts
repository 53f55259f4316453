/**
 * The last known state of SKUs, so that a movement that will be accepted needs no read.
 *
 * 1. Only what a majority has acknowledged is known: a read, or a write that was answered.
 * 2. A state may be out of date at any time; the write's condition on its version tells.
 * 3. It serves a batch only if it accepts the batch whole: a refusal or a repeat takes a read.
 * 4. It is dropped after a lost race and after an unknown outcome. After a lost race it is not
 *    trusted for a few batches: another process is at the same SKU, and a write that rests on
 *    memory would mostly be in vain.
 * 5. Its `now` has passed on the database's clock, so what had lapsed by then has lapsed.
 */
import { LRUCache } from 'lru-cache';
import type { Sku } from '../domain/ids.ts';
import type { SkuRead } from './ports.ts';

export interface KnownStates {
  /** A state to decide on, where there is one to be trusted. */
  readonly get: (sku: Sku) => SkuRead | undefined;
  /** Up to where the ledger is known to reach, as of this very version. */
  readonly ledgeredThrough: (sku: Sku, version: number) => number | undefined;
  readonly put: (known: SkuRead) => void;
  /** Everything that this version counts is in the ledger. */
  readonly prove: (sku: Sku, version: number) => void;
  readonly drop: (sku: Sku) => void;
  /** Whether another process was at the same SKU a few batches ago. */
  readonly isContended: (sku: Sku) => boolean;
  /** Another process was first. */
  readonly lose: (sku: Sku) => void;
}

/** Levels and reservations of all known states together; some 200 bytes each. */
const weightLimit = 200_000;
const weightOfDefinition = 10;
const batchesDistrusted = 8;
const distrustLimit = 10_000;

export function createKnownStates(): KnownStates {
  const states = new LRUCache<Sku, SkuRead>({
    maxSize: weightLimit,
    sizeCalculation: ({ state }) =>
      weightOfDefinition + state.levels.length + state.reservations.length,
  });
  const distrusted = new Map<Sku, number>();
  return {
    get: (sku) => {
      const batches = distrusted.get(sku) ?? 0;
      if (batches === 0) return states.get(sku);
      if (batches === 1) distrusted.delete(sku);
      else distrusted.set(sku, batches - 1);
      return undefined;
    },
    ledgeredThrough: (sku, version) => {
      const known = states.get(sku);
      return known?.state.version === version ? known.extent.ledgeredThrough : undefined;
    },
    put: (known) => states.set(known.state.sku, known),
    prove: (sku, version) => {
      const known = states.get(sku);
      if (known?.state.version !== version) return;
      const { movementCount: ledgeredThrough } = known.state;
      states.set(sku, { ...known, extent: { ...known.extent, ledgeredThrough } });
    },
    drop: (sku) => states.delete(sku),
    isContended: (sku) => distrusted.has(sku),
    lose: (sku) => {
      states.delete(sku);
      const [oldest] = distrusted.keys();
      if (oldest !== undefined && distrusted.size >= distrustLimit) distrusted.delete(oldest);
      distrusted.set(sku, batchesDistrusted);
    },
  };
}
