/** Who the caller is: what the console shows, and what it offers, follow from it. */
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { reading } from './endpoint.ts';
import { found } from './reply.ts';
import { noQuery } from './schemas.ts';

export function sessionEndpoint(): Endpoint {
  return reading({
    path: '/v1/session',
    params: z.strictObject({}),
    query: noQuery,
    answer: ({ principal }) => Promise.resolve(found({ name: principal.actor, role: 'admin' })),
  });
}
