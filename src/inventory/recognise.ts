/**
 * Recognition: has this action been applied already?
 *
 * 1. A claim stands before its action's effect, and is never changed or deleted. So an action
 *    whose claim this attempt could make itself has had no effect at or before the state that was
 *    read before the claim was made.
 * 2. A movement leaves the window only once it is in the ledger. So whoever reads first the
 *    document, then the ledger, and finds the action in neither, knows that no ordinal up to the
 *    newest one read carries it: it would have stood in the document, or have been in the ledger
 *    before it left.
 * 3. What is applied after the read moves the version on, and a write conditional on the version
 *    that was read cannot land.
 * 4. From 1 to 3: an action whose absence is known through an ordinal that the window still
 *    reaches needs no look at the ledger.
 * 5. An action id stands for one request, told by its digest. Any other request is refused.
 */
import type { ActionId, Sku } from '../domain/ids.ts';
import type { WindowMovement } from '../domain/movement.ts';
import type { Ports, Recorded, SkuRead } from './ports.ts';
import type { Ticket } from './ticket.ts';
import { claimOf, isCovered, standBy } from './ticket.ts';

type RecognitionPorts = Pick<Ports, 'actions' | 'ledger'>;

/** The movements of asked-for actions, out of the window or out of the ledger. */
export type Applied = Map<ActionId, WindowMovement>;

/**
 * Looks up in the ledger those claimed actions that the window can't speak for (4), and notes for
 * the others through which ordinal they are absent.
 */
export async function lookBehindWindow(
  ports: RecognitionPorts,
  sku: Sku,
  current: SkuRead,
  tickets: readonly Ticket[],
  applied: Applied,
): Promise<Recorded> {
  const absent = tickets.filter(
    (ticket) => ticket.claim.kind !== 'none' && !applied.has(ticket.action.actionId),
  );
  const uncovered = absent.filter((ticket) => !isCovered(ticket, current.extent));
  if (uncovered.length > 0) {
    const ids = uncovered.map((ticket) => ticket.action.actionId);
    const entered = await ports.ledger.byAction(sku, ids);
    if (entered.kind === 'unknown') return entered;
    for (const [id, movement] of entered.value) applied.set(id, movement);
  }
  for (const ticket of absent) {
    if (!applied.has(ticket.action.actionId)) {
      ticket.absentThrough = current.state.movementCount;
    }
  }
  return { kind: 'recorded' };
}

/**
 * Claims the actions of accepted requests. A request that finds its id claimed by another one is
 * refused (5).
 */
export async function claimAccepted(
  ports: RecognitionPorts,
  current: SkuRead | null,
  tickets: readonly Ticket[],
): Promise<Recorded> {
  const claimed = await ports.actions.claim(tickets.map((ticket) => claimOf(ticket.action)));
  if (claimed.kind === 'unknown') return claimed;
  for (const ticket of tickets) {
    const claim = claimed.standing.get(ticket.action.actionId);
    if (claim === undefined) {
      ticket.claim = { kind: 'fresh' };
      ticket.absentThrough = current?.state.movementCount ?? 0; // by 1
    } else {
      standBy(ticket, claim);
    }
  }
  return { kind: 'recorded' };
}

/** Reads the claims of requests that are not known to have one, before anything is answered. */
export async function readClaims(
  ports: RecognitionPorts,
  tickets: readonly Ticket[],
): Promise<Recorded> {
  const unread = tickets.filter((ticket) => ticket.claim.kind === 'none');
  if (unread.length === 0) return { kind: 'recorded' };
  const claims = await ports.actions.find(unread.map((ticket) => ticket.action.actionId));
  if (claims.kind === 'unknown') return claims;
  for (const ticket of unread) {
    const claim = claims.value.get(ticket.action.actionId);
    if (claim !== undefined) standBy(ticket, claim);
  }
  return { kind: 'recorded' };
}
