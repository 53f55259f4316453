/** Locations: where stock stands, and what may be done with it there. */
import type { Instant, LocationId, WarehouseId } from './ids.ts';

export const locationKinds = ['storage', 'receiving', 'quarantine'] as const;
export type LocationKind = (typeof locationKinds)[number];

/** What a caller says of a location. */
export interface LocationDefinition {
  readonly warehouse: WarehouseId;
  readonly name?: string;
  readonly kind: LocationKind;
}

export interface Location extends LocationDefinition {
  readonly location: LocationId;
  readonly version: number;
  /** Set once, for good: nothing comes in any more, and the id is not used again. */
  readonly retiredAt?: Instant;
}

/** The locations that a decision names, as far as they exist. */
export type KnownLocations = ReadonlyMap<LocationId, Location>;
