/** A failing seed as it is shown to whoever has to find the mistake. */
import type { Mutation } from './process.ts';
import type { Kind } from './scenario.ts';
import { shrink } from './shrink.ts';
import type { Play } from './simulate.ts';
import { playOf, simulate } from './simulate.ts';

/** The first seed of a range that fails; undefined where none does. */
export async function firstFailing(
  from: number,
  runs: number,
  kind?: Kind,
): Promise<number | undefined> {
  for (let seed = from; seed < from + runs; seed += 1) {
    const { faults } = await simulate(playOf(seed, kind));
    if (faults.length > 0) return seed;
  }
  return undefined;
}

/** What the play breaks, and the smallest play that breaks it too, event by event. */
export async function reportOf(play: Play, mutation?: Mutation): Promise<string> {
  const { faults } = await simulate(play, mutation);
  const small = await shrink(play, mutation);
  const { plots, ...rest } = small.scenario;
  const shown = await simulate(small, mutation, true);
  return [
    `seed ${play.seed} breaks:`,
    ...faults.map((fault) => `  ${fault}`),
    `it shrinks to ${plots.length} requests (order ${small.seed}, ${JSON.stringify(rest)}):`,
    ...shown.trace.map((line) => `  ${line}`),
    'which breaks:',
    ...shown.faults.map((fault) => `  ${fault}`),
  ].join('\n');
}
