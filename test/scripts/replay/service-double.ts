/** As much of the service as a replay sees, in memory: keys are recognised, levels add up. */
import { z } from 'zod';
import type { KeyedRequest } from '../../../scripts/replay/requests.ts';
import type { Reply, ServiceClient } from '../../../scripts/replay/service-client.ts';

const line = z.object({ location: z.string(), quantity: z.number() });
const movement = z.object({
  type: z.enum(['receive', 'ship']),
  sku: z.string(),
  lines: z.array(line).optional(),
  location: z.string().optional(),
  quantity: z.number().optional(),
});
const definition = z.object({ warehouse: z.string().optional() });

const refused = (status: number, code: string): Reply => ({
  kind: 'refused',
  status,
  code,
  detail: '',
  retries: 0,
});
const done = (body: unknown, replayed = false): Reply => ({
  kind: 'done',
  status: 200,
  body,
  replayed,
  retries: 0,
});

export class ServiceDouble implements ServiceClient {
  readonly keys = new Set<string>();
  readonly warehouses = new Map<string, string>();
  readonly counts = new Map<string, number>();
  /** On hand by SKU and location. */
  readonly levels = new Map<string, Map<string, number>>();

  readonly get = (path: string): Promise<Reply> => {
    const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    if (path.startsWith('/v1/actions/')) {
      return Promise.resolve(this.keys.has(name) ? done({}) : refused(404, 'not-found'));
    }
    const levels = this.levels.get(name);
    if (!levels) return Promise.resolve(refused(404, 'unknown-sku'));
    const shown = Array.from(levels, ([location, onHand]) => ({
      warehouse: this.warehouses.get(location),
      onHand,
    }));
    const onHand = shown.reduce((total, level) => total + level.onHand, 0);
    const movementCount = this.counts.get(name) ?? 0;
    return Promise.resolve(done({ movementCount, totals: { onHand }, levels: shown }));
  };

  readonly send = async (request: KeyedRequest): Promise<Reply> => {
    await Promise.resolve();
    if (this.keys.has(request.key)) return done({}, true);
    const reply = request.method === 'PUT' ? this.define(request) : this.move(request);
    if (reply.kind === 'done') this.keys.add(request.key);
    return reply;
  };

  private define({ path, body }: KeyedRequest): Reply {
    const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    const { warehouse } = definition.parse(body);
    if (warehouse === undefined)
      this.levels.set(name, this.levels.get(name) ?? new Map<string, number>());
    else this.warehouses.set(name, warehouse);
    return done({});
  }

  private move(request: KeyedRequest): Reply {
    const { type, sku, lines, location, quantity } = movement.parse(request.body);
    const levels = this.levels.get(sku);
    if (!levels) return refused(422, 'unknown-sku');
    const moved = lines ?? [line.parse({ location, quantity })];
    for (const { location: at, quantity: units } of moved) {
      const level = (levels.get(at) ?? 0) + (type === 'receive' ? units : -units);
      if (level < 0) return refused(409, 'insufficient-stock');
      levels.set(at, level);
    }
    this.counts.set(sku, (this.counts.get(sku) ?? 0) + 1);
    return done({});
  }
}
