/** How long to wait before the next attempt. */

export interface Backoff {
  readonly baseMilliseconds: number;
  readonly capMilliseconds: number;
}

/** After losing a race to another process: the winner is done by then. */
export const afterLoss: Backoff = { baseMilliseconds: 2, capMilliseconds: 100 };
/** After a standoff, which the database ends one writer at a time: returning soon prolongs it. */
export const afterStandoff: Backoff = { baseMilliseconds: 500, capMilliseconds: 2_000 };
/** After an answer that did not come: the database needs a while. */
export const afterUnknown: Backoff = { baseMilliseconds: 25, capMilliseconds: 1_000 };

/** Capped full jitter: anywhere from 0 to the cap of this attempt, so that losers spread out. */
export function jittered(backoff: Backoff, attempt: number, random: number): number {
  const cap = Math.min(
    backoff.capMilliseconds,
    backoff.baseMilliseconds * 2 ** Math.min(attempt, 16),
  );
  return cap * random;
}
