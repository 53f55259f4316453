/** What a run leaves behind: what callers sent and got, and what the service shows at the end. */

export interface Line {
  readonly location: string;
  readonly delta: number;
}

export interface Hold {
  readonly id: string;
  readonly location: string;
  readonly quantity: number;
  readonly expiresAt: string | null;
}

/** A movement as the service shows it. */
export interface HistoryMovement {
  readonly actionId: string;
  readonly sku: string;
  readonly ordinal: number;
  readonly type: string;
  readonly lines: readonly (Line & { readonly onHand: number })[];
  /** As it stood after the movement. */
  readonly reservation?: (Hold & { readonly state: string }) | undefined;
  readonly at: string;
}

/** What a request was to do, in the terms of a history. */
export interface Asked {
  readonly sku: string;
  readonly lines: readonly Line[];
  /** What had to be available for it, or for a commit on hand: the cause that a refusal needs. */
  readonly needs?: {
    readonly location: string;
    readonly quantity: number;
    readonly of: 'available' | 'on-hand';
  };
}

export type Answer =
  /** None came, or one that says to come again: the request may have been applied or not. */
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly code: string }
  /** `text` is all of it; `movement` is the one that it shows, where it shows one. */
  | { readonly kind: 'done'; readonly text: string; readonly movement?: HistoryMovement };

/** One sending of one request; who sends it again makes another of them, with the same key. */
export interface Exchange {
  readonly actionId: string;
  readonly asked: Asked;
  /** Both by one monotonic clock; `answeredAt` is infinite where no answer came. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly answer: Answer;
}

/** A line of a receipt or a count, as its answer names it: the movement is the service's own. */
export interface NamedLine extends Line {
  readonly sku: string;
  readonly ordinal: number;
}

/** A SKU as the service shows it after the run. */
export interface SkuDocument {
  readonly sku: string;
  readonly movementCount: number;
  readonly levels: readonly {
    readonly location: string;
    readonly onHand: number;
    readonly reserved: number;
  }[];
  readonly reservations: readonly Hold[];
  readonly asOf: string;
}

export interface Run {
  readonly exchanges: readonly Exchange[];
  readonly named?: readonly NamedLine[];
  /** The whole history of each SKU, oldest first. */
  readonly histories: ReadonlyMap<string, readonly HistoryMovement[]>;
  readonly documents: readonly SkuDocument[];
}

/** Rules that a history can break. */
export type Rule =
  | 'ordinals-contiguous'
  | 'levels-follow'
  | 'nothing-below-zero'
  | 'nothing-oversold'
  | 'times-ascend'
  | 'answered-before-sent'
  | 'acknowledged-once'
  | 'applied-at-most-once'
  | 'refused-has-no-effect'
  | 'refused-with-cause'
  | 'answer-stays'
  | 'as-asked'
  | 'somebody-asked'
  | 'document-follows';

export interface Breach {
  readonly rule: Rule;
  readonly sku: string;
  readonly detail: string;
}
