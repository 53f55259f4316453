/**
 * What a request passes before anything is done for it, cheapest first: its address's share, the
 * room that is left, its key, its key's share. A guesser of keys is held up by the first.
 */
import type { Request } from 'express';
import type { Authenticate, Principal } from './auth.ts';
import { bearerSecret, unauthorized } from './auth.ts';
import type { Problem } from './problem.ts';
import { unavailable } from './problem.ts';
import { countedAs, rateLimit, rateLimited } from './rate-limit.ts';
import type { Work } from './under-way.ts';
import type { UnderWay } from './under-way.ts';

export interface Limits {
  /** Requests a minute; 0 is without limit. */
  readonly perKey: number;
  readonly perAddress: number;
  readonly underWay: UnderWay;
}

export type Passed =
  | { readonly kind: 'passed'; readonly principal: Principal; readonly work: Work }
  | { readonly kind: 'turned-away'; readonly problem: Problem };

export type Gate = (request: Request) => Promise<Passed>;

export function createGate(authenticate: Authenticate, limits: Limits): Gate {
  const perAddress = rateLimit(limits.perAddress);
  const perKey = rateLimit(limits.perKey);

  async function judge(request: Request): Promise<Principal | Problem> {
    const secret = bearerSecret(request.headers.authorization);
    if (secret === undefined) return unauthorized;
    const asked = await authenticate(secret);
    if (asked.kind === 'nobody') return unauthorized;
    if (asked.kind === 'unknown') {
      return unavailable({ kind: 'unavailable', retryAfterSeconds: 1, cause: asked.cause });
    }
    const { principal } = asked;
    const wait = await perKey.take(() => principal.actor);
    return wait === undefined ? principal : rateLimited('key', wait);
  }

  return async (request) => {
    const wait = await perAddress.take(() => countedAs(request.ip));
    if (wait !== undefined) return turnedAway(rateLimited('address', wait));
    const work = limits.underWay.begin(request);
    if (work === undefined) return turnedAway(overloaded);
    try {
      const judged = await judge(request);
      if ('actor' in judged) return { kind: 'passed', principal: judged, work };
      work.end();
      return turnedAway(judged);
    } catch (error) {
      work.end();
      throw error;
    }
  };
}

function turnedAway(problem: Problem): Passed {
  return { kind: 'turned-away', problem };
}

const overloaded: Problem = {
  code: 'overloaded',
  detail: 'Too many requests are under way. Nothing was begun; send this one again.',
  members: { retryAfterSeconds: 1 },
  headers: { 'Retry-After': '1' },
};
