/** Who the caller is: what the console shows, and what it offers, follow from it. */
import { z } from 'zod';
import type { SessionShown } from './answers/api-key.ts';
import type { Principal } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { reading } from './endpoint.ts';
import { found } from './reply.ts';
import { noQuery } from './schemas.ts';

export function sessionEndpoint(): Endpoint {
  return reading({
    path: '/v1/session',
    params: z.strictObject({}),
    query: noQuery,
    answer: ({ principal }) => Promise.resolve(found(view(principal))),
  });
}

function view({ actor: name, role, warehouses }: Principal): SessionShown {
  return { name, role, ...(warehouses === undefined ? {} : { warehouses }) };
}
