/** Runs a plan against a service: step by step, each step many requests at a time. */
import { z } from 'zod';
import { inParallel } from './in-parallel.ts';
import type { KeyedRequest, ReplayRequests, SkuCheck } from './requests.ts';
import { skuPath } from './requests.ts';
import type { Reply, ServiceClient } from './service-client.ts';
import { ReplayStopped } from './stopped.ts';
import type { Tally } from './tally.ts';
import { count, emptyTally } from './tally.ts';

export interface Progress {
  /** One more request has been answered, in the named step. */
  readonly advance: (step: string) => void;
}

export interface Step {
  readonly name: string;
  readonly tally: Tally;
}

interface Refusal {
  readonly key: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

export interface StandingSku {
  readonly sku: string;
  readonly unitsInStock: number;
  readonly onHand: number;
  readonly levels: readonly { readonly warehouse: string; readonly onHand: number }[];
}

export interface Outcome {
  readonly steps: readonly Step[];
  readonly refusals: readonly Refusal[];
  readonly standing: readonly StandingSku[];
  /** Time that the movements took: opening stock and ships. */
  readonly movementSeconds: number;
}

const width = 16;

/** Requests that a run makes, for the bar. */
export function requestCount(requests: ReplayRequests): number {
  const { locations, skus, openings, ships, checks } = requests;
  return locations.length + skus.length + openings.length + ships.length + 2 * checks.length;
}

/** @throws ReplayStopped where going on makes no sense; what was applied stays applied. */
export async function runReplay(
  requests: ReplayRequests,
  client: ServiceClient,
  progress: Progress,
  signal: AbortSignal,
): Promise<Outcome> {
  await refuseForeignHistory(requests.checks, client, progress, signal);
  const refusals: Refusal[] = [];
  const step = async (name: string, keyed: readonly KeyedRequest[]): Promise<Step> => {
    let tally = emptyTally;
    await inParallel(keyed, width, signal, async (request, stop) => {
      const reply = await client.send(request, stop);
      tally = count(tally, reply);
      if (reply.kind === 'refused') {
        const { status, code, detail } = reply;
        refusals.push({ key: request.key, status, code, detail });
      }
      progress.advance(name);
    });
    return { name, tally };
  };
  const locations = await step('locations', requests.locations);
  const skus = await step('SKUs', requests.skus);
  const startedMs = performance.now();
  const openings = await step('opening stock', requests.openings);
  const ships = await step('ships', requests.ships);
  const movementSeconds = (performance.now() - startedMs) / 1_000;
  const standing = await readStanding(requests.checks, client, progress, signal);
  return { steps: [locations, skus, openings, ships], refusals, standing, movementSeconds };
}

const skuBody = z.object({
  movementCount: z.number(),
  totals: z.object({ onHand: z.number() }),
  levels: z.array(z.object({ warehouse: z.string(), onHand: z.number() })),
});

/**
 * A SKU with a history that this input's opening stock is not part of belongs to somebody else:
 * another folder, an edited one, or the same one under another API key. Adding to it would end in
 * levels that nobody wants, so nothing is sent at all.
 */
async function refuseForeignHistory(
  checks: readonly SkuCheck[],
  client: ServiceClient,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const foreign: string[] = [];
  await inParallel(checks, width, signal, async ({ sku, openingKey }, stop) => {
    const found = await client.get(skuPath(sku), stop);
    if (!isMissing(found) && skuBody.parse(bodyOf(found)).movementCount > 0) {
      const opened = openingKey !== undefined && (await isKnown(openingKey, client, stop));
      if (!opened) foreign.push(sku);
    }
    progress.advance('looking');
  });
  if (foreign.length === 0) return;
  const named = foreign.toSorted().slice(0, 10).join(', ');
  const more = foreign.length > 10 ? ` and ${foreign.length - 10} more` : '';
  throw new ReplayStopped(
    `${named}${more}: this folder, under this API key, did not open the stock that stands there.\n` +
      'Nothing was sent. Keep the two apart with --prefix, or use another database.',
  );
}

async function isKnown(key: string, client: ServiceClient, signal: AbortSignal): Promise<boolean> {
  const found = await client.get(`/v1/actions/${encodeURIComponent(key)}`, signal);
  if (isMissing(found)) return false;
  bodyOf(found);
  return true;
}

async function readStanding(
  checks: readonly SkuCheck[],
  client: ServiceClient,
  progress: Progress,
  signal: AbortSignal,
): Promise<readonly StandingSku[]> {
  const standing: StandingSku[] = [];
  await inParallel(checks, width, signal, async ({ sku, unitsInStock }, stop) => {
    const found = await client.get(skuPath(sku), stop);
    // A SKU whose definition was refused stands nowhere; the table then shows it.
    const read = isMissing(found) ? undefined : skuBody.parse(bodyOf(found));
    const onHand = read?.totals.onHand ?? 0;
    standing.push({ sku, unitsInStock, onHand, levels: read?.levels ?? [] });
    progress.advance('checking');
  });
  return standing.toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
}

function isMissing(reply: Reply): boolean {
  return reply.kind === 'refused' && reply.status === 404;
}

function bodyOf(reply: Reply): unknown {
  if (reply.kind === 'done') return reply.body;
  throw new ReplayStopped(`A read was refused: ${reply.status} ${reply.code} ${reply.detail}`);
}
