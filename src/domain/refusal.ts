/** Why an action is refused: a closed list. A refused action has changed nothing. */
import type { ActionId, LocationId, Sku } from './ids.ts';
import type { MovementType } from './movement-type.ts';
import type { ReservationId } from './reservation.ts';

export interface LocationAvailability {
  readonly location: LocationId;
  readonly available: number;
}

export interface FieldError {
  /** A JSON pointer into the request's body, such as `/lines/0/quantity`. */
  readonly path: string;
  readonly message: string;
}

export type Refusal =
  | {
      readonly code: 'insufficient-stock';
      readonly location: LocationId;
      /** What may leave the location, in base units. */
      readonly available: number;
      readonly requested: number;
      readonly locations: readonly LocationAvailability[];
    }
  /** A location beyond the warehouses of the key, or none. */
  | { readonly code: 'forbidden' }
  | { readonly code: 'level-limit'; readonly location: LocationId }
  | { readonly code: 'location-limit' }
  | { readonly code: 'location-retired'; readonly location: LocationId }
  | { readonly code: 'unknown-sku'; readonly sku: Sku }
  | { readonly code: 'unknown-location'; readonly location: LocationId }
  | { readonly code: 'unknown-unit'; readonly unit: string }
  | { readonly code: 'same-location'; readonly location: LocationId }
  | { readonly code: 'unknown-reservation'; readonly reservation: ReservationId }
  | { readonly code: 'reservation-expired'; readonly reservation: ReservationId }
  | { readonly code: 'reservation-committed'; readonly reservation: ReservationId }
  | { readonly code: 'reservation-released'; readonly reservation: ReservationId }
  /** More is to be shipped than the reservation holds. */
  | { readonly code: 'reservation-exceeded'; readonly held: number; readonly requested: number }
  | { readonly code: 'reservation-limit' }
  | { readonly code: 'movement-reversed'; readonly by: ActionId }
  /** Nothing moved, so there is nothing to move back. */
  | { readonly code: 'not-reversible'; readonly type: MovementType }
  | { readonly code: 'validation'; readonly errors: readonly FieldError[] }
  | { readonly code: 'idempotency-key-reused' }
  | { readonly code: 'version-mismatch'; readonly version: number | null }
  | { readonly code: 'barcode-taken'; readonly barcode: string }
  | { readonly code: 'base-unit-in-use'; readonly baseUnit: string }
  | { readonly code: 'warehouse-fixed'; readonly warehouse: string }
  | { readonly code: 'purchase-order-exists'; readonly number: string }
  | { readonly code: 'purchase-order-closed'; readonly number: string; readonly standing: string }
  | { readonly code: 'unknown-line'; readonly line: number }
  | {
      readonly code: 'over-receipt';
      readonly line: number;
      /** All in base units; what is asked for passes the tolerance too. */
      readonly ordered: number;
      readonly received: number;
      readonly remaining: number;
      readonly requested: number;
    }
  /** A line of an order is to allow less than was received of it. */
  | {
      readonly code: 'below-received';
      readonly line: number;
      readonly ordered: number;
      readonly received: number;
    }
  | { readonly code: 'receipt-in-progress'; readonly receipt: string }
  | { readonly code: 'receipt-reversed'; readonly receipt: string }
  /** Another open count covers the pair already. */
  | {
      readonly code: 'count-overlap';
      readonly sku: Sku;
      readonly location: LocationId;
      readonly count: string;
    }
  | { readonly code: 'count-limit' }
  | { readonly code: 'count-closed' }
  | { readonly code: 'count-cancelled' }
  | { readonly code: 'capacity-exhausted'; readonly remaining: number; readonly requested: number }
  | { readonly code: 'hold-expired'; readonly hold: string }
  | { readonly code: 'hold-cancelled'; readonly hold: string }
  | { readonly code: 'slot-started'; readonly slot: string }
  | { readonly code: 'appointment-limit' }
  /** A receipt names an appointment that is none of its order. */
  | { readonly code: 'unknown-appointment'; readonly appointment: string }
  /** An appointment names an order that is not there. */
  | { readonly code: 'unknown-purchase-order'; readonly number: string }
  | {
      readonly code: 'location-in-use';
      /** Some of the SKUs that stand or are reserved there. */
      readonly skus: readonly Sku[];
    };

export type RefusalCode = Refusal['code'];
