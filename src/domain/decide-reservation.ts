/**
 * Decisions about reservations.
 *
 * 1. A hold that has lapsed, was committed or was released stays so; each is told by its own name.
 * 2. A change is guarded only in what it takes more than before.
 * 3. What rests on a hold being alive says until when it does; the write holds it to that.
 * 4. A hold beyond the warehouses of the key that asks is as one that never was. Where it is, is
 *    judged here, since it may be moved until the write.
 */
import type { Action, ReservationChange } from './action.ts';
import type { Circumstances, Decision } from './circumstances.ts';
import { refuse } from './circumstances.ts';
import { guardSteps, insufficientStock, move } from './decide-stock.ts';
import type { LocationId } from './ids.ts';
import { service, serviceActionId } from './ids.ts';
import type { DecidedMovement } from './movement.ts';
import { difference, outgoing } from './quantity.ts';
import type { Refusal } from './refusal.ts';
import type { Reservation, ReservationRecord, ReservationState } from './reservation.ts';
import { expiryOf, isLive, recordOf, reservationLimit } from './reservation.ts';
import type { SkuState } from './sku.ts';
import { availableAt } from './sku.ts';

type Reserve = Extract<ReservationChange, { readonly type: 'reserve' }>;
type Alteration = Extract<ReservationChange, { readonly type: 'change' }>;
type Commit = Extract<ReservationChange, { readonly type: 'commit' }>;

export function decideReservation(
  state: SkuState,
  action: Action,
  change: ReservationChange,
  given: Circumstances,
): Decision {
  if (change.type === 'reserve') return reserve(state, action, change, given);
  const { reservation } = change;
  const held = state.reservations.find(({ id }) => id === reservation);
  const known = held ?? given.ended?.get(reservation)?.reservation;
  if (known === undefined || isBeyond(known.location, action, given)) {
    return refuse({ code: 'unknown-reservation', reservation });
  }
  if (held === undefined) return ended(change, given);
  if (!isLive(held, given.now)) {
    return refuse({ code: 'reservation-expired', reservation: held.id });
  }
  switch (change.type) {
    case 'change':
      return alter(state, action, change, held, given);
    case 'commit':
      return commit(state, action, change, held, given);
    case 'release':
      return whileLive(held, {
        ...move(without(state, held), action, 'release', [], {
          reservation: recordOf(held, 'released'),
        }),
      });
  }
}

function isBeyond(location: LocationId, { warehouses }: Action, { locations }: Circumstances) {
  const place = locations.get(location);
  return warehouses !== undefined && (place === undefined || !warehouses.includes(place.warehouse));
}

/** The hold is not in the document: the history tells what became of it. */
function ended(change: Exclude<ReservationChange, Reserve>, given: Circumstances): Decision {
  const { reservation } = change;
  const last = given.ended?.get(reservation);
  const state = last?.reservation?.state;
  if (last === undefined || state === undefined) {
    return refuse({ code: 'unknown-reservation', reservation });
  }
  // Releasing once more is the same as once.
  if (change.type === 'release' && state === 'released') {
    return { kind: 'already-applied', movement: last };
  }
  return refuse({ code: endings[state], reservation });
}

/** A hold that the history shows as held, and the document does not have, is one that lapsed. */
const endings = {
  held: 'reservation-expired',
  expired: 'reservation-expired',
  committed: 'reservation-committed',
  released: 'reservation-released',
} as const satisfies Record<ReservationState, Refusal['code']>;

function reserve(state: SkuState, action: Action, change: Reserve, given: Circumstances): Decision {
  const { location, quantity } = change;
  const refusal = takeMore(state, location, quantity, given);
  if (refusal) return refuse(refusal);
  const live = state.reservations.filter((reservation) => isLive(reservation, given.now));
  if (live.length >= reservationLimit) return refuse({ code: 'reservation-limit' });
  const reservation: Reservation = {
    id: change.reservation,
    location,
    quantity,
    expiresAt: expiryOf(change.seconds, given.now),
    changedAt: state.movementCount + 1,
    digest: action.digest,
  };
  const after = { ...state, reservations: [...state.reservations, reservation] };
  const record = { reservation: recordOf(reservation, 'held') };
  return { kind: 'moved', ...move(after, action, 'reserve', [], record) };
}

function alter(
  state: SkuState,
  action: Action,
  change: Alteration,
  held: Reservation,
  given: Circumstances,
): Decision {
  if (change.ifChangedAt !== undefined && change.ifChangedAt !== held.changedAt) {
    return refuse({ code: 'version-mismatch', version: held.changedAt });
  }
  const location = change.location ?? held.location;
  const quantity = change.quantity ?? held.quantity;
  const more = location === held.location ? quantity - held.quantity : quantity;
  const refusal = more > 0 ? takeMore(state, location, more, given) : undefined;
  if (refusal) return refuse(refusal);
  const altered: Reservation = {
    ...held,
    location,
    quantity,
    expiresAt: change.seconds === undefined ? held.expiresAt : expiryOf(change.seconds, given.now),
    changedAt: state.movementCount + 1,
  };
  const after = replaced(state, altered);
  const record = { reservation: recordOf(altered, 'held') };
  return whileLive(held, move(after, action, 'change', [], record));
}

/** Refuses where so many units more cannot be promised at the location. */
function takeMore(
  state: SkuState,
  location: LocationId,
  units: number,
  given: Circumstances,
): Refusal | undefined {
  const place = given.locations.get(location);
  if (place?.retiredAt !== undefined) return { code: 'location-retired', location };
  const available = availableAt(state, location, place?.kind ?? 'storage', given.now);
  return units > available
    ? insufficientStock(state, location, available, units, given)
    : undefined;
}

function commit(
  state: SkuState,
  action: Action,
  change: Commit,
  held: Reservation,
  given: Circumstances,
): Decision {
  const quantity = change.quantity ?? held.quantity;
  if (quantity > held.quantity) {
    return refuse({ code: 'reservation-exceeded', held: held.quantity, requested: quantity });
  }
  const steps = [{ location: held.location, delta: outgoing(quantity) }];
  // The units are this hold's own: on hand has to suffice, except where nothing may be shipped.
  const refusal = guardSteps(
    state,
    steps,
    (kind) => (kind === 'quarantine' ? 'available' : 'on-hand'),
    given,
  );
  if (refusal) return refuse(refusal);
  const rest = difference(held.quantity, quantity);
  const kept: Reservation | undefined =
    rest === undefined
      ? undefined
      : { ...held, quantity: rest, changedAt: state.movementCount + 1 };
  const after = kept === undefined ? without(state, held) : replaced(state, kept);
  const record: ReservationRecord =
    kept === undefined ? recordOf(held, 'committed') : recordOf(kept, 'held');
  return whileLive(held, move(after, action, 'ship', steps, { reservation: record }));
}

function whileLive(
  held: Reservation,
  moved: { readonly state: SkuState; readonly movement: DecidedMovement },
): Decision {
  return {
    kind: 'moved',
    ...moved,
    ...(held.expiresAt === null ? {} : { until: held.expiresAt }),
  };
}

function without(state: SkuState, gone: Reservation): SkuState {
  return { ...state, reservations: state.reservations.filter(({ id }) => id !== gone.id) };
}

function replaced(state: SkuState, altered: Reservation): SkuState {
  return {
    ...state,
    reservations: state.reservations.map((reservation) =>
      reservation.id === altered.id ? altered : reservation,
    ),
  };
}

/** Takes a lapsed hold out of the document; the movement it leaves tells that it expired. */
export function expire(
  state: SkuState,
  gone: Reservation,
): { readonly state: SkuState; readonly movement: DecidedMovement } {
  const actionId = serviceActionId('expire', gone.id);
  const { sku } = state;
  const record = { reservation: recordOf(gone, 'expired') };
  return move(without(state, gone), { actionId, sku, actor: service }, 'expire', [], record);
}
