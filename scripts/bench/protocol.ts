/** What the bench and its worker processes say to each other; each side parses what it hears. */
import { z } from 'zod';
import { stockNames } from './stock.ts';

const database = { uri: z.string(), database: z.string() };
const sql = { postgres: z.string(), schema: z.string() };

const strategySpec = z.discriminatedUnion('strategy', [
  /** `timed` takes down how long each call of a port takes, which costs a little itself. */
  z.object({ strategy: z.literal('path'), ...database, timed: z.boolean().optional() }),
  z.object({ strategy: z.literal('plain'), ...database }),
  z.object({ strategy: z.literal('bare'), ...database }),
  z.object({ strategy: z.literal('tx'), ...sql }),
  z.object({ strategy: z.literal('one'), ...sql }),
  z.object({ strategy: z.literal('http'), url: z.string(), secret: z.string() }),
]);
export type StrategySpec = z.infer<typeof strategySpec>;

const load = z.object({
  clients: z.number(),
  seed: z.number(),
  amount: z.union([
    z.strictObject({ seconds: z.number() }),
    z.strictObject({ movements: z.number() }),
  ]),
  inTurn: z.boolean().optional(),
});

export const order = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), spec: strategySpec }),
  z.object({
    kind: z.literal('run'),
    stock: z.enum(stockNames),
    manySkus: z.number(),
    load,
    /** A folder for a CPU profile of this run. */
    profileInto: z.string().optional(),
  }),
  z.object({ kind: z.literal('memory') }),
  z.object({ kind: z.literal('close') }),
]);
export type Order = z.infer<typeof order>;

const tally = z.object({ acknowledged: z.number(), unknown: z.number() });

const portCall = z.object({ name: z.string(), calls: z.number(), meanMs: z.number() });
export type PortCall = z.infer<typeof portCall>;

export const report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({
    kind: z.literal('ran'),
    result: z.object({
      elapsedMs: z.number(),
      latency: z.object({ samples: z.number(), p50: z.number(), p99: z.number() }),
      tallies: z.array(tally).readonly(),
    }),
    profile: z.object({ file: z.string(), calls: z.array(portCall).readonly() }).optional(),
  }),
  z.object({ kind: z.literal('memory'), rssBytes: z.number(), heapUsedBytes: z.number() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type Report = z.infer<typeof report>;
