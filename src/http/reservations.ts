/** Reservations over HTTP: units held for somebody until a moment of the database's clock. */
import { z } from 'zod';
import type { ReservationChange } from '../domain/action.ts';
import type { Sku } from '../domain/ids.ts';
import type { Movement } from '../domain/movement.ts';
import type { ReservationId } from '../domain/reservation.ts';
import { parseReservationId } from '../domain/reservation.ts';
import type { ActionAnswer, Moved, QueryAnswer } from '../inventory/answer.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { reservationIdOf } from '../inventory/reservation-id.ts';
import type { ReservationView } from '../inventory/reservation-queries.ts';
import { viewOf } from '../inventory/reservation-queries.ts';
import type { ReservationShown } from './answers/reservation.ts';
import { jsonBody, noBody, optionalJsonBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint, KeyedAction } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { etag } from './if-match.ts';
import { instantTextOrNull } from './instant-text.ts';
import { movementView } from './movement-view.ts';
import { ifVersionOf } from './precondition.ts';
import type { ProblemReply, Reply } from './reply.ts';
import { changed, declined, found, pageOf, problem, queried } from './reply.ts';
import {
  alterBody,
  commitBody,
  movementPlace,
  noQuery,
  reservationPath,
  reservationsQuery,
  reserveBody,
  skuPath,
} from './schemas.ts';

const ofSku = '/v1/skus/{sku}/reservations';
const one = `${ofSku}/{id}`;

export function reservationEndpoints(inventory: Inventory): readonly Endpoint[] {
  return [
    reserve(inventory),
    show(inventory),
    alter(inventory),
    commit(inventory),
    release(inventory),
    underReference(inventory),
  ];
}

function reserve(inventory: Inventory): Endpoint {
  const body = jsonBody(reserveBody);
  return changing({
    method: 'POST',
    path: ofSku,
    params: skuPath,
    body,
    key: 'required',
    answer: async ({ params: { sku }, body, action }) => {
      const { location, quantity, ttlSeconds: seconds, reference } = body;
      const reservation = reservationIdOf(action.actionId);
      const answer = await inventory.post({
        ...action,
        sku,
        change: { type: 'reserve', reservation, location, quantity, seconds },
        ...(reference !== undefined && { reference }),
      });
      if (answer.kind === 'refused' && answer.refusal.code === 'unknown-sku')
        return unknownSku(sku);
      return reply(answer, (moved) => reservationReply(moved, true));
    },
  });
}

function show(inventory: Inventory): Endpoint {
  return reading({
    path: one,
    params: reservationPath,
    query: noQuery,
    answer: async ({ params: { sku, id } }) => {
      const answer = await look(inventory, sku, parseReservationId(id));
      if (answer.kind === 'not-found') return unknownReservation;
      return queried(answer, (view) => found(reservationView(view), etag(view.changedAt)));
    },
  });
}

/** The tag of a reservation is the ordinal of the movement that made, changed or ended it. */
function alter(inventory: Inventory): Endpoint {
  const body = jsonBody(alterBody);
  return changing({
    method: 'PATCH',
    path: one,
    params: reservationPath,
    body,
    key: 'optional',
    answer: async ({ params: { sku, id }, body, ifMatch, action }) => {
      const reservation = parseReservationId(id);
      if (reservation === undefined) return unknownReservation;
      const condition = await ifVersionOf(ifMatch, () => look(inventory, sku, reservation));
      if (!condition.ok) return problem(condition.problem);
      const { ifVersion: ifChangedAt } = condition.value;
      const { location, quantity, ttlSeconds: seconds } = body;
      const change = {
        type: 'change',
        reservation,
        ...(location !== undefined && { location }),
        ...(quantity !== undefined && { quantity }),
        ...(seconds !== undefined && { seconds }),
        ...(ifChangedAt !== undefined && { ifChangedAt }),
      } as const;
      return post(inventory, action, sku, change, (moved) => reservationReply(moved, false));
    },
  });
}

/** Ships what is held: the answer shows the reservation after it, and the shipment. */
function commit(inventory: Inventory): Endpoint {
  const body = optionalJsonBody(commitBody);
  return changing({
    method: 'POST',
    path: `${one}/commit`,
    params: reservationPath,
    body,
    key: 'required',
    answer: async ({ params: { sku, id }, body: { quantity }, action }) => {
      const reservation = parseReservationId(id);
      if (reservation === undefined) return unknownReservation;
      const change = {
        type: 'commit',
        reservation,
        ...(quantity !== undefined && { quantity }),
      } as const;
      return post(inventory, action, sku, change, (moved) => {
        const { movement } = moved;
        return reservationReply(moved, false, { movement: movementView(movement) });
      });
    },
  });
}

function release(inventory: Inventory): Endpoint {
  return changing({
    method: 'DELETE',
    path: one,
    params: reservationPath,
    body: noBody,
    key: 'optional',
    answer: async ({ params: { sku, id }, action }) => {
      const reservation = parseReservationId(id);
      if (reservation === undefined) return unknownReservation;
      const change = { type: 'release', reservation } as const;
      return post(inventory, action, sku, change, (moved) => reservationReply(moved, false));
    },
  });
}

function underReference(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/reservations',
    params: z.strictObject({}),
    query: reservationsQuery,
    answer: async ({ query: { limit, cursor, reference } }) => {
      const reservations = listOf('reservations', { reference }, movementPlace);
      const after = readCursor(reservations, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { reference, limit, ...(after.value && { after: after.value }) };
      return queried(await inventory.reservationsUnder(asked), (page) =>
        pageOf(
          page,
          reservations,
          ({ place }) => place,
          ({ view }) => reservationView(view),
        ),
      );
    },
  });
}

function look(
  inventory: Inventory,
  sku: Sku,
  id: ReservationId | undefined,
): Promise<QueryAnswer<ReservationView>> {
  return id === undefined ? Promise.resolve({ kind: 'not-found' }) : inventory.reservation(sku, id);
}

/** Posts a change of a reservation that is there already; without its SKU it is not. */
async function post(
  inventory: Inventory,
  action: KeyedAction,
  sku: Sku,
  change: ReservationChange,
  show: (moved: Moved) => Reply,
): Promise<Reply> {
  const answer = await inventory.post({ ...action, sku, change });
  const isUnknown = answer.kind === 'refused' && answer.refusal.code === 'unknown-sku';
  return isUnknown ? unknownReservation : reply(answer, show);
}

function reply(answer: ActionAnswer, show: (moved: Moved) => Reply): Reply {
  switch (answer.kind) {
    case 'moved':
      return show(answer);
    case 'refused':
    case 'unavailable':
      return declined(answer);
    case 'defined':
      throw new TypeError('a reservation was answered with a definition');
  }
}

/** The reservation as its movement left it, so that a replay shows the first answer. */
function reservationReply(
  { movement, replayed }: Moved,
  created: boolean,
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  const view = viewAfter(movement);
  const body = { ...reservationView(view), ...more };
  return changed(body, { created, replayed }, etag(view.changedAt));
}

function viewAfter(movement: Movement): ReservationView {
  const view = viewOf(movement.sku, movement);
  if (view === undefined) throw new TypeError('a movement of a reservation does not show it');
  return view;
}

function reservationView(view: ReservationView): ReservationShown {
  const { id, sku, location, quantity, expiresAt, state } = view;
  return { id, sku, location, quantity, expiresAt: instantTextOrNull(expiresAt), state };
}

const unknownReservation = problem({
  code: 'unknown-reservation',
  detail: 'This SKU never had such a reservation.',
});

/** The SKU is a part of the path here, so that without it there is nothing to be found. */
function unknownSku(sku: Sku): ProblemReply {
  return problem({ code: 'not-found', detail: `There is no SKU ${sku}.` });
}
