/**
 * Many movements in one request, each on its own: what a scanner sends when it is back online.
 *
 * 1. Items for one SKU take effect in their order; those of different SKUs run side by side.
 * 2. Once an item's outcome is unknown, the later ones of its SKU are not begun: applied before
 *    it, they would stand in the wrong order.
 * 3. Nothing is begun after the deadline. What was not begun is answered 503 and stays safe to
 *    send again under its key.
 */
import { z } from 'zod';
import type { ActionId, Actor, Sku } from '../domain/ids.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { batchLimitBytes, jsonBody } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { parseQuery } from './endpoint.ts';
import { keyInvalid, keyMissing, parseKey } from './idempotency-key.ts';
import { movementAction, movementsPath, postMovement } from './movements.ts';
import type { Parsed } from './parse.ts';
import { parsed, parseWith, unparsed } from './parse.ts';
import { problemDocument, statusOf, unavailable } from './problem.ts';
import type { Answer, ProblemReply } from './reply.ts';
import { found, problem } from './reply.ts';
import type { MovementBody } from './schemas.ts';
import { batchBody, batchBodyWhole, jsonObject, movementBody, noQuery } from './schemas.ts';

const skusAtOnce = 8;

interface Item {
  readonly index: number;
  readonly actionId: ActionId;
  readonly body: MovementBody;
}

interface Outcome {
  readonly index: number;
  readonly reply: Answer | ProblemReply;
}

const shape = { schema: batchBodyWhole, isRequired: true, limitBytes: batchLimitBytes };

export function batchEndpoint(inventory: Inventory, deadlineMs: number): Endpoint {
  const { read } = jsonBody(batchBody, batchLimitBytes);
  return {
    method: 'POST',
    path: `${movementsPath}/batch`,
    access: 'key',
    takes: { params: z.strictObject({}), query: noQuery, body: shape, key: 'none' },
    serve: async ({ request, response, principal, requestId }) => {
      const query = parseQuery(noQuery, request);
      if (!query.ok) return problem(query.problem);
      const body = await read(request, response);
      if (!body.ok) return problem(body.problem);
      const { items } = body.value;
      const until = performance.now() + deadlineMs;
      const outcomes = await postItems(inventory, principal.actor, items, until);
      const inOrder = outcomes.toSorted((one, other) => one.index - other.index);
      return found({
        results: inOrder.map(({ index, reply }) => resultView(items[index], reply, requestId)),
      });
    },
  };
}

async function postItems(
  inventory: Inventory,
  actor: Actor,
  sent: readonly unknown[],
  until: number,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const queues = new Map<Sku, Item[]>();
  for (const [index, value] of sent.entries()) {
    const item = parseItem(value, index, actor);
    if (!item.ok) {
      outcomes.push({ index, reply: problem(item.problem) });
      continue;
    }
    const queue = queues.get(item.value.body.sku);
    if (queue) queue.push(item.value);
    else queues.set(item.value.body.sku, [item.value]);
  }
  // The runners share one iterator, so that each queue is taken once.
  const waiting = queues.values();
  const runners = Array.from({ length: skusAtOnce }, async () => {
    for (const queue of waiting) {
      outcomes.push(...(await postQueue(inventory, actor, queue, until)));
    }
  });
  await Promise.all(runners);
  return outcomes;
}

function parseItem(sent: unknown, index: number, actor: Actor): Parsed<Item> {
  const within = `/items/${index}`;
  const object = parseWith(jsonObject, sent, 'body', within);
  if (!object.ok) return object;
  const { idempotencyKey, ...movement } = object.value;
  if (idempotencyKey === undefined) return unparsed(keyMissing);
  const actionId = typeof idempotencyKey === 'string' ? parseKey(actor, idempotencyKey) : undefined;
  if (actionId === undefined) return unparsed(keyInvalid);
  const body = parseWith(movementBody, movement, 'body', within);
  return body.ok ? parsed({ index, actionId, body: body.value }) : body;
}

/** One SKU's items, one after the other (1). */
async function postQueue(
  inventory: Inventory,
  actor: Actor,
  queue: readonly Item[],
  until: number,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let held: ProblemReply | undefined;
  for (const { index, actionId, body } of queue) {
    if (performance.now() > until) held ??= tooLate;
    if (held) {
      outcomes.push({ index, reply: held });
      continue;
    }
    const action = movementAction(actor, actionId, body);
    const reply = await postMovement(inventory, body, action, `/items/${index}`);
    outcomes.push({ index, reply });
    if (reply.kind === 'problem' && reply.problem.code === 'unavailable') held = reply;
  }
  return outcomes;
}

const tooLate = problem(
  unavailable({ kind: 'unavailable', retryAfterSeconds: 1, cause: 'the batch ran out of time' }),
);

function resultView(sent: unknown, reply: Answer | ProblemReply, requestId: string): object {
  const object = jsonObject.safeParse(sent);
  const key = object.success ? object.data['idempotencyKey'] : undefined;
  const idempotencyKey = typeof key === 'string' ? key : null;
  switch (reply.kind) {
    case 'answer':
      return { idempotencyKey, status: reply.status, movement: reply.body };
    case 'problem': {
      const status = statusOf(reply.problem);
      return { idempotencyKey, status, problem: problemDocument(reply.problem, requestId) };
    }
  }
}
