/** What a use case answers: values of a closed union; the edge turns them into HTTP. */
import type { Instant } from '../domain/ids.ts';
import type { Movement } from '../domain/movement.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Location } from '../domain/location.ts';
import type { SkuDefinition } from '../domain/sku.ts';
import type { Sku } from '../domain/ids.ts';

/** Nothing definite can be said in time; the key, where there is one, stays safe to send again. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly retryAfterSeconds: number;
  readonly cause: string;
}

export interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

export interface NotFound {
  readonly kind: 'not-found';
}

export interface Moved {
  readonly kind: 'moved';
  readonly movement: Movement;
  /** True when the action had been applied before this request asked. */
  readonly replayed: boolean;
}

export interface DefinedSku {
  readonly sku: Sku;
  readonly definition: SkuDefinition;
  /** The version that the definition made. */
  readonly version: number;
}

export interface Defined {
  readonly kind: 'defined';
  readonly defined: DefinedSku;
  readonly created: boolean;
  readonly replayed: boolean;
}

export type ActionAnswer = Moved | Defined | Refused | Unavailable;

export interface LocationChanged {
  readonly kind: 'location';
  readonly location: Location;
  readonly created: boolean;
  readonly replayed: boolean;
}

export type LocationAnswer = LocationChanged | NotFound | Refused | Unavailable;

export interface Ok<T> {
  readonly kind: 'ok';
  readonly value: T;
}

/** `refused` only to a key that has warehouses of its own. */
export type QueryAnswer<T> = Ok<T> | NotFound | Refused | Unavailable;

export interface Page<T> {
  readonly items: readonly T[];
  /** Whether more follow. */
  readonly more: boolean;
  /** The entry that the next page follows, where that is not the last item: it is not shown. */
  readonly last?: T;
}

export interface LevelView {
  readonly location: Location['location'];
  readonly warehouse: Location['warehouse'];
  readonly kind: Location['kind'];
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
}

export interface SkuView extends DefinedSku {
  readonly lastActionId: string;
  readonly movementCount: number;
  readonly totals: {
    readonly onHand: number;
    readonly reserved: number;
    readonly available: number;
  };
  readonly levels: readonly LevelView[];
  readonly reservations: readonly {
    readonly id: string;
    readonly location: Location['location'];
    readonly quantity: number;
    readonly expiresAt: Instant | null;
  }[];
  readonly asOf: Instant;
}

export interface StandingStock {
  readonly sku: Sku;
  readonly description: string;
  readonly baseUnit: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
}
