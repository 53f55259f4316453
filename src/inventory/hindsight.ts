/**
 * What a decision has to know of the past that the document does not say: what became of a
 * reservation that is gone, and whether a movement has been undone.
 *
 * The document is read first, with what its window holds of interest; the ledger after it. What is
 * in neither has not happened by the version that was read, and what happens later moves the
 * version on, so that the write does not land. The ledger may know of later things already.
 */
import type { Circumstances } from '../domain/circumstances.ts';
import { reservationOf } from '../domain/action.ts';
import type { ActionId } from '../domain/ids.ts';
import type { WindowMovement } from '../domain/movement.ts';
import type { ReservationId } from '../domain/reservation.ts';
import type { Interest, Ledger, Read, SkuRead } from './ports.ts';
import type { Ticket } from './ticket.ts';

export type Hindsight = Required<Pick<Circumstances, 'ended' | 'reversals'>>;

export const noHindsight: Hindsight = { ended: new Map(), reversals: new Map() };

/** What a read is to look for on behalf of the requests. */
export function interestOf(tickets: readonly Ticket[]): Interest {
  return {
    actions: tickets.map(({ action }) => action.actionId),
    reservations: tickets.flatMap(({ action }) => reservationOf(action.change) ?? []),
    undone: tickets.flatMap(({ action }) =>
      action.change.type === 'reverse' ? action.change.original.actionId : [],
    ),
  };
}

export async function lookBack(
  ledger: Ledger,
  current: SkuRead,
  interest: Interest,
): Promise<Read<Hindsight>> {
  const ended = await endedReservations(ledger, current, interest.reservations);
  if (ended.kind === 'unknown') return ended;
  const reversals = await reversalsOf(ledger, current, interest.undone);
  if (reversals.kind === 'unknown') return reversals;
  return { kind: 'found', value: { ended: ended.value, reversals: reversals.value } };
}

async function endedReservations(
  ledger: Ledger,
  { state, extent, retained }: SkuRead,
  wanted: readonly ReservationId[],
): Promise<Read<Hindsight['ended']>> {
  const open = new Set(state.reservations.map(({ id }) => id));
  const gone = new Set(wanted.filter((id) => !open.has(id)));
  const ended = new Map<ReservationId, WindowMovement>();
  for (const movement of retained) {
    const id = movement.reservation?.id;
    if (id !== undefined && gone.has(id)) ended.set(id, movement);
  }
  const behind = Array.from(gone).filter((id) => !ended.has(id));
  if (behind.length === 0 || extent.from <= 1) return { kind: 'found', value: ended };
  const entered = await ledger.byReservation(state.sku, behind);
  if (entered.kind === 'unknown') return entered;
  // The ledger is read later: what it tells of a hold that was made since is not of its end.
  for (const [id, entry] of entered.value) {
    if (entry.ordinal <= state.movementCount) ended.set(id, entry);
  }
  return { kind: 'found', value: ended };
}

async function reversalsOf(
  ledger: Ledger,
  { state, extent, retained }: SkuRead,
  wanted: readonly ActionId[],
): Promise<Read<Hindsight['reversals']>> {
  const reversals = new Map<ActionId, ActionId>();
  const note = (movements: readonly WindowMovement[]): void => {
    for (const { reverses, actionId } of movements) {
      if (reverses !== undefined) reversals.set(reverses, actionId);
    }
  };
  note(retained);
  const behind = wanted.filter((id) => !reversals.has(id));
  if (behind.length > 0 && extent.from > 1) {
    const entered = await ledger.undoing(state.sku, behind);
    if (entered.kind === 'unknown') return entered;
    note(entered.value);
  }
  return { kind: 'found', value: reversals };
}
