/** Receipts of purchase orders over HTTP: taken, looked at, sent back. */
import type { OrderNumber } from '../domain/ids.ts';
import { parseReceiptId } from '../domain/purchase-order.ts';
import type { LineOutcome, Receipt, ReceiptLine, ReceiptState } from '../domain/receipt.ts';
import { isSettled, isUndone } from '../domain/receipt.ts';
import type { ReceiptAnswer, Receiving } from '../inventory/order-ports.ts';
import type { ReceiptShown } from './answers/order.ts';
import { jsonBody, optionalJsonBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { instantText } from './instant-text.ts';
import {
  orderPath,
  receiptBody,
  receiptPath,
  receiptPlace,
  receiptReversalBody,
} from './order-schemas.ts';
import { linesLimitBytes } from './purchase-orders.ts';
import type { Reply } from './reply.ts';
import { changed, declined, found, notFound, pageOf, problem, queried } from './reply.ts';
import { noQuery, pageQuery } from './schemas.ts';

const all = '/v1/purchase-orders/{number}/receipts';
const one = `${all}/{id}`;

export function receiptEndpoints(receiving: Receiving): readonly Endpoint[] {
  return [receive(receiving), list(receiving), show(receiving), reverse(receiving)];
}

function receive(receiving: Receiving): Endpoint {
  const body = jsonBody(receiptBody, linesLimitBytes);
  return changing({
    method: 'POST',
    path: all,
    params: orderPath,
    body,
    key: 'required',
    answer: async ({ params: { number }, body, action }) =>
      receiptReply(await receiving.receive({ ...action, ...body, number }), true),
  });
}

function reverse(receiving: Receiving): Endpoint {
  const body = optionalJsonBody(receiptReversalBody);
  return changing({
    method: 'POST',
    path: `${one}/reverse`,
    params: receiptPath,
    body,
    key: 'required',
    answer: async ({ params: { number, id }, body, action }) => {
      const receipt = parseReceiptId(id);
      if (receipt === undefined) return notFound;
      return receiptReply(await receiving.reverse({ ...action, ...body, number, receipt }), false);
    },
  });
}

/** What is unfinished when the request's time is up is answered 202, first or again. */
function receiptReply(answer: ReceiptAnswer, created: boolean): Reply {
  switch (answer.kind) {
    case 'receipt': {
      const { receipt, replayed } = answer;
      const view = receiptView(receipt);
      if (isSettled(receipt)) return changed(view, { created, replayed });
      const headers = {
        Location: locationOf(receipt.number, receipt.id),
        ...(replayed && { 'Idempotent-Replayed': 'true' }),
      };
      return { kind: 'answer', status: 202, body: view, headers };
    }
    case 'not-found':
      return notFound;
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

function locationOf(number: OrderNumber, id: string): string {
  return `/v1/purchase-orders/${encodeURIComponent(number)}/receipts/${id}`;
}

function show(receiving: Receiving): Endpoint {
  return reading({
    path: one,
    params: receiptPath,
    query: noQuery,
    answer: async ({ params: { number, id } }) => {
      const receipt = parseReceiptId(id);
      if (receipt === undefined) return notFound;
      return queried(await receiving.receipt(number, receipt), (shown) =>
        found(receiptView(shown)),
      );
    },
  });
}

function list(receiving: Receiving): Endpoint {
  return reading({
    path: all,
    params: orderPath,
    query: pageQuery,
    answer: async ({ params: { number }, query: { limit, cursor } }) => {
      const receipts = listOf('receipts', { number }, receiptPlace);
      const after = readCursor(receipts, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { number, limit, ...(after.value && { after: after.value }) };
      return queried(await receiving.receipts(asked), (page) =>
        pageOf(page, receipts, ({ at, id }) => ({ at, id }), receiptView),
      );
    },
  });
}

const shownStates = {
  pending: 'in_progress',
  refused: 'refused',
  credited: 'in_progress',
  returning: 'in_progress',
  completed: 'completed',
  reversing: 'reversing',
  uncrediting: 'reversing',
  reversed: 'reversed',
} as const satisfies Record<ReceiptState, string>;

function receiptView(receipt: Receipt): ReceiptShown {
  const { id, number, state, lines, reference, appointment, actor, at } = receipt;
  return {
    id,
    number,
    status: shownStates[state],
    lines: lines.map(lineView),
    ...(reference !== undefined && { reference }),
    ...(appointment !== undefined && { appointment: appointment.hold }),
    actor,
    at: instantText(at),
  };
}

type LineShown = ReceiptShown['lines'][number];

/** A line without an ordinal is not stocked yet, or says that it failed. */
function lineView(receiptLine: ReceiptLine): LineShown {
  const { line, sku, location, quantity, stocked, reversed } = receiptLine;
  return {
    line,
    sku,
    location,
    quantity,
    ...(stocked?.kind === 'moved' && { ordinal: stocked.ordinal }),
    ...(stocked?.kind === 'failed' && { status: 'failed', code: stocked.code }),
    ...(reversed?.kind === 'moved' && { reversal: { ordinal: reversed.ordinal } }),
    ...(reversed?.kind === 'failed' && { reversal: failedReversalView(reversed) }),
  };
}

/** A line that somebody had sent back before is reversed, by another movement than this receipt's. */
function failedReversalView(
  reversed: Extract<LineOutcome, { readonly kind: 'failed' }>,
): NonNullable<LineShown['reversal']> {
  return { status: isUndone(reversed) ? 'reversed' : 'failed', code: reversed.code };
}
