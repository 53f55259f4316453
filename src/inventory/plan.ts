/** What a batch comes to: each request decided in order, against the state the one before left. */
import type { ActionId } from '../domain/ids.ts';
import type { Circumstances } from '../domain/decide.ts';
import { decide } from '../domain/decide.ts';
import type { DecidedMovement, WindowMovement } from '../domain/movement.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { SkuState } from '../domain/sku.ts';
import type { Ticket } from './ticket.ts';

export interface Plan {
  readonly repeated: readonly { readonly ticket: Ticket; readonly movement: WindowMovement }[];
  readonly accepted: readonly { readonly ticket: Ticket; readonly movement: DecidedMovement }[];
  readonly refused: readonly { readonly ticket: Ticket; readonly refusal: Refusal }[];
  /** The state after all that was accepted; null where there is no such SKU. */
  readonly after: SkuState | null;
}

export function planBatch(
  before: SkuState | null,
  tickets: readonly Ticket[],
  applied: ReadonlyMap<ActionId, WindowMovement>,
  given: Pick<Circumstances, 'now' | 'locations'>,
): Plan {
  const repeated: { ticket: Ticket; movement: WindowMovement }[] = [];
  const accepted: { ticket: Ticket; movement: DecidedMovement }[] = [];
  const refused: { ticket: Ticket; refusal: Refusal }[] = [];
  let after = before;
  for (const ticket of tickets) {
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
        accepted.push({ ticket, movement: decision.movement });
        break;
      case 'refused':
        refused.push({ ticket, refusal: decision.refusal });
        break;
      case 'defined':
        throw new Error('a definition goes alone, not in a batch of movements');
    }
  }
  return { repeated, accepted, refused, after };
}
