/** The SKU document as the domain sees it, and what can be read off it. */
import type { ActionId, Instant, LocationId, Sku } from './ids.ts';
import type { LocationKind } from './location.ts';
import type { OnHand, PackSize } from './quantity.ts';
import { nothing } from './quantity.ts';
import type { Reservation } from './reservation.ts';
import { isLive } from './reservation.ts';

export const skuStatuses = ['active', 'discontinued'] as const;
export type SkuStatus = (typeof skuStatuses)[number];

export interface Pack {
  readonly unit: string;
  readonly contains: PackSize;
}

export interface Barcode {
  readonly code: string;
  /** The pack that the code stands on; the base unit where it is left out. */
  readonly unit?: string;
}

export interface SkuDefinition {
  readonly description: string;
  readonly baseUnit: string;
  readonly packs: readonly Pack[];
  readonly barcodes: readonly Barcode[];
  readonly reorderPoint?: number;
  readonly status: SkuStatus;
}

export interface Level {
  readonly location: LocationId;
  readonly onHand: OnHand;
}

export interface SkuState {
  readonly sku: Sku;
  readonly definition: SkuDefinition;
  readonly levels: readonly Level[];
  readonly reservations: readonly Reservation[];
  /** The last action that changed the document. */
  readonly lastActionId: ActionId;
  readonly version: number;
  /** The newest ordinal. */
  readonly movementCount: number;
}

export const levelsLimit = 200;
export const packsLimit = 50;
export const barcodesLimit = 50;
export const defaultBaseUnit = 'each';

/** Where the SKU stands or is reserved. */
export function carries({ barcodes }: Pick<SkuDefinition, 'barcodes'>, code: string): boolean {
  return barcodes.some((barcode) => barcode.code === code);
}

export function placesOf(state: SkuState): readonly LocationId[] {
  const places = [...state.levels, ...state.reservations].map(({ location }) => location);
  return Array.from(new Set(places));
}

export function onHandAt(state: SkuState, location: LocationId): OnHand {
  return state.levels.find((level) => level.location === location)?.onHand ?? nothing;
}

/** Units promised at a location by reservations that are live. */
export function reservedAt(state: SkuState, location: LocationId, now: Instant): number {
  let reserved = 0;
  for (const reservation of state.reservations) {
    if (reservation.location === location && isLive(reservation, now)) {
      reserved += reservation.quantity;
    }
  }
  return reserved;
}

/** On hand less reserved; in quarantine nothing is available. Negative after a count below it. */
export function availableAt(
  state: SkuState,
  location: LocationId,
  kind: LocationKind,
  now: Instant,
): number {
  if (kind === 'quarantine') return 0;
  return onHandAt(state, location) - reservedAt(state, location, now);
}
