/** API keys over HTTP. An Idempotency-Key is ignored: a secret is told once. */
import { z } from 'zod';
import type { ApiKey } from '../domain/api-key.ts';
import { graceSecondsLimit, parseApiKeyId, roles, warehousesLimit } from '../domain/api-key.ts';
import { parseActor } from '../domain/ids.ts';
import type { ApiKeys, KeyWithSecret } from '../inventory/api-key-ports.ts';
import type { ApiKeyShown, ApiKeyWithSecretShown } from './answers/api-key.ts';
import { jsonBody, noBody, optionalJsonBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint } from './endpoint.ts';
import { acting, reading } from './endpoint.ts';
import { instantText } from './instant-text.ts';
import { declined, found, notFound, pageOf, problem, queried } from './reply.ts';
import { instant, noQuery, pageQuery, string, through, warehouseId } from './schemas.ts';

const all = '/v1/api-keys';
const one = `${all}/{id}`;

const keyName = through(string, parseActor, 'must match ^[a-z0-9][a-z0-9._-]{0,63}$');
const keyPath = z.strictObject({ id: through(string, parseApiKeyId, 'must be the id of a key') });

const keyBody = z.strictObject({
  name: keyName,
  role: z.enum(roles),
  warehouses: z.array(warehouseId).min(1).max(warehousesLimit).exactOptional(),
  expiresAt: instant.exactOptional(),
});

const rotateBody = z.strictObject({
  graceSeconds: z.int().min(0).max(graceSecondsLimit).default(0),
});

export function apiKeyEndpoints(apiKeys: ApiKeys): readonly Endpoint[] {
  return [
    make(apiKeys),
    list(apiKeys),
    reading({
      path: one,
      params: keyPath,
      query: noQuery,
      answer: async ({ params: { id } }) =>
        queried(await apiKeys.key(id), (key) => found(view(key))),
    }),
    acting({
      method: 'DELETE',
      path: one,
      params: keyPath,
      body: noBody,
      answer: async ({ params: { id } }) =>
        queried(await apiKeys.revoke(id), (key) => found(view(key))),
    }),
    rotate(apiKeys),
  ];
}

function make(apiKeys: ApiKeys): Endpoint {
  return acting({
    method: 'POST',
    path: all,
    params: z.strictObject({}),
    body: jsonBody(keyBody),
    answer: async ({ body, principal: { actor: by } }) => {
      const made = await apiKeys.make({ ...body, by });
      switch (made.kind) {
        case 'key':
          return { kind: 'answer', status: 201, body: viewWithSecret(made) };
        case 'exists':
          return problem({
            code: 'api-key-exists',
            detail: `A key was named ${body.name} before. Names of keys are not used again.`,
          });
        case 'refused':
        case 'unavailable':
          return declined(made);
      }
    },
  });
}

function list(apiKeys: ApiKeys): Endpoint {
  return reading({
    path: all,
    params: z.strictObject({}),
    query: pageQuery,
    answer: async ({ query: { limit, cursor } }) => {
      const keys = listOf('api-keys', {}, keyName);
      const after = readCursor(keys, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { limit, ...(after.value !== undefined && { after: after.value }) };
      return queried(await apiKeys.keys(asked), (page) =>
        pageOf(page, keys, ({ name }) => name, view),
      );
    },
  });
}

function rotate(apiKeys: ApiKeys): Endpoint {
  return acting({
    method: 'POST',
    path: `${one}/rotate`,
    params: keyPath,
    body: optionalJsonBody(rotateBody),
    answer: async ({ params: { id }, body: { graceSeconds } }) => {
      const rotated = await apiKeys.rotate(id, graceSeconds);
      switch (rotated.kind) {
        case 'key':
          return found(viewWithSecret(rotated));
        case 'not-found':
          return notFound;
        case 'refused':
        case 'unavailable':
          return declined(rotated);
      }
    },
  });
}

function view({ expiresAt, createdAt, revokedAt, ...key }: ApiKey): ApiKeyShown {
  return {
    ...key,
    ...(expiresAt !== undefined && { expiresAt: instantText(expiresAt) }),
    createdAt: instantText(createdAt),
    ...(revokedAt !== undefined && { revokedAt: instantText(revokedAt) }),
  };
}

function viewWithSecret({ key, secret }: KeyWithSecret): ApiKeyWithSecretShown {
  return { ...view(key), key: secret };
}
