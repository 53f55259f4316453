/** Puts the use cases together. */
import { changeLocation } from './change-location.ts';
import type { Inventory } from './inventory.ts';
import type { LocationDirectory } from './location-directory.ts';
import { createLocationDirectory } from './location-directory.ts';
import type { Load, Observe } from './observed.ts';
import type { Ports } from './ports.ts';
import { createMutationPath } from './post-movement.ts';
import { createQueries, movementOf } from './queries.ts';
import type { Settlement } from './settled.ts';
import { createSettlement } from './settled.ts';

export interface RunningInventory extends Inventory {
  /** Resolves when no movement is under way any more. */
  readonly idle: () => Promise<void>;
  readonly load: () => Load;
  /** Where locations are, as decisions see them. */
  readonly places: LocationDirectory['known'];
  /** Enters in the ledger what was left behind, of at most so many SKUs. */
  readonly settleSome: Settlement['some'];
  /** The instant up to which every movement is in the ledger, after healing what is older. */
  readonly settledThrough: Settlement['through'];
}

/**
 * @param deadlineMilliseconds by when a request has its answer, definite or not.
 * @param observe is told what the mutation path does.
 */
export function createInventory(
  ports: Ports,
  deadlineMilliseconds: number,
  observe?: Observe,
): RunningInventory {
  const directory = createLocationDirectory(ports.locations, ports.timer);
  const path = createMutationPath(ports, directory, deadlineMilliseconds, observe);
  const settlement = createSettlement(ports);
  return {
    ...createQueries(ports, directory, settlement),
    settleSome: settlement.some,
    settledThrough: settlement.through,
    places: directory.known,
    post: path.post,
    reverse: async ({ original, ...envelope }) => {
      const found = await movementOf(ports, original);
      if (found.kind !== 'ok') return found;
      const change = { type: 'reverse', original: found.value } as const;
      return path.post({ ...envelope, sku: found.value.sku, change });
    },
    idle: path.idle,
    load: path.load,
    putLocation: (action, definition) =>
      changeLocation(ports, directory, deadlineMilliseconds, action, {
        kind: 'define',
        definition,
      }),
    retireLocation: (action) =>
      changeLocation(ports, directory, deadlineMilliseconds, action, { kind: 'retire' }),
  };
}
