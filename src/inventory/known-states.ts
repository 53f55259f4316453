/**
 * The last known state of SKUs, so that a movement that will be accepted needs no read.
 *
 * 1. Only what a majority has acknowledged is known: a read, or a write that was answered.
 * 2. A state may be out of date at any time; the write's condition on its version tells.
 * 3. It serves a batch only if it accepts the batch whole: a refusal or a repeat takes a read.
 * 4. It is dropped after a lost race and after an unknown outcome.
 * 5. Its `now` has passed on the database's clock, so what had lapsed by then has lapsed.
 */
import { LRUCache } from 'lru-cache';
import type { Sku } from '../domain/ids.ts';
import type { SkuRead } from './ports.ts';

export interface KnownStates {
  readonly get: (sku: Sku) => SkuRead | undefined;
  readonly put: (known: SkuRead) => void;
  readonly drop: (sku: Sku) => void;
}

/** Levels, reservations and texts of all known states together; some 200 bytes each. */
const weightLimit = 200_000;
const weightOfDefinition = 10;

export function createKnownStates(): KnownStates {
  const states = new LRUCache<Sku, SkuRead>({
    maxSize: weightLimit,
    sizeCalculation: ({ state }) =>
      weightOfDefinition + state.levels.length + state.reservations.length,
  });
  return {
    get: (sku) => states.get(sku),
    put: (known) => states.set(known.state.sku, known),
    drop: (sku) => states.delete(sku),
  };
}
