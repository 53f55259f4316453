/** Makes a failing play smaller: fewer requests, faults and processes, as long as it fails alike. */
import type { Mutation } from './process.ts';
import type { Scenario } from './scenario.ts';
import type { Play } from './simulate.ts';
import { simulate } from './simulate.ts';

/** How many orders of events are tried of each smaller scenario. */
const ordersTried = 60;

/** @returns the smallest play that was found to break a rule that this one breaks. */
export async function shrink(play: Play, mutation: Mutation = {}): Promise<Play> {
  const broken = rulesOf((await simulate(play, mutation)).faults);
  let smallest = play;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const scenario of smallerThan(smallest.scenario)) {
      const found = await failing(scenario, smallest.seed, broken, mutation);
      if (found === undefined) continue;
      smallest = found;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

async function failing(
  scenario: Scenario,
  seed: number,
  broken: ReadonlySet<string>,
  mutation: Mutation,
): Promise<Play | undefined> {
  for (let order = 0; order < ordersTried; order += 1) {
    const play = { seed: seed + order, scenario };
    const { faults } = await simulate(play, mutation);
    if (Array.from(rulesOf(faults)).some((rule) => broken.has(rule))) return play;
  }
  return undefined;
}

/** The numbers of the rules that faults break; a defect counts as one. */
function rulesOf(faults: readonly string[]): ReadonlySet<string> {
  return new Set(faults.map((fault) => fault.slice(0, 2)));
}

function* smallerThan(scenario: Scenario): Generator<Scenario> {
  const { plots, faults, leaps, processes, unproven, missing, windowLimit } = scenario;
  for (const index of plots.keys()) yield { ...scenario, plots: plots.toSpliced(index, 1) };
  for (const [index, plot] of plots.entries()) {
    if (plot.copies > 1) yield { ...scenario, plots: plots.with(index, { ...plot, copies: 1 }) };
  }
  if (faults > 0) yield { ...scenario, faults: 0 };
  if (faults > 1) yield { ...scenario, faults: faults - 1 };
  if (leaps > 0) yield { ...scenario, leaps: 0 };
  if (leaps > 1) yield { ...scenario, leaps: leaps - 1 };
  if (processes > 1) yield { ...scenario, processes: processes - 1 };
  if (unproven > 0) yield { ...scenario, unproven: 0 };
  if (missing > 0) yield { ...scenario, missing: 0 };
  if (windowLimit < 500) yield { ...scenario, windowLimit: 500 };
}
