/**
 * Locations: one small document each, changed by compare-and-swap on its version.
 *
 * 1. A repeat is recognised in the document, which names the action of its version, or among the
 *    kept answers, where that answer goes before another change takes its place.
 * 2. A location's warehouse never changes, and a retired one never comes back.
 * 3. Retiring looks for stock and live reservations first. What a racing request lands all the
 *    same may leave, and is found by verification.
 */
import type { Instant, LocationId } from '../domain/ids.ts';
import type { Location, LocationDefinition } from '../domain/location.ts';
import type { Refusal } from '../domain/refusal.ts';
import { onHandAt, reservedAt } from '../domain/sku.ts';
import type { LocationAnswer } from './answer.ts';
import type { LocationAction } from './inventory.ts';
import type { Progress } from './keyed-request.ts';
import { untilAnswered } from './keyed-request.ts';
import type { LocationDirectory } from './location-directory.ts';
import type {
  Claim,
  LocationRead,
  LocationSwap,
  Lookup,
  Ports,
  Recorded,
  Unknown,
} from './ports.ts';

type Change =
  | { readonly kind: 'define'; readonly definition: LocationDefinition }
  | { readonly kind: 'retire' };

type Verdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

type Attempt = LocationAnswer | { readonly kind: 'lost' } | Unknown;

const skusListed = 20;

/** Changes one location, within the deadline. */
export async function changeLocation(
  ports: Ports,
  directory: LocationDirectory,
  deadlineMilliseconds: number,
  action: LocationAction,
  change: Change,
): Promise<LocationAnswer> {
  return untilAnswered(ports.timer, deadlineMilliseconds, async (progress) => {
    const attempt = await attemptChange(ports, action, change, progress);
    directory.forget(action.location);
    return attempt;
  });
}

async function attemptChange(
  ports: Ports,
  action: LocationAction,
  change: Change,
  progress: Progress,
): Promise<Attempt> {
  const read = await ports.locations.read(action.location);
  if (read.kind === 'unknown') return read;
  const current = read.kind === 'found' ? read.value : null;
  const claims = await ports.actions.find([action.actionId]);
  if (claims.kind === 'unknown') return claims;
  const claim = claims.value.get(action.actionId);
  if (claim !== undefined && claim.digest !== action.digest) return reused;
  const repeat = await firstAnswer(ports, current, action, claim);
  if (repeat.kind === 'unknown') return repeat;
  if (repeat.kind === 'found') {
    return answer(repeat.value, !progress.mayHaveWritten);
  }
  if (change.kind === 'retire' && current?.location.retiredAt !== undefined) {
    return answerRetired(ports, current.location, action, claim, progress);
  }
  const verdict = await judge(ports, current, action, change);
  if (verdict.kind !== 'accepted') return verdict;
  const claimed = await claimOnce(ports, action, claim);
  if (claimed.kind !== 'recorded') return claimed;
  const written = await write(ports, current, action, change);
  if (written.kind === 'unknown') progress.mayHaveWritten = true;
  return written;
}

/** Nothing is to be done: the key is the request's all the same, and its answer is kept. */
async function answerRetired(
  ports: Ports,
  location: Location,
  action: LocationAction,
  claim: Claim | undefined,
  progress: Progress,
): Promise<Attempt> {
  const claimed = await claimOnce(ports, action, claim);
  if (claimed.kind !== 'recorded') return claimed;
  if (isCallers(action)) {
    progress.mayHaveWritten = true;
    const { actionId } = action;
    const kept = await ports.answers.keep({ actionId, kind: 'location', location });
    if (kept.kind === 'unknown') return kept;
  }
  return answer(location, false);
}

const reused: LocationAnswer = { kind: 'refused', refusal: { code: 'idempotency-key-reused' } };

function answer(location: Location, replayed: boolean): LocationAnswer {
  return { kind: 'location', location, created: location.version === 1, replayed };
}

function isCallers(action: LocationAction): boolean {
  return !action.actionId.startsWith('~');
}

async function firstAnswer(
  ports: Ports,
  current: LocationRead | null,
  action: LocationAction,
  claim: Claim | undefined,
): Promise<Lookup<Location>> {
  if (current?.changedBy === action.actionId) return { kind: 'found', value: current.location };
  if (claim === undefined) return { kind: 'missing' };
  const kept = await ports.answers.find(action.actionId);
  if (kept.kind !== 'found') return kept;
  return kept.value.kind === 'location'
    ? { kind: 'found', value: kept.value.location }
    : { kind: 'missing' };
}

/** `lost` when somebody else has just made the claim: then everything is looked at again. */
async function claimOnce(
  ports: Ports,
  action: LocationAction,
  claim: Claim | undefined,
): Promise<Recorded | { readonly kind: 'lost' }> {
  if (claim !== undefined || !isCallers(action)) return { kind: 'recorded' };
  const { actionId, digest, operation, location } = action;
  const claimed = await ports.actions.claim([
    { actionId, digest, operation, subject: { kind: 'location', location } },
  ]);
  if (claimed.kind === 'unknown') return claimed;
  return claimed.standing.size === 0 ? { kind: 'recorded' } : { kind: 'lost' };
}

async function judge(
  ports: Ports,
  current: LocationRead | null,
  action: LocationAction,
  change: Change,
): Promise<Verdict | Unknown> {
  const version = current?.location.version ?? null;
  if (action.ifVersion !== undefined && action.ifVersion !== version) {
    return { kind: 'refused', refusal: { code: 'version-mismatch', version } };
  }
  if (current === null) return { kind: change.kind === 'define' ? 'accepted' : 'not-found' };
  const { location, warehouse, retiredAt } = current.location;
  if (change.kind === 'retire') {
    return mayRetire(ports, location);
  }
  if (retiredAt !== undefined) {
    return { kind: 'refused', refusal: { code: 'location-retired', location } };
  }
  return change.definition.warehouse === warehouse
    ? { kind: 'accepted' }
    : { kind: 'refused', refusal: { code: 'warehouse-fixed', warehouse } };
}

async function mayRetire(ports: Ports, location: LocationId): Promise<Verdict | Unknown> {
  const standing = await ports.skus.list({ standingAt: [location], limit: skusListed });
  if (standing.kind === 'unknown') return standing;
  const { skus, now } = standing.value;
  const inUse = skus.filter((state) => isInUse(state, location, now)).map(({ sku }) => sku);
  return inUse.length === 0
    ? { kind: 'accepted' }
    : { kind: 'refused', refusal: { code: 'location-in-use', skus: inUse } };
}

function isInUse(
  state: Parameters<typeof onHandAt>[0],
  location: LocationId,
  now: Instant,
): boolean {
  return onHandAt(state, location) > 0 || reservedAt(state, location, now) > 0;
}

async function write(
  ports: Ports,
  current: LocationRead | null,
  action: LocationAction,
  change: Change,
): Promise<Attempt> {
  const swap = await swapLocation(ports, current, action, change);
  if (swap.kind !== 'swapped') return swap;
  return { kind: 'location', location: swap.location, created: current === null, replayed: false };
}

async function swapLocation(
  ports: Ports,
  current: LocationRead | null,
  action: LocationAction,
  change: Change,
): Promise<LocationSwap> {
  if (current === null) {
    return change.kind === 'define'
      ? ports.locations.create(action.location, change.definition, action.actionId)
      : { kind: 'lost' };
  }
  if (!current.changedBy.startsWith('~')) {
    const { changedBy: actionId, location } = current;
    const kept = await ports.answers.keep({ actionId, kind: 'location', location });
    if (kept.kind === 'unknown') return kept;
  }
  return change.kind === 'define'
    ? ports.locations.redefine(current, change.definition, action.actionId)
    : ports.locations.retire(current, action.actionId);
}
