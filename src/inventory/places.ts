/** The locations of warehouses, for questions that are asked of locations. */
import type { LocationId, WarehouseId } from '../domain/ids.ts';
import type { LocationStore, Read } from './ports.ts';

const pageSize = 10_000;

/** All of them, however many a warehouse has. */
export async function placesIn(
  locations: LocationStore,
  warehouses: readonly WarehouseId[],
): Promise<Read<readonly LocationId[]>> {
  const places: LocationId[] = [];
  let after: LocationId | undefined;
  for (;;) {
    const page = { ...(after && { after }), limit: pageSize };
    const read = await locations.list({ warehouses, ...page });
    if (read.kind === 'unknown') return read;
    places.push(...read.value.map(({ location }) => location));
    if (read.value.length < pageSize) return { kind: 'found', value: places };
    after = places.at(-1);
  }
}
