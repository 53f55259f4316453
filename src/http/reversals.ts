/** Undoing a movement, once, by an opposite one. */
import type { ActionId } from '../domain/ids.ts';
import { parseActionId, parseActor, serviceActionId } from '../domain/ids.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { optionalJsonBody } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { changing } from './endpoint.ts';
import { movementView } from './movement-view.ts';
import { changed, declined, notFound } from './reply.ts';
import { movementPath, reverseBody } from './schemas.ts';

export function reversalEndpoint(inventory: Inventory): Endpoint {
  const body = optionalJsonBody(reverseBody);
  return changing({
    method: 'POST',
    path: '/v1/movements/{actionId}/reverse',
    params: movementPath,
    body,
    key: 'required',
    answer: async ({ params: { actionId }, body, action }) => {
      const original = readActionId(actionId);
      if (original === undefined) return notFound;
      const answer = await inventory.reverse({ ...action, ...body, original });
      switch (answer.kind) {
        case 'moved': {
          const { movement, replayed } = answer;
          return changed(movementView(movement), { created: true, replayed });
        }
        case 'not-found':
          return notFound;
        case 'refused':
        case 'unavailable':
          return declined(answer);
        case 'defined':
          throw new TypeError('a reversal was answered with a definition');
      }
    },
  });
}

/** @param text as movements show it: the name of a key and the caller's own, or the service's. */
function readActionId(text: string): ActionId | undefined {
  const slash = text.indexOf('/');
  const [name, key] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 1) return undefined;
  if (name.startsWith('~')) return serviceActionId(name.slice(1), key);
  const actor = parseActor(name);
  return actor === undefined ? undefined : parseActionId(actor, key);
}
