/** Actions: what a caller asks to happen to one SKU, already parsed. */
import type { ActionId, Actor, Digest, LocationId, Sku } from './ids.ts';
import type { AdjustReason } from './movement.ts';
import type { Delta, Quantity } from './quantity.ts';
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
      readonly reason: AdjustReason;
    };

/** What the caller says the SKU is. It replaces the definition whole and leaves the stock alone. */
export interface Definition {
  readonly type: 'define';
  readonly definition: SkuDefinition;
  /** The version that the caller saw; another one is refused. */
  readonly ifVersion?: number;
}

export type Change = StockChange | Definition;

export interface Action<C extends Change = Change> {
  readonly actionId: ActionId;
  readonly actor: Actor;
  readonly sku: Sku;
  /** The operation as the routes name it, such as `POST /v1/movements`. */
  readonly operation: string;
  readonly digest: Digest;
  readonly change: C;
  readonly reference?: string;
  readonly note?: string;
}

/** The locations that a change touches. */
export function locationsOf(change: Change): readonly LocationId[] {
  switch (change.type) {
    case 'receive':
    case 'ship':
    case 'adjust':
      return change.lines.map((line) => line.location);
    case 'transfer':
      return [change.from, change.to];
    case 'define':
      return [];
  }
}
