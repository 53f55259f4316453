/** What a supervisor asks: is the process alive, and can it work? Neither needs a key. */
import type { Readiness } from '../inventory/inventory.ts';
import type { Endpoint } from './endpoint.ts';
import { unavailable } from './problem.ts';
import { found, problem } from './reply.ts';

export function probeEndpoints(readiness: Readiness): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/livez',
      access: 'open',
      serve: () => Promise.resolve(found({ status: 'alive' })),
    },
    {
      method: 'GET',
      path: '/readyz',
      access: 'open',
      serve: async () => {
        const answer = await readiness.ready();
        if (answer.kind === 'ready') return found({ status: 'ready' });
        const { cause } = answer;
        return problem(unavailable({ kind: 'unavailable', retryAfterSeconds: 1, cause }));
      },
    },
  ];
}
