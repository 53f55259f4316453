/** What supervisors ask: is the process alive, can it work, what does it do? None needs a key. */
import type { Readiness } from '../inventory/inventory.ts';
import type { Endpoint } from './endpoint.ts';
import { unavailable } from './problem.ts';
import { found, problem } from './reply.ts';

/** The text format of Prometheus. */
const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8';

export function probeEndpoints(
  readiness: Readiness,
  metrics: () => Promise<string>,
): readonly Endpoint[] {
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
    {
      method: 'GET',
      path: '/metrics',
      access: 'open',
      serve: async () => ({ kind: 'text', mediaType: metricsMediaType, text: await metrics() }),
    },
  ];
}
