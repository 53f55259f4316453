/**
 * Requests under a key that move no stock themselves: their claim, and attempts until they have
 * their answer.
 *
 * 1. The key is looked up before anything is answered; it belongs to one request, told by digest.
 * 2. The claim stands before the effect, and only a request that is accepted makes one.
 * 3. An unknown outcome is never taken for failed: the next attempt looks.
 */
import type { ActionId, Digest } from '../domain/ids.ts';
import type { Refused, Unavailable } from './answer.ts';
import type { Attempt } from './attempts.ts';
import { attempted } from './attempts.ts';
import { inTime } from './in-time.ts';
import type { ActionStore, Claim, ClaimSubject, Lookup, Recorded, Timer } from './ports.ts';
import { unavailable } from './ticket.ts';

/** Without a caller's key, `actionId` is one of the service's own: it is not claimed. */
export interface KeyedRequest {
  readonly actionId: ActionId;
  readonly operation: string;
  readonly digest: Digest;
}

/** What this request has done so far, over all its attempts. */
export interface Progress {
  /** It made the claim, or the answer to its claim was lost. */
  mayHaveClaimed: boolean;
  /** A write of it had a lost answer: an effect that is found may be its own. */
  mayHaveWritten: boolean;
}

/**
 * How long after its deadline a request may look once more what has become of it. An attempt that
 * waits for the database even then is not waited for.
 */
export const lastLookMs = 500;

/** Attempts until there is an answer, within the time that the request has. */
export async function untilAnswered<A extends { readonly kind: string }>(
  timer: Timer,
  deadlineMilliseconds: number,
  attempt: (progress: Progress, deadline: number) => Promise<Attempt<A>>,
): Promise<A | Unavailable> {
  const deadline = timer.monotonic() + deadlineMilliseconds;
  const progress: Progress = { mayHaveClaimed: false, mayHaveWritten: false };
  let cause = 'others were always faster';
  const attempts = attempted(
    timer,
    () => timer.monotonic() >= deadline,
    () => attempt(progress, deadline),
    (outcome) => {
      if (outcome.kind === 'unknown') ({ cause } = outcome);
    },
  );
  const answer = await inTime(timer, deadline + lastLookMs, attempts);
  return answer ?? unavailable(cause);
}

export function isCallers(action: ActionId): boolean {
  return !action.startsWith('~');
}

/** @returns `refused` where the key is another request's (1). */
export async function lookUpClaim(
  actions: ActionStore,
  { actionId, digest }: KeyedRequest,
): Promise<Lookup<Claim> | Refused> {
  if (!isCallers(actionId)) return { kind: 'missing' };
  const claims = await actions.find([actionId]);
  if (claims.kind === 'unknown') return claims;
  const claim = claims.value.get(actionId);
  if (claim === undefined) return { kind: 'missing' };
  return claim.digest === digest
    ? { kind: 'found', value: claim }
    : { kind: 'refused', refusal: { code: 'idempotency-key-reused' } };
}

/** `lost` when somebody else has just made the claim: then everything is looked at again. */
export async function claim(
  actions: ActionStore,
  { actionId, operation, digest }: KeyedRequest,
  subject: ClaimSubject,
  progress: Progress,
): Promise<Recorded | { readonly kind: 'lost' }> {
  if (!isCallers(actionId)) return { kind: 'recorded' };
  const claimed = await actions.claim([{ actionId, operation, digest, subject }]);
  if (claimed.kind === 'claimed' && claimed.standing.size > 0) return { kind: 'lost' };
  progress.mayHaveClaimed = true;
  return claimed.kind === 'unknown' ? claimed : { kind: 'recorded' };
}
