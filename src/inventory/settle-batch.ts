/** The answers of a batch that need no write: repeats and refusals. */
import type { ActionId } from '../domain/ids.ts';
import type { Movement, MovementText, WindowMovement } from '../domain/movement.ts';
import { whole } from './heal.ts';
import type { Plan } from './plan.ts';
import type { Ports, Read, Recorded, SkuRead } from './ports.ts';
import type { Applied } from './recognise.ts';
import { claimAccepted, lookBehindWindow, readClaims } from './recognise.ts';
import type { Ticket } from './ticket.ts';
import { stillOpen } from './ticket.ts';

/** Answers what had been applied before: the same movement, once its ledger entry is there. */
export async function settleRepeated(
  ports: Ports,
  current: SkuRead,
  plan: Plan,
): Promise<Recorded> {
  if (plan.repeated.length === 0) return { kind: 'recorded' };
  // Whoever is answered with another request's release has its key's answer by that, for ever.
  const unclaimed = plan.repeated
    .filter(({ ticket, movement }) => ticket.claim.kind === 'none' && !isOwn(ticket, movement))
    .map(({ ticket }) => ticket);
  if (unclaimed.length > 0) {
    const claimed = await claimAccepted(ports, current, unclaimed);
    if (claimed.kind === 'unknown') return claimed;
  }
  const claims = await readClaims(
    ports,
    plan.repeated.map(({ ticket }) => ticket),
  );
  if (claims.kind === 'unknown') return claims;
  const open = plan.repeated.filter(({ ticket }) => !ticket.settled());
  const others = await textsOfOthers(ports, open);
  if (others.kind === 'unknown') return others;
  const repeats = open.map(({ ticket, movement }) => {
    const text = isOwn(ticket, movement) ? ticket.action : others.value.get(movement.actionId);
    return { ticket, movement: whole(current.state.sku, movement, text) };
  });
  const unproven = repeats
    .map(({ movement }) => movement)
    .filter((movement) => movement.ordinal > current.extent.ledgeredThrough);
  const entered = await record(ports, unproven);
  if (entered.kind === 'unknown') return entered;
  for (const { ticket, movement } of repeats) {
    ticket.settle({ kind: 'moved', movement, replayed: !ticket.mayHaveWritten });
  }
  return { kind: 'recorded' };
}

/** A hold that is released once more is answered with the release that was, another request's. */
async function textsOfOthers(
  { actions }: Ports,
  repeated: Plan['repeated'],
): Promise<Read<ReadonlyMap<ActionId, MovementText>>> {
  const ids = repeated
    .filter(({ ticket, movement }) => !isOwn(ticket, movement))
    .map(({ movement }) => movement.actionId);
  return ids.length === 0 ? { kind: 'found', value: new Map() } : actions.find(ids);
}

function isOwn({ action }: Ticket, movement: WindowMovement): boolean {
  return movement.actionId === action.actionId;
}

/** Answers refusals, each after its key was looked up among claims, in document and ledger. */
export async function settleRefused(
  ports: Ports,
  current: SkuRead | null,
  plan: Plan,
): Promise<Recorded> {
  const tickets = plan.refused.map(({ ticket }) => ticket);
  const claims = await readClaims(ports, tickets);
  if (claims.kind === 'unknown') return claims;
  const applied: Applied = new Map();
  if (current !== null) {
    const { sku } = current.state;
    const behind = await lookBehindWindow(ports, sku, current, stillOpen(tickets), applied);
    if (behind.kind === 'unknown') return behind;
  }
  for (const { ticket, refusal } of plan.refused) {
    const movement = applied.get(ticket.action.actionId);
    if (movement === undefined) ticket.settle({ kind: 'refused', refusal });
    else {
      const repeat = whole(ticket.action.sku, movement, ticket.action);
      ticket.settle({ kind: 'moved', movement: repeat, replayed: !ticket.mayHaveWritten });
    }
  }
  return { kind: 'recorded' };
}

export async function record(ports: Ports, movements: readonly Movement[]): Promise<Recorded> {
  return movements.length === 0 ? { kind: 'recorded' } : ports.ledger.record(movements);
}
