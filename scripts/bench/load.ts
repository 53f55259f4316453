/** Clients in a closed loop: each sends its next movement when the one before was answered. */
import { randomUUID } from 'node:crypto';
import type { Tally } from './conservation.ts';
import type { LatencySummary } from './statistics.ts';
import { Latencies } from './statistics.ts';
import type { Stock } from './stock.ts';
import { required } from './stock.ts';
import type { Mover } from './strategies/mover.ts';

export interface Load {
  readonly clients: number;
  /** Tells this run's choice of SKUs from another's; the same for every strategy of the run. */
  readonly seed: number;
  readonly amount: { readonly seconds: number } | { readonly movements: number };
  /** Whether the SKUs come in turn; at random otherwise. */
  readonly inTurn?: boolean | undefined;
}

export interface LoadResult {
  readonly elapsedMs: number;
  readonly latency: LatencySummary;
  /** In the order of the stock's SKUs. */
  readonly tallies: readonly Tally[];
}

/** Counts until the last answer is in, so that a slow tail costs what it takes. */
export async function closedLoop(mover: Mover, stock: Stock, load: Load): Promise<LoadResult> {
  const acknowledged = stock.skus.map(() => 0);
  const unknown = stock.skus.map(() => 0);
  const latencies = new Latencies();
  const begun = performance.now();
  const mayGoOn = limit(load.amount, begun);
  let turns = 0;

  async function client(number: number): Promise<void> {
    const random = randomNumbers(load.seed * 1_000 + number);
    while (mayGoOn()) {
      const index =
        load.inTurn === true
          ? (turns += 1) % stock.skus.length
          : Math.floor(random() * stock.skus.length);
      const started = performance.now();
      const outcome = await mover.move(required(stock.skus[index]), randomUUID());
      if (outcome === 'moved') latencies.add(performance.now() - started);
      const counts = outcome === 'moved' ? acknowledged : unknown;
      counts[index] = (counts[index] ?? 0) + 1;
    }
  }

  await Promise.all(Array.from({ length: load.clients }, (_, number) => client(number)));
  return {
    elapsedMs: performance.now() - begun,
    latency: latencies.summary(),
    tallies: acknowledged.map((count, index) => ({
      acknowledged: count,
      unknown: unknown[index] ?? 0,
    })),
  };
}

function limit(amount: Load['amount'], begun: number): () => boolean {
  if ('seconds' in amount) return () => performance.now() - begun < amount.seconds * 1_000;
  let issued = 0;
  return () => (issued += 1) <= amount.movements;
}

/** Mulberry32: the same choices for every strategy, run by run. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
