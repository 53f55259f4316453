/** What a decision is given beside the state, and what it can come to. */
import type { ActionId, Instant } from './ids.ts';
import type { KnownLocations } from './location.ts';
import type { DecidedMovement, WindowMovement } from './movement.ts';
import type { Refusal } from './refusal.ts';
import type { ReservationId } from './reservation.ts';
import type { SkuState } from './sku.ts';

export interface Circumstances {
  /** The database's clock at the read that this decision rests on. */
  readonly now: Instant;
  /** At least those that the action, the SKU and `ended` name, as far as they exist. */
  readonly locations: KnownLocations;
  /** The movement of this very action, where it has been applied already. */
  readonly applied?: WindowMovement;
  /** The last movement of the named reservation, where that is not in the document any more. */
  readonly ended?: ReadonlyMap<ReservationId, WindowMovement>;
  /** The movements that undid other ones, by the action that was undone. */
  readonly reversals?: ReadonlyMap<ActionId, ActionId>;
}

export type Decision =
  | { readonly kind: 'already-applied'; readonly movement: WindowMovement }
  | {
      readonly kind: 'moved';
      readonly state: SkuState;
      readonly movement: DecidedMovement;
      /** The decision holds only while the database's clock is before this. */
      readonly until?: Instant;
    }
  | { readonly kind: 'defined'; readonly state: SkuState }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function refuse(refusal: Refusal): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return { kind: 'refused', refusal };
}
