/** How far a key with warehouses of its own reaches: which locations it may touch and see. */
import type { LocationId, WarehouseId } from '../domain/ids.ts';
import type { Refused, Unavailable } from './answer.ts';
import type { LocationDirectory } from './location-directory.ts';
import type { Read } from './ports.ts';
import { unavailable } from './ticket.ts';

export type Sees = (location: LocationId) => boolean;

export interface Reach {
  readonly warehouses: readonly WarehouseId[];
  readonly covers: (warehouse: WarehouseId) => boolean;
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

export const beyond: Refused = { kind: 'refused', refusal: { code: 'forbidden' } };

export function reachOf(
  warehouses: readonly WarehouseId[],
  known: LocationDirectory['known'],
): Reach {
  const own = new Set(warehouses);
  async function seeing(locations: Iterable<LocationId>): Promise<Read<Sees>> {
    const read = await known(locations);
    if (read.kind === 'unknown') return read;
    const sees: Sees = (location) => {
      const place = read.value.get(location);
      return place !== undefined && own.has(place.warehouse);
    };
    return { kind: 'found', value: sees };
  }
  return {
    warehouses,
    covers: (warehouse) => own.has(warehouse),
    seeing,
    refuseBeyond: async (locations) => {
      const touched = Array.from(locations);
      const sees = await seeing(touched);
      if (sees.kind === 'unknown') return unavailable(sees.cause);
      return touched.every(sees.value) ? undefined : beyond;
    },
  };
}
