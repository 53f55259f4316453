/** Purchase orders over HTTP. */
import { z } from 'zod';
import type { OrderNumber } from '../domain/ids.ts';
import type { OrderLine, PurchaseOrder } from '../domain/purchase-order.ts';
import { lineStatusOf, remainingOf, statusOf } from '../domain/purchase-order.ts';
import type {
  AppointmentView,
  OrderAction,
  OrderAnswer,
  PurchaseOrders,
} from '../inventory/order-ports.ts';
import type { AppointmentShown, OrderShown } from './answers/order.ts';
import { jsonBody, optionalJsonBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint, KeyedAction } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { instantText } from './instant-text.ts';
import {
  orderBody,
  orderChangeBody,
  orderEndBody,
  orderNumber,
  orderPath,
  ordersQuery,
} from './order-schemas.ts';
import type { Reply } from './reply.ts';
import { changed, declined, found, notFound, pageOf, problem, queried } from './reply.ts';
import { noQuery } from './schemas.ts';

const all = '/v1/purchase-orders';
const one = `${all}/{number}`;
/** Room for 500 lines with the longest names; other bodies stay below 64 KiB. */
export const linesLimitBytes = 256 * 1024;

export function orderEndpoints(orders: PurchaseOrders): readonly Endpoint[] {
  return [
    create(orders),
    list(orders),
    reading({
      path: one,
      params: orderPath,
      query: noQuery,
      answer: async ({ params: { number } }) =>
        queried(await orders.order(number), ({ order, appointments }) =>
          found({ ...orderView(order), appointments: appointments.map(appointmentView) }),
        ),
    }),
    change(orders),
    end(orders, 'close', 'closed'),
    end(orders, 'cancel', 'cancelled'),
  ];
}

function create(orders: PurchaseOrders): Endpoint {
  const body = jsonBody(orderBody, linesLimitBytes);
  return changing({
    method: 'POST',
    path: all,
    params: z.strictObject({}),
    body,
    key: 'required',
    answer: async ({ body: { number, ...draft }, action }) =>
      orderReply(await orders.create(orderAction(action, number), draft), true),
  });
}

/** The lines that are named change or are added; the others stay. */
function change(orders: PurchaseOrders): Endpoint {
  const body = jsonBody(orderChangeBody, linesLimitBytes);
  return changing({
    method: 'PATCH',
    path: one,
    params: orderPath,
    body,
    key: 'optional',
    answer: async ({ params: { number }, body, action }) =>
      orderReply(await orders.change(orderAction(action, number), body), false),
  });
}

function end(
  orders: PurchaseOrders,
  verb: 'close' | 'cancel',
  standing: 'closed' | 'cancelled',
): Endpoint {
  const body = optionalJsonBody(orderEndBody);
  return changing({
    method: 'POST',
    path: `${one}/${verb}`,
    params: orderPath,
    body,
    key: 'required',
    answer: async ({ params: { number }, action }) =>
      orderReply(await orders.end(orderAction(action, number), standing), false),
  });
}

function orderAction(action: KeyedAction, number: OrderNumber): OrderAction {
  const { actionId, operation, digest } = action;
  return { actionId, operation, digest, number };
}

function orderReply(answer: OrderAnswer, created: boolean): Reply {
  switch (answer.kind) {
    case 'order':
      return changed(orderView(answer.order), { created, replayed: answer.replayed });
    case 'not-found':
      return notFound;
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

function list(orders: PurchaseOrders): Endpoint {
  return reading({
    path: all,
    params: z.strictObject({}),
    query: ordersQuery,
    answer: async ({ query: { limit, cursor, ...filters } }) => {
      const listed = listOf('purchase-orders', filters, orderNumber);
      const after = readCursor(listed, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { ...filters, limit, ...(after.value && { after: after.value }) };
      return queried(await orders.orders(asked), (page) =>
        pageOf(page, listed, ({ number }) => number, orderView),
      );
    },
  });
}

function orderView(order: PurchaseOrder): OrderShown {
  const { number, supplier, overReceiptPercent, lines } = order;
  return {
    number,
    supplier,
    status: statusOf(order),
    ...(overReceiptPercent !== undefined && { overReceiptPercent }),
    lines: lines.map(lineView),
  };
}

function appointmentView({
  booking: { hold, slot, seats, expiresAt },
  status,
  warehouse,
}: AppointmentView): AppointmentShown {
  return {
    id: hold,
    slot,
    warehouse,
    seats,
    status,
    expiresAt: expiresAt === null ? null : instantText(expiresAt),
  };
}

function lineView(orderLine: OrderLine): OrderShown['lines'][number] {
  const { line, sku, ordered, received, overReceiptPercent } = orderLine;
  return {
    line,
    sku,
    ordered,
    received,
    remaining: remainingOf(orderLine),
    status: lineStatusOf(orderLine),
    ...(overReceiptPercent !== undefined && { overReceiptPercent }),
  };
}
