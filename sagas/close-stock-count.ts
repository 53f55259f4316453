/**
 * The saga that closes a count: each line's variance is posted, and what came of it is recorded.
 *
 * 1. A variance is posted by one movement whose id is the count's and the line's place in it. Where
 *    the state refuses it, a `void` movement takes that id. So two runners find one outcome,
 *    whichever comes first, and a line that is to be counted again can never be adjusted later.
 * 2. Everything a movement says is made from the record alone, whose lines no longer change; what
 *    moved since a line was counted stays, because a variance is posted and no level.
 * 3. The pairs are freed by the write that records the last outcome, so that no other count is
 *    opened over a variance that is still to come.
 */
import type { Action, StockChange } from '../src/domain/action.ts';
import type { Actor } from '../src/domain/ids.ts';
import { serviceActionId } from '../src/domain/ids.ts';
import type { Delta } from '../src/domain/quantity.ts';
import type {
  ClosingStep,
  CountId,
  CountLine,
  LineOutcome,
  StockCount,
} from '../src/domain/stock-count.ts';
import { afterClosing, closingStep, outcomeOf } from '../src/domain/stock-count.ts';
import type { Backoff } from '../src/inventory/backoff.ts';
import { jittered } from '../src/inventory/backoff.ts';
import type { CloseCount, CountStore } from '../src/inventory/count-ports.ts';
import type { Inventory } from '../src/inventory/inventory.ts';
import { inTime } from '../src/inventory/in-time.ts';
import type { Timer, Unknown } from '../src/inventory/ports.ts';
import { requestDigest } from '../src/inventory/request-digest.ts';
import type { Held, SagaRead, Saved } from '../src/inventory/saga-ports.ts';
import type { Saga } from './saga.ts';
import type { SagaRuns } from './saga-runs.ts';

export function closingSaga(inventory: Pick<Inventory, 'post'>): Saga<StockCount, ClosingStep> {
  return {
    next: closingStep,
    carryOut: async ({ record }, step) => {
      const outcomes = await outcomesOf(inventory, record, step);
      return 'kind' in outcomes
        ? outcomes
        : { kind: 'carried', after: afterClosing(record, outcomes) };
    },
  };
}

/** What is known of the lines after each was tried; unknown where nothing is. */
async function outcomesOf(
  inventory: Pick<Inventory, 'post'>,
  count: StockCount,
  { settled, post }: ClosingStep,
): Promise<ReadonlyMap<number, LineOutcome> | Unknown> {
  const outcomes = new Map(settled);
  let unknown: Unknown | undefined;
  const tried = Array.from(post, async ([index, delta]) => {
    const line = count.lines[index];
    if (line === undefined) throw new RangeError(`the count has no line at ${index}`);
    const answer = await inventory.post(adjustment(count, line, index, delta));
    switch (answer.kind) {
      case 'moved':
        outcomes.set(index, outcomeOf(answer.movement));
        break;
      case 'unavailable':
        unknown = { kind: 'unknown', cause: answer.cause };
        break;
      case 'refused':
      case 'defined':
        throw new Error(`a variance was answered with ${JSON.stringify(answer)}`);
    }
  });
  await Promise.all(tried);
  return outcomes.size === 0 && unknown !== undefined ? unknown : outcomes;
}

const operation = 'POST /v1/stock-counts/{id}/close';

/** The same for every runner (2). The reference leads back to the count. */
function adjustment(
  { id, endedBy }: StockCount,
  { sku, location }: CountLine,
  index: number,
  delta: Delta,
): Action<StockChange> {
  if (endedBy === undefined) throw new TypeError('a closing count says who closes it');
  const change = {
    type: 'adjust',
    lines: [{ location, delta }],
    reason: 'count_variance',
  } as const;
  return {
    actionId: serviceActionId('count', `${id}/${index}`),
    actor: endedBy,
    sku,
    operation,
    digest: requestDigest(operation, { id }, { index, sku, change }),
    change,
    orVoid: true,
    reference: id,
  };
}

export interface ClosingParts {
  readonly counts: Pick<CountStore, 'read' | 'summary' | 'reopen' | 'take'>;
  readonly runs: Pick<SagaRuns<CountId, StockCount>, 'holder' | 'arm' | 'start'>;
  readonly timer: Timer;
}

/** How often somebody looks whose count is being closed by another. */
const betweenLooks: Backoff = { baseMilliseconds: 20, capMilliseconds: 500 };

/**
 * Whoever asks waits for the end, if it comes in time; the work goes on without them. Of those in
 * one process who ask for one count, one tries for the lease and the others look on.
 */
export function createCloseCount(parts: ClosingParts): CloseCount {
  const { counts, runs, timer } = parts;
  const tried = new Set<CountId>();

  async function closed(id: CountId, by: Actor, until: number): Promise<StockCount | undefined> {
    if (tried.has(id)) return undefined;
    tried.add(id);
    try {
      const held = await leased(parts, id, by);
      return held && (await inTime(timer, until, runs.start(held, isClosed)));
    } finally {
      tried.delete(id);
    }
  }

  return async (id, by, until) => {
    for (let looks = 0; timer.monotonic() < until; looks += 1) {
      if (looks > 0) await timer.pause(jittered(betweenLooks, looks, timer.random()));
      const seen = await counts.summary(id);
      if (seen.kind === 'missing') return seen;
      if (seen.kind === 'unknown') continue;
      const { status } = seen.value.count;
      if (status === 'closed' || status === 'cancelled') break;
      if (status === 'closing' && !seen.value.isAbandoned) continue;
      const count = await closed(id, by, until);
      if (count !== undefined) return { kind: 'found', value: count };
    }
    const read = await counts.read(id);
    return read.kind === 'found' ? { kind: 'found', value: read.value.record } : read;
  };
}

function isClosed({ status }: StockCount): boolean {
  return status === 'closed';
}

/** The count under a lease of this run's own; undefined where somebody else may have it. */
async function leased(
  { counts, runs }: ClosingParts,
  id: CountId,
  by: Actor,
): Promise<Held<StockCount> | undefined> {
  const read = await counts.read(id);
  if (read.kind !== 'found') return undefined;
  const found = read.value;
  const holder = runs.holder();
  const armed = await runs.arm(id);
  if (armed.kind === 'unknown') return undefined;
  const saved = await takeUp(counts, found, by, holder);
  if (saved.kind === 'saved') return saved.held;
  if (saved.kind === 'lost') return undefined;
  const again = await counts.read(id);
  const isOwn = again.kind === 'found' && again.value.lease.holder === holder;
  return isOwn ? again.value : undefined;
}

async function takeUp(
  counts: ClosingParts['counts'],
  found: SagaRead<StockCount>,
  by: Actor,
  holder: string,
): Promise<Saved<StockCount>> {
  const { record } = found;
  if (record.status === 'open') {
    return counts.reopen(found, { ...record, status: 'closing', endedBy: by }, holder);
  }
  return found.isAbandoned ? counts.take(found, holder) : { kind: 'lost' };
}
