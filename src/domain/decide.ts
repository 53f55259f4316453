/**
 * The decision: what one action does to one SKU. Pure; the clock, the locations and what the
 * history says come as values.
 *
 * 1. A repeat is recognised before anything is judged.
 * 2. A refused action changes nothing: it returns no state.
 * 3. What takes available stock below zero is refused. Lines that touch one location count
 *    together. Exactly zero is legal.
 * 4. An adjustment states what is so: it may go below what is reserved, never below zero on hand.
 * 5. Nothing comes into a retired location; what stands there may leave.
 * 6. Every level stays within 0 to 10^12, and a SKU stands at no more than 200 locations.
 * 7. A step of a saga that is refused takes its id with a movement that moves nothing (`void`).
 * 8. A reservation counts while it is live, by one definition; one that has ended stays ended.
 */
import type { Action } from './action.ts';
import { locationsOf } from './action.ts';
import type { Circumstances, Decision } from './circumstances.ts';
import { define } from './decide-definition.ts';
import { decideReservation } from './decide-reservation.ts';
import { move, moveStock, reverse } from './decide-stock.ts';
import { refuse } from './circumstances.ts';
import type { SkuState } from './sku.ts';

/**
 * @param state the SKU, or null where there is none yet.
 * @returns `moved` and `defined` carry the state after the action with the version of the state
 *   before: one write may carry several actions and counts as one version.
 */
export function decide(state: SkuState | null, action: Action, given: Circumstances): Decision {
  if (given.applied) return { kind: 'already-applied', movement: given.applied };
  const decision = judge(state, action, given);
  if (decision.kind !== 'refused' || state === null || action.orVoid !== true) return decision;
  const refused = decision.refusal.code;
  return { kind: 'moved', ...move(state, action, 'void', [], { refused }) };
}

function judge(state: SkuState | null, action: Action, given: Circumstances): Decision {
  const { change } = action;
  if (change.type === 'define') return define(state, action, change, given.now);
  if (state === null) return refuse({ code: 'unknown-sku', sku: action.sku });
  const unknown = locationsOf(change).find((location) => !given.locations.has(location));
  if (unknown !== undefined) return refuse({ code: 'unknown-location', location: unknown });
  switch (change.type) {
    case 'receive':
    case 'ship':
    case 'transfer':
    case 'adjust':
      return moveStock(state, action, change, given);
    case 'reverse':
      return reverse(state, action, change, given);
    case 'reserve':
    case 'change':
    case 'commit':
    case 'release':
      return decideReservation(state, action, change, given);
  }
}
