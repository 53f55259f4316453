/**
 * What a batch comes to: each request decided in order, against the state the one before left;
 * then lapsed holds taken out, as many as the write has room for.
 *
 * 1. One write carries at most 100 movements, those of requests before those of lapsed holds.
 * 2. A new hold on a document that is full of holds brings a lapsed one out in the same write; a
 *    request for which there is no room stays open for the next.
 */
import type { Circumstances } from '../domain/circumstances.ts';
import { decide } from '../domain/decide.ts';
import { expire } from '../domain/decide-reservation.ts';
import type { ActionId, Instant } from '../domain/ids.ts';
import type { DecidedMovement, WindowMovement } from '../domain/movement.ts';
import type { Refusal } from '../domain/refusal.ts';
import { lapsed, reservationLimit } from '../domain/reservation.ts';
import type { SkuState } from '../domain/sku.ts';
import type { Ticket } from './ticket.ts';

/** A batch stays small enough that one write cannot flush the window. */
export const movementsLimit = 100;

export interface Plan {
  readonly repeated: readonly { readonly ticket: Ticket; readonly movement: WindowMovement }[];
  readonly accepted: readonly { readonly ticket: Ticket; readonly movement: DecidedMovement }[];
  readonly refused: readonly { readonly ticket: Ticket; readonly refusal: Refusal }[];
  /** Movements of holds that lapsed; written along with accepted ones, never alone. */
  readonly expired: readonly DecidedMovement[];
  /** The state after all that is written; null where there is no such SKU. */
  readonly after: SkuState | null;
  /** What is accepted rests on holds that are alive until then. */
  readonly until?: Instant;
}

export function planBatch(
  before: SkuState | null,
  tickets: readonly Ticket[],
  applied: ReadonlyMap<ActionId, WindowMovement>,
  given: Omit<Circumstances, 'applied'>,
): Plan {
  const repeated: { ticket: Ticket; movement: WindowMovement }[] = [];
  const accepted: { ticket: Ticket; movement: DecidedMovement }[] = [];
  const refused: { ticket: Ticket; refusal: Refusal }[] = [];
  let after = before;
  let room = movementsLimit;
  let until: Instant | undefined;
  for (const ticket of tickets) {
    const needed = roomFor(after, ticket);
    if (needed > room) continue;
    const movement = applied.get(ticket.action.actionId);
    const decision = decide(after, ticket.action, {
      ...given,
      ...(movement === undefined ? {} : { applied: movement }),
    });
    switch (decision.kind) {
      case 'already-applied':
        repeated.push({ ticket, movement: decision.movement });
        break;
      case 'moved':
        after = decision.state;
        room -= needed;
        until = earlier(until, decision.until);
        accepted.push({ ticket, movement: decision.movement });
        break;
      case 'refused':
        refused.push({ ticket, refusal: decision.refusal });
        break;
      case 'defined':
        throw new Error('a definition goes alone, not in a batch of movements');
    }
  }
  const pruned = prune(after, accepted.length, given.now);
  return {
    repeated,
    accepted,
    refused,
    ...pruned,
    ...(until === undefined ? {} : { until }),
  };
}

function roomFor(state: SkuState | null, ticket: Ticket): number {
  const isFull = (state?.reservations.length ?? 0) >= reservationLimit;
  return isFull && ticket.action.change.type === 'reserve' ? 2 : 1;
}

function earlier(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** Only along with another movement: a read or a refusal writes nothing. */
function prune(
  state: SkuState | null,
  accepted: number,
  now: Instant,
): Pick<Plan, 'after' | 'expired'> {
  if (state === null || accepted === 0) return { after: state, expired: [] };
  const expired: DecidedMovement[] = [];
  let after = state;
  for (const reservation of lapsed(state.reservations, now).slice(0, movementsLimit - accepted)) {
    const { state: rest, movement } = expire(after, reservation);
    after = rest;
    expired.push(movement);
  }
  return { after, expired };
}
