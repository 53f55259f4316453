/** Until collections and indexes are there, nothing is read or written through the service. */
import type { Endpoint } from './endpoint.ts';
import { unavailable } from './problem.ts';
import { problem } from './reply.ts';

/** @param isPrepared false while the database has not been reached for the first time. */
export function closedUntil(
  isPrepared: () => boolean,
  table: readonly Endpoint[],
): readonly Endpoint[] {
  return table.map((endpoint) =>
    endpoint.access === 'open'
      ? endpoint
      : {
          ...endpoint,
          serve: async (incoming) => (isPrepared() ? endpoint.serve(incoming) : notPrepared),
        },
  );
}

const notPrepared = problem(
  unavailable({
    kind: 'unavailable',
    retryAfterSeconds: 1,
    cause: 'the database has not been reached yet',
  }),
);
