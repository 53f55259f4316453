/**
 * The locations as decisions see them, kept for a moment.
 *
 * A location's warehouse never changes and its kind hardly ever does, so a copy of at most one
 * second saves a read a movement. What is missing is never remembered: a location can be used the
 * moment after it was made, whichever process made it.
 */
import type { LocationId } from '../domain/ids.ts';
import type { Location } from '../domain/location.ts';
import type { LocationStore, Read, Timer } from './ports.ts';

export interface LocationDirectory {
  readonly known: (
    locations: Iterable<LocationId>,
  ) => Promise<Read<ReadonlyMap<LocationId, Location>>>;
  /** Forgets a location that this process has changed. */
  readonly forget: (location: LocationId) => void;
}

const freshForMilliseconds = 1_000;
const copiesLimit = 20_000;

export function createLocationDirectory(store: LocationStore, timer: Timer): LocationDirectory {
  const copies = new Map<LocationId, { readonly location: Location; readonly until: number }>();

  async function known(
    wanted: Iterable<LocationId>,
  ): Promise<Read<ReadonlyMap<LocationId, Location>>> {
    const now = timer.monotonic();
    const found = new Map<LocationId, Location>();
    const stale: LocationId[] = [];
    for (const id of new Set(wanted)) {
      const copy = copies.get(id);
      if (copy && copy.until > now) found.set(id, copy.location);
      else stale.push(id);
    }
    if (stale.length === 0) return { kind: 'found', value: found };
    const read = await store.find(stale);
    if (read.kind === 'unknown') return read;
    for (const [id, location] of read.value) {
      if (copies.size >= copiesLimit) copies.clear();
      copies.set(id, { location, until: now + freshForMilliseconds });
      found.set(id, location);
    }
    return { kind: 'found', value: found };
  }

  return { known, forget: (location) => copies.delete(location) };
}
