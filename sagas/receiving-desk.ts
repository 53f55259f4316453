/**
 * What receiving and sending back share, from a request to its answer.
 *
 * 1. A request is attempted until it has a definite answer or its time is up; what it waits for goes
 *    on without it.
 * 2. A caller learns of a receipt only once the order has credited it. What is undecided when the
 *    time is up is answered as unknown, and the key stays safe to send again.
 */
import type { ReceiptId } from '../src/domain/purchase-order.ts';
import type { Receipt } from '../src/domain/receipt.ts';
import { isCredited, isSettled } from '../src/domain/receipt.ts';
import { afterLoss, afterUnknown, jittered } from '../src/inventory/backoff.ts';
import { inTime } from '../src/inventory/in-time.ts';
import { lastLookMs } from '../src/inventory/keyed-request.ts';
import type {
  OrderAction,
  OrderStore,
  ReceiptAnswer,
  ReceiptStore,
  SkuCatalogue,
} from '../src/inventory/order-ports.ts';
import type { Inventory } from '../src/inventory/inventory.ts';
import type {
  ActionStore,
  Claim,
  Ledger,
  LocationStore,
  Recorded,
  Timer,
  Unknown,
} from '../src/inventory/ports.ts';
import type { SagaRead, Saved } from '../src/inventory/saga-ports.ts';
import { unavailable } from '../src/inventory/ticket.ts';
import type { SagaRuns } from './saga-runs.ts';

export interface ReceivingPorts {
  readonly orders: Pick<OrderStore, 'read'>;
  readonly receipts: ReceiptStore;
  readonly catalogue: SkuCatalogue;
  readonly actions: ActionStore;
  readonly locations: Pick<LocationStore, 'find'>;
  readonly inventory: Pick<Inventory, 'sku'>;
  readonly ledger: Pick<Ledger, 'undoing'>;
  readonly timer: Timer;
}

export interface Desk {
  readonly ports: ReceivingPorts;
  readonly runs: SagaRuns<ReceiptId, Receipt>;
  readonly deadlineMilliseconds: number;
}

/** One request, over all its attempts. */
export interface Entry extends Desk {
  /** Monotonic milliseconds. */
  readonly deadline: number;
  /** It set the record on its present course, or may have: what is found is its own doing. */
  mayHaveWritten: boolean;
}

export type Attempt = ReceiptAnswer | { readonly kind: 'lost' } | Unknown;

export async function withinDeadline(
  desk: Desk,
  attempt: (entry: Entry) => Promise<Attempt>,
): Promise<ReceiptAnswer> {
  const { timer } = desk.ports;
  const deadline = timer.monotonic() + desk.deadlineMilliseconds;
  const entry: Entry = { ...desk, deadline, mayHaveWritten: false };
  let cause = 'the receipt could not be taken in time';
  const attempts = async (): Promise<ReceiptAnswer | undefined> => {
    for (let tries = 0; tries === 0 || timer.monotonic() < deadline; tries += 1) {
      const outcome = await attempt(entry);
      if (outcome.kind !== 'lost' && outcome.kind !== 'unknown') return outcome;
      if (outcome.kind === 'unknown') ({ cause } = outcome);
      const backoff = outcome.kind === 'lost' ? afterLoss : afterUnknown;
      await timer.pause(jittered(backoff, tries, timer.random()));
    }
    return undefined;
  };
  const answer = await inTime(timer, deadline + lastLookMs, attempts());
  return answer ?? unavailable(cause);
}

export const reused: ReceiptAnswer = {
  kind: 'refused',
  refusal: { code: 'idempotency-key-reused' },
};

/** `lost` when somebody else has just made the claim: then everything is looked at again. */
export async function claimOnce(
  { ports }: Entry,
  { actionId, digest, operation, number }: OrderAction,
  receipt: ReceiptId,
  claim: Claim | undefined,
): Promise<Recorded | { readonly kind: 'lost' }> {
  if (claim !== undefined) return { kind: 'recorded' };
  const subject = { kind: 'order', order: number, receipt } as const;
  const claimed = await ports.actions.claim([{ actionId, digest, operation, subject }]);
  if (claimed.kind === 'unknown') return claimed;
  return claimed.standing.size === 0 ? { kind: 'recorded' } : { kind: 'lost' };
}

/** Runs a record that this request has just set on its course. */
export async function carryOn(entry: Entry, saved: Saved<Receipt>): Promise<Attempt> {
  if (saved.kind !== 'lost') entry.mayHaveWritten = true;
  if (saved.kind !== 'saved') return saved;
  const { record } = saved.held;
  const settled = entry.runs.start(saved.held, isSettled);
  const known = await untilDeadline(entry, settled);
  return known === undefined ? lookAgain(entry, record.id) : answerOf(entry, known);
}

/** Waits for a record that is on its way, and carries it on if nobody does any more. */
export async function follow(entry: Entry, id: ReceiptId): Promise<Attempt> {
  const { ports, runs, deadline } = entry;
  for (let looks = 0; ports.timer.monotonic() < deadline; looks += 1) {
    const read = await ports.receipts.read(id);
    if (read.kind === 'unknown') return read;
    if (read.kind === 'missing') return { kind: 'lost' };
    if (isSettled(read.value.record)) return answerOf(entry, read.value.record);
    if (read.value.isAbandoned) await untilDeadline(entry, runs.resume(id));
    else await ports.timer.pause(jittered(whileWaiting, looks, 1));
  }
  return lookAgain(entry, id);
}

/**
 * The order has to let go of a receipt before it is asked about it again: on its way in good hands,
 * or in this request's where there are none.
 */
export async function untilLetGo(
  entry: Entry,
  { record, isAbandoned }: SagaRead<Receipt>,
): Promise<Attempt> {
  if (isAbandoned) await untilDeadline(entry, entry.runs.resume(record.id));
  return { kind: 'lost' };
}

const whileWaiting = { baseMilliseconds: 10, capMilliseconds: 250 } as const;

/** What can be said when the time is up, or when the run of this process has been overtaken. */
async function lookAgain(entry: Entry, id: ReceiptId): Promise<Attempt> {
  const { ports, deadline } = entry;
  const read = await ports.receipts.read(id);
  if (read.kind === 'unknown') return read;
  if (read.kind === 'missing') return { kind: 'lost' };
  const { record } = read.value;
  if (isSettled(record) || ports.timer.monotonic() >= deadline) return answerOf(entry, record);
  return follow(entry, id);
}

function answerOf(entry: Entry, record: Receipt): Attempt {
  if (isCredited(record)) {
    return { kind: 'receipt', receipt: record, replayed: !entry.mayHaveWritten };
  }
  return record.refusal === undefined
    ? unavailable('the order had not decided in time')
    : { kind: 'refused', refusal: record.refusal };
}

/** undefined when the time is up first. */
function untilDeadline<T>(
  { ports: { timer }, deadline }: Entry,
  outcome: Promise<T>,
): Promise<T | undefined> {
  return inTime(timer, deadline, outcome);
}

/** The claim of a request, and the record of a receipt, read together. */
export async function claimAndRecord(
  { ports }: Entry,
  { actionId }: OrderAction,
  receipt: ReceiptId,
): Promise<
  | {
      readonly kind: 'found';
      readonly claim: Claim | undefined;
      readonly record: Exclude<Awaited<ReturnType<ReceiptStore['read']>>, Unknown>;
    }
  | Unknown
> {
  const [claims, record] = await Promise.all([
    ports.actions.find([actionId]),
    ports.receipts.read(receipt),
  ]);
  if (claims.kind === 'unknown') return claims;
  if (record.kind === 'unknown') return record;
  return { kind: 'found', claim: claims.value.get(actionId), record };
}
