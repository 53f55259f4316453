/**
 * The one loop in which a change is tried: read, decide, write on condition, and again where that
 * came to nothing. Whatever is changed by compare-and-swap goes through it.
 *
 * 1. A lost race is begun again from a read, at once the first time: its winner is done.
 * 2. An unknown outcome is never taken for failed: the next attempt looks.
 * 3. Each cause has a pause of its own, and many losers spread out.
 */
import type { Backoff } from './backoff.ts';
import { afterLoss, afterStandoff, afterUnknown, jittered } from './backoff.ts';
import type { Timer, Unknown } from './ports.ts';

/** `standoff`: writers that each wait for the other were broken up, and none may have won. */
export type Undecided = { readonly kind: 'lost' } | { readonly kind: 'standoff' } | Unknown;

export type Attempt<A> = A | Undecided;

const backoffs: Readonly<Record<Undecided['kind'], Backoff>> = {
  lost: afterLoss,
  standoff: afterStandoff,
  unknown: afterUnknown,
};

/**
 * Attempts until one decides.
 * @param isOver asked before each attempt.
 * @param noted is told of each attempt that came to nothing.
 * @returns undefined where it is over before.
 */
export async function attempted<A extends { readonly kind: string }>(
  timer: Pick<Timer, 'pause' | 'random'>,
  isOver: () => boolean,
  attempt: () => Promise<Attempt<A>>,
  noted: (outcome: Undecided) => void,
): Promise<A | undefined> {
  const times = { lost: 0, standoff: 0, unknown: 0 };
  while (!isOver()) {
    const outcome = await attempt();
    if (!isUndecided(outcome)) return outcome;
    noted(outcome);
    const { kind } = outcome;
    const before = times[kind];
    times[kind] += 1;
    if (kind === 'lost' && before === 0) continue; // 1
    await timer.pause(jittered(backoffs[kind], before, timer.random()));
  }
  return undefined;
}

function isUndecided<A extends { readonly kind: string }>(
  outcome: Attempt<A>,
): outcome is Undecided {
  return outcome.kind in backoffs;
}
