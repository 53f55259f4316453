/** Actions: what a caller asks to happen to one SKU, already parsed. */
import type { ActionId, Actor, Digest, LocationId, Sku, WarehouseId } from './ids.ts';
import type { Movement } from './movement.ts';
import type { MovementReason } from './movement-type.ts';
import type { Delta, Quantity } from './quantity.ts';
import type { HoldSeconds, ReservationId } from './reservation.ts';
import type { SkuDefinition } from './sku.ts';

export interface QuantityLine {
  readonly location: LocationId;
  readonly quantity: Quantity;
  /** The SKU's base unit where it is left out, else the name of a pack. */
  readonly unit?: string;
}

export interface DeltaLine {
  readonly location: LocationId;
  readonly delta: Delta;
}

export type StockChange =
  | { readonly type: 'receive'; readonly lines: readonly QuantityLine[] }
  | { readonly type: 'ship'; readonly lines: readonly QuantityLine[] }
  | {
      readonly type: 'transfer';
      readonly from: LocationId;
      readonly to: LocationId;
      readonly quantity: Quantity;
      readonly unit?: string;
    }
  | {
      readonly type: 'adjust';
      readonly lines: readonly DeltaLine[];
      readonly reason: MovementReason;
    };

/** Undoes a movement, once, by an opposite one. */
export interface Reversal {
  readonly type: 'reverse';
  readonly original: Movement;
}

export type ReservationChange =
  | {
      readonly type: 'reserve';
      readonly reservation: ReservationId;
      readonly location: LocationId;
      readonly quantity: Quantity;
      /** null: until it is committed or released. */
      readonly seconds: HoldSeconds | null;
    }
  | {
      readonly type: 'change';
      readonly reservation: ReservationId;
      readonly location?: LocationId;
      readonly quantity?: Quantity;
      /** Counted from now on. */
      readonly seconds?: HoldSeconds | null;
      /** The ordinal of the reservation's last change that the caller saw. */
      readonly ifChangedAt?: number;
    }
  /** Ships what is held; all of it where no quantity is named. */
  | { readonly type: 'commit'; readonly reservation: ReservationId; readonly quantity?: Quantity }
  | { readonly type: 'release'; readonly reservation: ReservationId };

/** What the caller says the SKU is. It replaces the definition whole and leaves the stock alone. */
export interface Definition {
  readonly type: 'define';
  readonly definition: SkuDefinition;
  /** The version that the caller saw; another one is refused. */
  readonly ifVersion?: number;
}

export type Change = StockChange | Reversal | ReservationChange | Definition;

export interface Action<C extends Change = Change> {
  readonly actionId: ActionId;
  readonly actor: Actor;
  readonly sku: Sku;
  /** The operation as the routes name it, such as `POST /v1/movements`. */
  readonly operation: string;
  readonly digest: Digest;
  readonly change: C;
  /** Those of the key that asks, where it has its own: a hold elsewhere is unknown to it. */
  readonly warehouses?: readonly WarehouseId[];
  /**
   * A step of a saga: where the state refuses it, a `void` movement takes its id, so that the
   * refusal, once recorded, stays the outcome whoever tries the step again.
   */
  readonly orVoid?: true;
  readonly reference?: string;
  readonly note?: string;
}

/** The locations that a change names. */
export function locationsOf(change: Change): readonly LocationId[] {
  switch (change.type) {
    case 'receive':
    case 'ship':
    case 'adjust':
      return change.lines.map((line) => line.location);
    case 'transfer':
      return [change.from, change.to];
    case 'reverse':
      return change.original.lines.map((line) => line.location);
    case 'reserve':
      return [change.location];
    case 'change':
      return change.location === undefined ? [] : [change.location];
    case 'commit':
    case 'release':
    case 'define':
      return [];
  }
}

/** The reservation that a change names and that exists already. */
export function reservationOf(change: Change): ReservationId | undefined {
  switch (change.type) {
    case 'change':
    case 'commit':
    case 'release':
      return change.reservation;
    case 'receive':
    case 'ship':
    case 'adjust':
    case 'transfer':
    case 'reverse':
    case 'reserve':
    case 'define':
      return undefined;
  }
}
