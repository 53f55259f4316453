/**
 * How much one key, and one address, may ask of this process in a minute. The counts are in this
 * process alone: a limit that is shared would cost each request a write to the database, and what
 * it protects, the process, is not shared either.
 */
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Problem } from './problem.ts';

export interface RateLimit {
  /**
   * @param who is asked only where there is a limit: an address costs some work to read.
   * @returns in how many seconds to come again; undefined where the request may pass.
   */
  readonly take: (who: () => string) => Promise<number | undefined>;
}

const windowSeconds = 60;

/** @param perMinute 0 lets everything pass. */
export function rateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return { take: () => Promise.resolve(undefined) };
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  return {
    take: async (who) => {
      try {
        await limiter.consume(who());
        return undefined;
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
      }
    },
  };
}

/**
 * Under what an address is counted. Who has one IPv6 address usually has 2^64 of them, so the
 * network counts as one.
 */
export function countedAs(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6) return `${parsed.parts.slice(0, 4).join(':')}/64`;
  return parsed.toString();
}

export function rateLimited(what: 'key' | 'address', retryAfterSeconds: number): Problem {
  return {
    code: 'rate-limited',
    detail: `This ${what} has sent too many requests. Send this one again later.`,
    members: { retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  };
}
