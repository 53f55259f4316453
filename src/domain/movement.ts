/** Movements: what is recorded of each change, and stays for ever. */
import type { ActionId, Actor, Instant, LocationId, Sku } from './ids.ts';
import type { Delta, OnHand } from './quantity.ts';
import type { ReservationRecord } from './reservation.ts';

/** Reasons that a caller may give for an adjustment. */
export const adjustReasons = [
  'found',
  'lost',
  'damaged',
  'expired',
  'stolen',
  'recalled',
  'returned',
  'data_correction',
  'opening_balance',
  'other',
] as const;
export type AdjustReason = (typeof adjustReasons)[number];

export const movementTypes = [
  'receive',
  'ship',
  'transfer',
  'adjust',
  'reserve',
  'change',
  'release',
  'expire',
  'void',
] as const;
export type MovementType = (typeof movementTypes)[number];

export interface MovementLine {
  readonly location: LocationId;
  readonly delta: Delta;
  /** The level at the location after the whole movement. */
  readonly onHand: OnHand;
}

/** Free text of a movement, which the window does not hold. */
export interface MovementText {
  readonly reference?: string;
  readonly note?: string;
}

/** A movement as the window holds it. */
export interface WindowMovement {
  readonly actionId: ActionId;
  readonly ordinal: number;
  readonly type: MovementType;
  readonly lines: readonly MovementLine[];
  readonly reason?: AdjustReason;
  /** The reservation that the movement made, changed, shipped from or ended, as it stood then. */
  readonly reservation?: ReservationRecord;
  /** The action whose movement this one undoes. */
  readonly reverses?: ActionId;
  readonly actor: Actor;
  /** The database's clock, never earlier than the movement before. */
  readonly at: Instant;
}

/** A movement as it is answered and as the ledger holds it. */
export interface Movement extends WindowMovement, MovementText {
  readonly sku: Sku;
}

/** A movement that is decided and not written yet: the write stamps `at`. */
export type DecidedMovement = Omit<Movement, 'at'>;

export const windowLimit = 500;
export const windowByteLimit = 512 * 1024;
export const linesLimit = 50;
export const textLimit = { characters: 200, bytes: 400 } as const;
