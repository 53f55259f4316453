/** When a request is sent again, and how long after. */

/** 429 and 503 say so; 502 and 504 are what a proxy answers for a service that is away. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export function isPassing(status: number): boolean {
  return passing.has(status);
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;
const longestRetryAfterMs = 30_000;

/**
 * Doubles up to five seconds, half of it left to chance, so that sixteen senders that were turned
 * away together don't come back together. What the service asks for is honoured up to half a minute.
 *
 * @param attempt how often the request has been sent.
 * @param retryAfter the header's value: seconds or a date.
 * @param random 0 ≤ x < 1
 */
export function pauseMs(
  attempt: number,
  retryAfter: string | null,
  random: number,
  nowMs: number,
): number {
  const full = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
  const backoff = full / 2 + (full / 2) * random;
  const asked = Math.min(longestRetryAfterMs, retryAfterMs(retryAfter, nowMs));
  return Math.max(backoff, asked);
}

function retryAfterMs(retryAfter: string | null, nowMs: number): number {
  if (retryAfter === null) return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
