/** The dock over HTTP: slots, what is available of them, and holds. */
import { z } from 'zod';
import { parseHoldId, parseSlotId } from '../domain/dock-slot.ts';
import type {
  ChangeHold,
  Dock,
  HoldAnswer,
  HoldView,
  SlotAnswer,
  SlotView,
} from '../inventory/dock-ports.ts';
import type { DockHoldShown, SlotAvailabilityShown, SlotShown } from './answers/dock.ts';
import { jsonBody, noBody, optionalJsonBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import {
  availabilityQuery,
  confirmBody,
  dockHoldBody,
  dockHoldPath,
  slotBody,
  slotPath,
  slotPlace,
  slotsQuery,
} from './dock-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { instantText, instantTextOrNull } from './instant-text.ts';
import type { Reply } from './reply.ts';
import { changed, declined, found, notFound, pageOf, problem, queried } from './reply.ts';
import { noQuery } from './schemas.ts';

const slots = '/v1/dock/slots';
const one = '/v1/dock/holds/{id}';

export function dockEndpoints(dock: Dock): readonly Endpoint[] {
  return [
    openSlot(dock),
    listSlots(dock),
    availability(dock),
    hold(dock),
    showHold(dock),
    confirm(dock),
    cancel(dock),
  ];
}

function openSlot(dock: Dock): Endpoint {
  const body = jsonBody(slotBody);
  return changing({
    method: 'POST',
    path: slots,
    params: z.strictObject({}),
    body,
    key: 'required',
    answer: async ({ body, action }) => slotReply(await dock.openSlot({ ...action, ...body })),
  });
}

function slotReply(answer: SlotAnswer): Reply {
  switch (answer.kind) {
    case 'slot':
      return changed(slotView(answer.slot), { created: true, replayed: answer.replayed });
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

function listSlots(dock: Dock): Endpoint {
  return reading({
    path: slots,
    params: z.strictObject({}),
    query: slotsQuery,
    answer: async ({ query: { limit, cursor, ...filters } }) => {
      const listed = listOf('dock-slots', filters, slotPlace);
      const after = readCursor(listed, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { ...filters, limit, ...(after.value && { after: after.value }) };
      return queried(await dock.slots(asked), (page) =>
        pageOf(page, listed, ({ startsAt, id }) => ({ startsAt, id }), availabilityView),
      );
    },
  });
}

function availability(dock: Dock): Endpoint {
  return reading({
    path: `${slots}/availability`,
    params: z.strictObject({}),
    query: availabilityQuery,
    answer: async ({ query: { warehouse } }) =>
      queried(await dock.availability(warehouse), (views) => found(views.map(availabilityView))),
  });
}

function hold(dock: Dock): Endpoint {
  const body = optionalJsonBody(dockHoldBody);
  return changing({
    method: 'POST',
    path: `${slots}/{slot}/holds`,
    params: slotPath,
    body,
    key: 'required',
    answer: async ({ params, body, action }) => {
      const slot = parseSlotId(params.slot);
      if (slot === undefined) return notFound;
      return holdReply(await dock.hold({ ...action, ...body, slot }), true);
    },
  });
}

function showHold(dock: Dock): Endpoint {
  return reading({
    path: one,
    params: dockHoldPath,
    query: noQuery,
    answer: async ({ params }) => {
      const id = parseHoldId(params.id);
      if (id === undefined) return notFound;
      return queried(await dock.holdOf(id), (view) => found(holdView(view)));
    },
  });
}

function confirm(dock: Dock): Endpoint {
  const body = optionalJsonBody(confirmBody);
  return changing({
    method: 'POST',
    path: `${one}/confirm`,
    params: dockHoldPath,
    body,
    key: 'required',
    answer: ({ params, action }) =>
      changeHold(params.id, (id) => dock.confirm({ ...action, hold: id })),
  });
}

function cancel(dock: Dock): Endpoint {
  return changing({
    method: 'DELETE',
    path: one,
    params: dockHoldPath,
    body: noBody,
    key: 'optional',
    answer: ({ params, action }) =>
      changeHold(params.id, (id) => dock.cancel({ ...action, hold: id })),
  });
}

async function changeHold(
  text: string,
  change: (hold: ChangeHold['hold']) => Promise<HoldAnswer>,
): Promise<Reply> {
  const id = parseHoldId(text);
  return id === undefined ? notFound : holdReply(await change(id), false);
}

function holdReply(answer: HoldAnswer, created: boolean): Reply {
  switch (answer.kind) {
    case 'hold':
      return changed(holdView(answer), { created, replayed: answer.replayed });
    case 'not-found':
      return notFound;
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

function slotView(slot: Omit<SlotView, 'remaining'>): SlotShown {
  const { id, warehouse, startsAt, endsAt, capacity } = slot;
  return {
    slot: id,
    warehouse,
    startsAt: instantText(startsAt),
    endsAt: instantText(endsAt),
    capacity,
  };
}

function availabilityView(view: SlotView): SlotAvailabilityShown {
  return { ...slotView(view), remaining: view.remaining };
}

function holdView({ booking, status }: HoldView): DockHoldShown {
  const { hold: id, slot, seats, expiresAt, purchaseOrder, held } = booking;
  const { confirmed, cancelled } = booking;
  return {
    id,
    slot,
    seats,
    status,
    expiresAt: instantTextOrNull(expiresAt),
    ...(purchaseOrder !== undefined && { purchaseOrder }),
    heldAt: instantText(held.at),
    ...(confirmed !== undefined && { confirmedAt: instantText(confirmed.at) }),
    ...(cancelled !== undefined && { cancelledAt: instantText(cancelled.at) }),
  };
}
