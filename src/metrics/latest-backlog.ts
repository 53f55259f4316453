/**
 * What a scrape learns of the database's backlog, without ever waiting long for it.
 *
 * 1. One question at a time is under way, and none while the last answer is fresh.
 * 2. A scrape waits for a new answer only so long; then it shows the last one.
 * 3. An answer that has grown old is shown no more: no number is better than a wrong one.
 */
import type { Backlog, ReadBacklog } from '../inventory/backlog.ts';
import type { Timer } from '../inventory/ports.ts';

export interface LatestBacklog {
  readonly get: () => Promise<Backlog | undefined>;
  /** Questions that got no answer. */
  readonly failures: () => number;
}

const backlogRules = { freshForMs: 5_000, patienceMs: 500, shownForMs: 60_000 } as const;

export function createLatestBacklog(
  read: ReadBacklog,
  timer: Pick<Timer, 'monotonic' | 'after'>,
): LatestBacklog {
  let latest: { readonly backlog: Backlog; readonly at: number } | undefined;
  let asking: Promise<void> | undefined;
  let failures = 0;

  async function ask(): Promise<void> {
    const answer = await read().catch(() => undefined);
    if (answer?.kind === 'found') latest = { backlog: answer.value, at: timer.monotonic() };
    else failures += 1;
    asking = undefined;
  }

  function isYoungerThan(ms: number): boolean {
    return latest !== undefined && timer.monotonic() - latest.at < ms;
  }

  async function patiently(asked: Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => {
      const callOff = timer.after(backlogRules.patienceMs, resolve);
      void asked.then(() => {
        callOff();
        resolve();
      });
    });
  }

  return {
    get: async () => {
      if (!isYoungerThan(backlogRules.freshForMs)) await patiently((asking ??= ask()));
      return isYoungerThan(backlogRules.shownForMs) ? latest?.backlog : undefined;
    },
    failures: () => failures,
  };
}
