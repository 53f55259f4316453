/**
 * The database's clock as this process knows it: the last reading, and this process's monotonic
 * time since. What the wall clock of this machine shows plays no part.
 */
import type { Instant } from '../domain/ids.ts';
import { parseInstant } from '../domain/ids.ts';
import type { Timer } from './ports.ts';

/** A machine that slept counts too little in between. */
const trustedMs = 30_000;

export interface DatabaseClock {
  /** @param askedAt monotonic, before the question was sent: so the estimate is never behind. */
  readonly learn: (now: Instant, askedAt: number) => void;
  /** undefined where the last reading is too old. */
  readonly now: () => Instant | undefined;
}

export function createDatabaseClock(timer: Timer): DatabaseClock {
  let last: { readonly now: Instant; readonly askedAt: number } | undefined;
  return {
    learn: (now, askedAt) => {
      last = { now, askedAt };
    },
    now: () => {
      if (last === undefined) return undefined;
      const since = timer.monotonic() - last.askedAt;
      return since > trustedMs ? undefined : parseInstant(Math.round(last.now + since));
    },
  };
}
