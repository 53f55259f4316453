/** Movements: what is recorded of each change, and stays for ever. */
import type { ActionId, Actor, Instant, LocationId, Sku } from './ids.ts';
import type { Delta, OnHand } from './quantity.ts';
import type { MovementReason, MovementType } from './movement-type.ts';
import type { RefusalCode } from './refusal.ts';
import type { ReservationRecord } from './reservation.ts';

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
  readonly reason?: MovementReason;
  /** The reservation that the movement made, changed, shipped from or ended, as it stood then. */
  readonly reservation?: ReservationRecord;
  /** Why nothing moved, of a `void` movement, which keeps its action from moving anything later. */
  readonly refused?: RefusalCode;
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
