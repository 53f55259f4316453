/** How far a key with warehouses of its own reaches: which locations it may touch and see. */
import type { LocationId, WarehouseId } from '../domain/ids.ts';
import type { KnownLocations } from '../domain/location.ts';
import type { Refused, Unavailable } from './answer.ts';
import type { LocationDirectory } from './location-directory.ts';
import type { Read } from './ports.ts';
import { unavailable } from './ticket.ts';

export type Sees = (location: LocationId) => boolean;

export interface Reach {
  readonly warehouses: readonly WarehouseId[];
  readonly coversAll: (warehouses: readonly WarehouseId[]) => boolean;
  /** Tells of each of these whether it lies within; one that is not there does not. */
  readonly seeing: (locations: Iterable<LocationId>) => Promise<Read<Sees>>;
  /**
   * Where one of these does not lie within. A location of another warehouse and one that is not
   * there are refused alike, so that nobody learns which exist.
   */
  readonly refuseBeyond: (
    locations: Iterable<LocationId>,
  ) => Promise<Refused | Unavailable | undefined>;
}

/** Is told of the warehouses that a request touches, within and beyond. */
export type Touch = (warehouses: Iterable<WarehouseId>) => void;

export const beyond: Refused = { kind: 'refused', refusal: { code: 'forbidden' } };

export function reachOf(
  warehouses: readonly WarehouseId[],
  known: LocationDirectory['known'],
  touch: Touch,
): Reach {
  const own = new Set(warehouses);
  const seen = (places: KnownLocations): Sees => {
    return (location) => {
      const place = places.get(location);
      return place !== undefined && own.has(place.warehouse);
    };
  };
  return {
    warehouses,
    coversAll: (named) => {
      touch(named);
      return named.every((warehouse) => own.has(warehouse));
    },
    seeing: async (locations) => {
      const read = await known(locations);
      return read.kind === 'unknown' ? read : { kind: 'found', value: seen(read.value) };
    },
    refuseBeyond: async (locations) => {
      const touched = Array.from(locations);
      const read = await known(touched);
      if (read.kind === 'unknown') return unavailable(read.cause);
      touch(Array.from(read.value.values(), ({ warehouse }) => warehouse));
      return touched.every(seen(read.value)) ? undefined : beyond;
    },
  };
}
