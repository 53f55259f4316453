/** Looking up reservations, those that have ended too. */
import type { Instant, Sku } from '../domain/ids.ts';
import type { Movement, WindowMovement } from '../domain/movement.ts';
import type { ReservationId, ReservationRecord, ReservationState } from '../domain/reservation.ts';
import { isLive, recordOf } from '../domain/reservation.ts';
import type { Page } from './answer.ts';
import { lookBack } from './hindsight.ts';
import type { Lookup, MovementPlace, Ports, Read } from './ports.ts';

export interface ReservationView extends ReservationRecord {
  readonly sku: Sku;
  /** The ordinal of the movement that made, last changed or ended it. */
  readonly changedAt: number;
}

/** `missing` where the SKU is not known, or never had this reservation. */
export async function findReservation(
  ports: Ports,
  sku: Sku,
  id: ReservationId,
): Promise<Lookup<ReservationView>> {
  const interest = { actions: [], reservations: [id], undone: [] };
  const read = await ports.skus.read(sku, interest);
  if (read.kind !== 'found') return read;
  const { state, now } = read.value;
  const open = state.reservations.find((reservation) => reservation.id === id);
  if (open !== undefined) {
    const record = recordOf(open, isLive(open, now) ? 'held' : 'expired');
    return { kind: 'found', value: { ...record, sku, changedAt: open.changedAt } };
  }
  const past = await lookBack(ports.ledger, read.value, interest);
  if (past.kind === 'unknown') return past;
  const last = past.value.ended.get(id);
  const view = last === undefined ? undefined : viewOf(sku, last, now);
  return view === undefined ? { kind: 'missing' } : { kind: 'found', value: view };
}

/** As a movement shows it; one that it shows as held may have lapsed since. */
export function viewOf(
  sku: Sku,
  movement: WindowMovement,
  now?: Instant,
): ReservationView | undefined {
  const { reservation, ordinal } = movement;
  if (reservation === undefined) return undefined;
  return { ...reservation, sku, state: stateNow(reservation, now), changedAt: ordinal };
}

function stateNow({ state, expiresAt }: ReservationRecord, now?: Instant): ReservationState {
  const hasLapsed = now !== undefined && expiresAt !== null && expiresAt <= now;
  return state === 'held' && hasLapsed ? 'expired' : state;
}

export type ReservationPage = Page<{
  readonly view: ReservationView;
  readonly place: MovementPlace;
}>;

/** The reservations that were made under a reference, newest first, each as it stands now. */
export async function findByReference(
  ports: Ports,
  query: { readonly reference: string; readonly after?: MovementPlace; readonly limit: number },
): Promise<Read<ReservationPage>> {
  const made = await ports.ledger.reservedUnder({ ...query, limit: query.limit + 1 });
  if (made.kind === 'unknown') return made;
  const items: { view: ReservationView; place: MovementPlace }[] = [];
  for (const movement of made.value.slice(0, query.limit)) {
    const found = await standing(ports, movement);
    if (found.kind === 'unknown') return found;
    if (found.kind === 'found') {
      const { at, sku, ordinal } = movement;
      items.push({ view: found.value, place: { at, sku, ordinal } });
    }
  }
  return { kind: 'found', value: { items, more: made.value.length > query.limit } };
}

async function standing(ports: Ports, movement: Movement): Promise<Lookup<ReservationView>> {
  const { sku, reservation } = movement;
  return reservation === undefined
    ? { kind: 'missing' }
    : findReservation(ports, sku, reservation.id);
}
