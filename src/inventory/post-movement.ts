/**
 * The one mutation path: every change of a SKU document goes through here.
 *
 *  1. Read, decide, write on the condition that version and last action are those that were read;
 *     on a lost race, read again. Level, movement and action id share the one write.
 *  2. Claim before the effect, ledger entry after it, answer after that.
 *  3. Only a request that the decision accepts is claimed, or one that is answered with another's
 *     release.
 *  4. A refusal rests on a read with the database's clock, is answered only after its key was
 *     looked up, and only once the batch that it was decided in has been written.
 *  5. A write with a lost answer is never taken for failed: the next read finds the action id, or
 *     finds the version unmoved and the same write is sent again, at most one of which can land;
 *     or finds the version moved without the id, and then it never can.
 *  6. A movement leaves the window only once it is in the ledger, whoever put it there.
 *  7. Requests for one SKU that arrive while its write is under way go out together, in order.
 *     A refusal or a repeat among them concerns only itself.
 *  8. Every request is answered by its deadline, and its key stays safe to send again.
 *  9. The last known state saves the read of a batch that it accepts whole; nothing else rests on
 *     it, since 4 asks for a read.
 * 10. A batch's ledger entries go out while the next is decided and claimed, where enough waits to
 *     make one; the next write waits for them.
 */
import type { Action } from '../domain/action.ts';
import { locationsOf, reservationOf } from '../domain/action.ts';
import type { Circumstances } from '../domain/circumstances.ts';
import type { Instant, Sku } from '../domain/ids.ts';
import type { KnownLocations } from '../domain/location.ts';
import { epoch } from '../domain/ids.ts';
import { placesOf } from '../domain/sku.ts';
import type { ActionAnswer } from './answer.ts';
import { attempted } from './attempts.ts';
import { inBulk } from './bulk.ts';
import { settleDefinition } from './define-sku.ts';
import { healLedger } from './heal.ts';
import type { Hindsight } from './hindsight.ts';
import { interestOf, lookBack, noHindsight } from './hindsight.ts';
import type { KnownStates } from './known-states.ts';
import { createKnownStates } from './known-states.ts';
import type { Take } from './lanes.ts';
import { createLanes } from './lanes.ts';
import type { LocationDirectory } from './location-directory.ts';
import type { Load, Observe } from './observed.ts';
import { outcomeOf, unobserved } from './observed.ts';
import type { Plan } from './plan.ts';
import { movementsLimit, planBatch } from './plan.ts';
import type { Ports, Read, SkuRead } from './ports.ts';
import type { Applied } from './recognise.ts';
import { claimAccepted, lookBehindWindow } from './recognise.ts';
import { record, settleRefused, settleRepeated } from './settle-batch.ts';
import type { Attempt, Ticket } from './ticket.ts';
import { answered, stillOpen, unavailable } from './ticket.ts';

export interface MutationPath {
  /**
   * Answers by the deadline.
   * @throws only on a defect of the service itself, such as a write that a validator refused.
   */
  readonly post: (action: Action) => Promise<ActionAnswer>;
  /** Resolves when nothing is under way. */
  readonly idle: () => Promise<void>;
  readonly load: () => Load;
}

type Given = Omit<Circumstances, 'applied'>;

interface Lane {
  readonly sku: Sku;
  readonly ports: Ports;
  readonly directory: LocationDirectory;
  readonly known: KnownStates;
  readonly observe: Observe;
  /** How many requests wait for the next batch. */
  readonly waiting: () => number;
  /** Resolves when the ledger entries of the batch before are in, or have been seen to. */
  entering: Promise<void>;
}

const batchLineLimit = 500;
const waitingLimit = 1_000;
/** So many movements may stand unproven before the ledger is healed; it bounds the document. */
const unprovenLimit = 32;
/** Claims and ledger entries go out in bulk, over SKUs too. */
const bulkRules = { underWayLimit: 2, itemsLimit: 400 } as const;

export function createMutationPath(
  ports: Ports,
  directory: LocationDirectory,
  deadlineMilliseconds: number,
  observe: Observe = unobserved,
): MutationPath {
  const known = createKnownStates();
  const bulk: Ports = {
    ...ports,
    actions: { ...ports.actions, claim: inBulk(bulkRules, ports.actions.claim) },
    ledger: { ...ports.ledger, record: inBulk(bulkRules, ports.ledger.record) },
  };
  const lanes = createLanes<Sku, Ticket>({ waitingLimit, mayJoin }, async (sku, take, waiting) =>
    serve(
      { sku, ports: bulk, directory, known, observe, waiting, entering: Promise.resolve() },
      take,
    ),
  );
  return {
    post: async (action) => {
      const answer = await answered(ports.timer, deadlineMilliseconds, action, (ticket) => {
        if (!lanes.enter(action.sku, ticket)) {
          ticket.settle(unavailable('too many requests wait for this SKU'));
        }
      });
      observe({ kind: 'answered', change: action.change.type, outcome: outcomeOf(answer) });
      return answer;
    },
    idle: lanes.idle,
    load: lanes.load,
  };
}

/**
 * A definition goes alone. Requests with one key, for one reservation or against one movement go
 * one after the other: the later ones are answered out of what the first leaves in the history.
 */
function mayJoin(batch: readonly Ticket[], next: Ticket): boolean {
  if (batch.length === 0) return true;
  if (batch.length >= movementsLimit) return false;
  if ([next, batch[0]].some((ticket) => ticket?.action.change.type === 'define')) return false;
  if (batch.some((ticket) => mustFollow(ticket.action, next.action))) return false;
  const lines = [...batch, next].map((ticket) => locationsOf(ticket.action.change).length);
  return lines.reduce((sum, count) => sum + count, 0) <= batchLineLimit;
}

function mustFollow(earlier: Action, later: Action): boolean {
  if (earlier.actionId === later.actionId) return true;
  const reservation = reservationOf(later.change);
  if (reservation !== undefined && reservation === reservationOf(earlier.change)) return true;
  return (
    earlier.change.type === 'reverse' &&
    later.change.type === 'reverse' &&
    earlier.change.original.actionId === later.change.original.actionId
  );
}

async function serve(lane: Lane, take: Take<Ticket>): Promise<void> {
  for (let batch = take(); batch.length > 0; batch = take()) {
    try {
      await settleAll(lane, batch);
    } catch (defect) {
      lane.known.drop(lane.sku);
      for (const ticket of batch) ticket.fail(defect);
    }
  }
  await lane.entering;
}

/** Attempts until every request of the batch has its answer. */
async function settleAll(lane: Lane, batch: readonly Ticket[]): Promise<void> {
  const isOver = (): boolean => stillOpen(batch).length === 0;
  const attempt = (): Promise<Attempt> => attemptAll(lane, stillOpen(batch));
  while (!isOver()) {
    await attempted(lane.ports.timer, isOver, attempt, ({ kind }) => {
      if (kind === 'unknown') {
        lane.known.drop(lane.sku);
        return;
      }
      lane.observe({ kind: 'race-lost' });
      lane.known.lose(lane.sku);
    });
  }
}

async function attemptAll(lane: Lane, open: readonly Ticket[]): Promise<Attempt> {
  const known = open.every(isPlainAndNew) ? lane.known.get(lane.sku) : undefined;
  const attempt = known === undefined ? unfit : await attemptKnown(lane, known, open);
  if (attempt.kind !== 'unfit') return attempt;
  const left = stillOpen(open);
  return left.length === 0 ? { kind: 'settled' } : attemptRead(lane, left);
}

/** It rests on nothing but levels, and nobody has asked for it before. */
function isPlainAndNew({ action, claim }: Ticket): boolean {
  const { type } = action.change;
  const isPlain = ['receive', 'ship', 'transfer', 'adjust'].includes(type);
  return isPlain && claim.kind === 'none';
}

const unfit = { kind: 'unfit' } as const;

/** Without a read: for a batch that the last known state accepts whole. */
async function attemptKnown(
  lane: Lane,
  known: SkuRead,
  open: readonly Ticket[],
): Promise<Attempt | typeof unfit> {
  const locations = await locationsFor(lane, known, open);
  if (locations.kind === 'unknown') return locations;
  const given = { ...noHindsight, locations: locations.value, now: known.now };
  const plan = planBatch(known.state, open, new Map(), given);
  if (plan.accepted.length < open.length) return unfit;
  const claimed = await claimAccepted(lane.ports, known, open);
  if (claimed.kind === 'unknown') return claimed;
  return open.every(({ claim }) => claim.kind === 'fresh') ? write(lane, known, plan) : unfit;
}

async function attemptRead(lane: Lane, open: readonly Ticket[]): Promise<Attempt> {
  const { ports, sku } = lane;
  const interest = interestOf(open);
  const read = await ports.skus.read(sku, interest);
  if (read.kind === 'unknown') return read;
  const current = read.kind === 'found' ? withProof(lane, read.value) : null;
  const [first] = open;
  if (first?.action.change.type === 'define') {
    lane.known.drop(sku);
    return settleDefinition(ports, current, first);
  }
  const hindsight: Read<Hindsight> =
    current === null
      ? { kind: 'found', value: noHindsight }
      : await lookBack(ports.ledger, current, interest);
  if (hindsight.kind === 'unknown') return hindsight;
  const locations = await locationsFor(lane, current, open, hindsight.value);
  if (locations.kind === 'unknown') return locations;
  const given = { ...hindsight.value, locations: locations.value, now: current?.now ?? epoch };
  return settleMovements(lane, current, open, given);
}

/** The read, with what this process knows of the ledger beyond what the document says. */
function withProof(lane: Lane, read: SkuRead): SkuRead {
  const through = lane.known.ledgeredThrough(lane.sku, read.state.version);
  return through === undefined
    ? read
    : { ...read, extent: { ...read.extent, ledgeredThrough: through } };
}

/** Those that the requests touch, with the holds that they name, and those that a refusal lists. */
function locationsFor(
  lane: Lane,
  current: SkuRead | null,
  open: readonly Ticket[],
  { ended }: Hindsight = noHindsight,
): Promise<Read<KnownLocations>> {
  return lane.directory.known([
    ...open.flatMap((ticket) => locationsOf(ticket.action.change)),
    ...(current === null ? [] : placesOf(current.state)),
    ...Array.from(ended.values()).flatMap(({ reservation }) => reservation?.location ?? []),
  ]);
}

/** The batch: decided and claimed, repeats answered, the rest written, then refusals answered. */
async function settleMovements(
  lane: Lane,
  current: SkuRead | null,
  open: readonly Ticket[],
  given: Given,
): Promise<Attempt> {
  const { ports } = lane;
  const planned = await planAndClaim(ports, current, open, given);
  if (planned.kind === 'unknown') return planned;
  const plan = planned.value;
  if (current !== null) {
    const repeats = await settleRepeated(ports, current, plan);
    if (repeats.kind === 'unknown') return repeats;
    if (plan.accepted.length > 0) {
      const written = await write(lane, current, plan);
      if (written.kind !== 'settled') return written;
    }
  }
  const refusals = await settleRefused(ports, current, plan);
  return refusals.kind === 'unknown' ? refusals : { kind: 'settled' };
}

/** Decides the batch and claims what it accepts, until every accepted request has its claim. */
async function planAndClaim(
  ports: Ports,
  current: SkuRead | null,
  open: readonly Ticket[],
  given: Given,
): Promise<Read<Plan>> {
  const retained = current?.retained ?? [];
  const applied: Applied = new Map(retained.map((movement) => [movement.actionId, movement]));
  for (;;) {
    const undecided = stillOpen(open);
    if (current !== null) {
      const { sku } = current.state;
      const behind = await lookBehindWindow(ports, sku, current, undecided, applied);
      if (behind.kind === 'unknown') return behind;
    }
    const plan = planBatch(current?.state ?? null, undecided, applied, given);
    const unclaimed = plan.accepted
      .map(({ ticket }) => ticket)
      .filter((ticket) => ticket.claim.kind === 'none');
    if (unclaimed.length === 0) return { kind: 'found', value: plan };
    const claimed = await claimAccepted(ports, current, unclaimed);
    if (claimed.kind === 'unknown') return claimed;
  }
}

/**
 * One conditional write for the whole batch (1). Its ledger entries and then its answers follow
 * while the next batch is decided and claimed; the next write waits for them (2, 6).
 */
async function write(lane: Lane, current: SkuRead, plan: Plan): Promise<Attempt> {
  if (plan.after === null) return { kind: 'lost' };
  await lane.entering;
  const through = await ledgeredThrough(lane, current);
  if (through.kind === 'unknown') return through;
  const after = { ...plan.after, version: current.state.version + 1 };
  const swap = await lane.ports.skus.swap({
    before: current.state,
    extent: current.extent,
    after,
    movements: [...plan.accepted.map(({ movement }) => movement), ...plan.expired],
    ledgeredThrough: through.value,
    ...(plan.until === undefined ? {} : { until: plan.until }),
  });
  if (swap.kind === 'lost') return swap;
  for (const { ticket } of plan.accepted) ticket.mayHaveWritten = true;
  if (swap.kind === 'unknown') {
    lane.observe({ kind: 'outcome-unknown' });
    return swap;
  }
  lane.observe({ kind: 'batch-written', requests: plan.accepted.length });
  const { at, extent } = swap;
  lane.known.put({ ...current, state: after, extent, retained: [], now: at });
  for (const { ticket } of plan.accepted) ticket.isEntering = true;
  const isWhole = through.value === current.state.movementCount;
  lane.entering = enter(lane, plan, at, isWhole ? after.version : undefined);
  if (!isWorthOverlapping(lane, plan.accepted.length)) await lane.entering;
  return { kind: 'settled' };
}

/**
 * One large batch costs less than two small ones. Callers who are answered come back, and join what
 * waits, unless what waits is large already; against other processes only the largest win.
 */
function isWorthOverlapping({ known, sku, waiting }: Lane, written: number): boolean {
  return !known.isContended(sku) && 2 * waiting() >= written;
}

/** Ledger entries, then answers. @param wholeAt the version that they make whole in the ledger. */
async function enter(
  lane: Lane,
  plan: Plan,
  at: Instant,
  wholeAt: number | undefined,
): Promise<void> {
  const moved = plan.accepted.map(({ ticket, movement }) => ({
    ticket,
    movement: { ...movement, at },
  }));
  const tickets = moved.map(({ ticket }) => ticket);
  try {
    const entered = await record(lane.ports, [
      ...moved.map(({ movement }) => movement),
      ...plan.expired.map((movement) => ({ ...movement, at })),
    ]);
    if (entered.kind === 'unknown') {
      // They are found in the document and entered from there, as repeats are.
      for (const ticket of tickets) ticket.isEntering = false;
      await settleAll({ ...lane, entering: Promise.resolve() }, tickets);
      return;
    }
    if (wholeAt !== undefined) lane.known.prove(lane.sku, wholeAt);
    for (const { ticket, movement } of moved) {
      ticket.settle({ kind: 'moved', movement, replayed: false });
    }
  } catch (defect) {
    lane.known.drop(lane.sku);
    for (const ticket of tickets) ticket.fail(defect);
  }
}

/** How far the ledger is known to reach; healed first where too much stands unproven (6). */
async function ledgeredThrough(lane: Lane, { state, extent }: SkuRead): Promise<Read<number>> {
  const { sku, version, movementCount } = state;
  const known = lane.known.ledgeredThrough(sku, version) ?? extent.ledgeredThrough;
  if (movementCount - known < unprovenLimit) return { kind: 'found', value: known };
  const healed = await healLedger(lane.ports, sku, known, movementCount);
  return healed.kind === 'unknown' ? healed : { kind: 'found', value: movementCount };
}
