/** Movements over HTTP: one at a time, their history, and what became of a key. */
import { z } from 'zod';
import type { QuantityLine, StockChange } from '../domain/action.ts';
import type { ActionId, Actor } from '../domain/ids.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { requestDigest } from '../inventory/request-digest.ts';
import { jsonBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint, KeyedAction } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { parseKey } from './idempotency-key.ts';
import { movementView } from './movement-view.ts';
import { validation } from './problem.ts';
import type { Answer, ProblemReply } from './reply.ts';
import { changed, declined, found, pageOf, problem, queried } from './reply.ts';
import type { MovementBody } from './schemas.ts';
import { actionPath, historyQuery, movementBody, noQuery, skuPath } from './schemas.ts';

export const movementsPath = '/v1/movements';

export function movementEndpoints(inventory: Inventory): readonly Endpoint[] {
  return [post(inventory), history(inventory), action(inventory)];
}

function post(inventory: Inventory): Endpoint {
  const body = jsonBody(movementBody);
  return changing({
    method: 'POST',
    path: movementsPath,
    params: z.strictObject({}),
    body,
    key: 'required',
    answer: ({ body, action }) => postMovement(inventory, body, action),
  });
}

/** The action of one movement that did not come by its own route; a repeat may come by either. */
export function movementAction(actor: Actor, actionId: ActionId, body: MovementBody): KeyedAction {
  const operation = `POST ${movementsPath}`;
  return { actionId, actor, operation, digest: requestDigest(operation, {}, body) };
}

/** @param within a JSON pointer to the movement in the body that was sent. */
export async function postMovement(
  inventory: Inventory,
  body: MovementBody,
  action: KeyedAction,
  within = '',
): Promise<Answer | ProblemReply> {
  const answer = await inventory.post({
    ...action,
    sku: body.sku,
    change: stockChange(body),
    ...(body.reference !== undefined && { reference: body.reference }),
    ...(body.note !== undefined && { note: body.note }),
  });
  switch (answer.kind) {
    case 'moved': {
      const { movement, replayed } = answer;
      return changed(movementView(movement), { created: true, replayed });
    }
    case 'refused':
      return declined({ ...answer, refusal: asSent(answer.refusal, body, within) });
    case 'unavailable':
      return declined(answer);
    case 'defined':
      throw new TypeError('a movement was answered with a definition');
  }
}

/** The decision knows lines only; an error points into the form that the caller used. */
function asSent(refusal: Refusal, body: MovementBody, within: string): Refusal {
  if (refusal.code !== 'validation') return refusal;
  const oneLine = body.type !== 'transfer' && body.lines === undefined;
  const errors = refusal.errors.map(({ path, message }) => ({
    path: within + (oneLine ? path.replace(/^\/lines\/0\//, '/') : path),
    message,
  }));
  return { code: 'validation', errors };
}

function stockChange(body: MovementBody): StockChange {
  switch (body.type) {
    case 'receive':
      return { type: 'receive', lines: body.lines ?? [quantityLine(body)] };
    case 'ship':
      return { type: 'ship', lines: body.lines ?? [quantityLine(body)] };
    case 'transfer': {
      const { type, from, to, quantity, unit } = body;
      return { type, from, to, quantity, ...(unit !== undefined && { unit }) };
    }
    case 'adjust': {
      const { type, location, delta, reason } = body;
      if (body.lines) return { type, lines: body.lines, reason };
      if (location === undefined || delta === undefined) throw new TypeError(neitherForm);
      return { type, lines: [{ location, delta }], reason };
    }
  }
}

const neitherForm = 'the schema lets no movement through with neither lines nor one line';

function quantityLine(body: MovementBody & { readonly type: 'receive' | 'ship' }): QuantityLine {
  const { location, quantity, unit } = body;
  if (location === undefined || quantity === undefined) throw new TypeError(neitherForm);
  return { location, quantity, ...(unit !== undefined && { unit }) };
}

const ordinal = z.int().min(1);

function history(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/skus/{sku}/movements',
    params: skuPath,
    query: historyQuery,
    answer: async ({ params: { sku }, query: { limit, cursor, ...filters } }) => {
      const movements = listOf('history', { sku, ...filters }, ordinal);
      const before = readCursor(movements, cursor);
      if (!before.ok) return problem(before.problem);
      const asked = {
        sku,
        limit,
        ...filters,
        ...(before.value !== undefined && { before: before.value }),
      };
      return queried(await inventory.history(asked), (page) =>
        pageOf(page, movements, (movement) => movement.ordinal, movementView),
      );
    },
  });
}

/** Did it happen? Asked with the caller's own key, as it was sent. */
function action(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/actions/{key}',
    params: actionPath,
    query: noQuery,
    answer: async ({ params: { key }, principal: { actor } }) => {
      const actionId = parseKey(actor, key);
      if (actionId === undefined) {
        const message = 'must be 1 to 255 visible ASCII characters';
        return problem(validation([{ path: '{key}', message }]));
      }
      return queried(await inventory.movementOf(actionId), (movement) =>
        found(movementView(movement)),
      );
    },
  });
}
