/**
 * Everything that /metrics shows. Names and labels are an interface: dashboards and alarms are
 * built on them. No label holds what a caller can choose freely.
 */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { ReadBacklog } from '../inventory/backlog.ts';
import type { Load, Observe } from '../inventory/observed.ts';
import type { Timer } from '../inventory/ports.ts';
import { createLatestBacklog } from './latest-backlog.ts';

/** A request that has been answered, or whose caller has left. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path as the table of endpoints has it; undefined where none fits. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

export interface Metrics {
  readonly observe: Observe;
  readonly request: (answered: AnsweredRequest) => void;
  /** In the text format of Prometheus. It neither fails nor waits for the database. */
  readonly text: () => Promise<string>;
}

export interface MetricSources {
  readonly load: () => Load;
  readonly pool: () => { readonly open: number; readonly inUse: number; readonly waiting: number };
  /** Requests that are worked at. */
  readonly underWay: () => number;
  readonly readBacklog: ReadBacklog;
  readonly timer: Pick<Timer, 'monotonic' | 'after'>;
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerLoad(registry, sources);
  const showBacklog = registerBacklog(registry, sources);
  return {
    observe: registerPath(registry),
    request: registerRequests(registry),
    text: async () => {
      await showBacklog();
      return registry.metrics();
    },
  };
}

const methods: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
]);

function registerRequests(registry: Registry): Metrics['request'] {
  const durations = new Histogram({
    name: 'stockroom_http_request_duration_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return ({ method, route = 'none', status, seconds }) => {
    const labels = { method: methods.has(method) ? method : 'other', route, status };
    durations.observe(labels, seconds);
  };
}

function registerPath(registry: Registry): Observe {
  const registers = [registry];
  const movements = new Counter({
    name: 'stockroom_movements_total',
    help: 'Requests to change a SKU, by what they asked for and what came of it.',
    labelNames: ['type', 'outcome'],
    registers,
  });
  const batches = new Histogram({
    name: 'stockroom_batch_requests',
    help: 'How many requests one write of a SKU document carried.',
    buckets: [1, 2, 5, 10, 20, 50, 100],
    registers,
  });
  const races = new Counter({
    name: 'stockroom_cas_retries_total',
    help: 'Writes whose condition no longer held, so that they were decided again.',
    registers,
  });
  const unknowns = new Counter({
    name: 'stockroom_unknown_outcomes_total',
    help: 'Writes of which the database did not say what became of them.',
    registers,
  });
  return (event) => {
    switch (event.kind) {
      case 'answered':
        movements.inc({ type: event.change, outcome: event.outcome });
        return;
      case 'batch-written':
        batches.observe(event.requests);
        return;
      case 'race-lost':
        races.inc();
        return;
      case 'outcome-unknown':
        unknowns.inc();
        return;
    }
  };
}

/** Gauges that this process knows by itself, read when they are asked for. */
function registerLoad(registry: Registry, { load, pool, underWay }: MetricSources): void {
  const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ['stockroom_http_requests_under_way', 'Requests that are worked at.', underWay],
    ['stockroom_lanes', 'SKUs that are worked at.', () => load().lanes],
    [
      'stockroom_queue_requests',
      'Requests that wait for an earlier write of their SKU.',
      () => load().waiting,
    ],
    [
      'stockroom_queue_longest_requests',
      'The most requests that wait for one SKU.',
      () => load().longest,
    ],
    ['stockroom_pool_connections', 'Connections to the database.', () => pool().open],
    ['stockroom_pool_in_use_connections', 'Connections that carry work.', () => pool().inUse],
    [
      'stockroom_pool_waiting_operations',
      'Operations that wait for a connection.',
      () => pool().waiting,
    ],
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
}

/** Gauges that need the database. @returns what brings them up to date. */
function registerBacklog(
  registry: Registry,
  { readBacklog, timer }: MetricSources,
): () => Promise<void> {
  const registers = [registry];
  const latest = createLatestBacklog(readBacklog, timer);
  const sagas = new Gauge({
    name: 'stockroom_sagas_unfinished',
    help: 'Sagas that are not finished, by state, over all processes; at most 10,000 are counted.',
    labelNames: ['saga', 'state'],
    registers,
  });
  const reminders = new Gauge({
    name: 'stockroom_reminders',
    help: 'Reminders that are due or suspended, over all processes; of the due, at most 10,000.',
    labelNames: ['state'],
    registers,
  });
  new Counter({
    name: 'stockroom_backlog_failures_total',
    help: 'How often the database did not say what waits in it.',
    registers,
    collect() {
      this.reset();
      this.inc(latest.failures());
    },
  });
  return async () => {
    const backlog = await latest.get();
    sagas.reset();
    reminders.reset();
    if (backlog === undefined) return;
    for (const { saga, state, count } of backlog.sagas) sagas.set({ saga, state }, count);
    reminders.set({ state: 'due' }, backlog.remindersDue);
    reminders.set({ state: 'suspended' }, backlog.remindersSuspended);
  };
}
