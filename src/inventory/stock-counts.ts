/**
 * Stock counts: opened over pairs of SKU and location; their lines and ends are files of their own.
 *
 * 1. A count's id is made from the request that opens it, so a repeat finds the count itself, and
 *    what the count opened with is its first answer.
 * 2. Two open counts never share a pair. The unique index decides, since two openings that both
 *    look first would both pass. They look all the same, and a process opens one at a time:
 *    DocumentDB lets insertions that meet wait for each other and ends the standoffs one by one.
 * 3. An insertion with a lost answer may land yet: while that is possible, nobody is told that the
 *    count was refused.
 */
import pLimit from 'p-limit';
import type { CountId, CountPair, StockCount } from '../domain/stock-count.ts';
import { countLinesLimit, linesToOpen, parseCountId } from '../domain/stock-count.ts';
import type { Page, QueryAnswer } from './answer.ts';
import { attemptCancel, attemptClose, counted, readCount } from './count-end.ts';
import { attemptLine } from './count-line.ts';
import type {
  CloseCount,
  CountAnswer,
  CountingPorts,
  CountSummary,
  ListCounts,
  OpenCount,
  StockCounts,
} from './count-ports.ts';
import type { Attempt } from './attempts.ts';
import { derivedId } from './derived-id.ts';
import type { Progress } from './keyed-request.ts';
import { claim, isCallers, lookUpClaim, untilAnswered } from './keyed-request.ts';
import { unavailable } from './ticket.ts';

/** @param deadlineMilliseconds by when a request has its answer, definite or not. */
export function createStockCounts(
  ports: CountingPorts,
  closeCount: CloseCount,
  deadlineMilliseconds: number,
): StockCounts {
  const { timer } = ports;
  const inTurn = pLimit(1);
  return {
    open: (request) => {
      const deadline = timer.monotonic() + deadlineMilliseconds;
      return inTurn(() =>
        untilAnswered(timer, deadline - timer.monotonic(), (progress) =>
          attemptOpen(ports, request, progress),
        ),
      );
    },
    putLine: (request) =>
      untilAnswered(timer, deadlineMilliseconds, (progress) =>
        attemptLine(ports, request, progress),
      ),
    close: (request) =>
      untilAnswered(timer, deadlineMilliseconds, (progress, deadline) =>
        attemptClose(ports, closeCount, request, progress, deadline),
      ),
    cancel: (request) =>
      untilAnswered(timer, deadlineMilliseconds, (progress) =>
        attemptCancel(ports, request, progress),
      ),
    count: (id) => showCount(ports, id),
    counts: (query) => listCounts(ports, query),
    progressAt: ports.counts.progressAt,
  };
}

async function attemptOpen(
  ports: CountingPorts,
  request: OpenCount,
  progress: Progress,
): Promise<Attempt<CountAnswer>> {
  const id = derivedId(request.actionId, parseCountId);
  const standing = await lookUpClaim(ports.actions, request);
  if (standing.kind === 'unknown' || standing.kind === 'refused') return standing;
  // The service's own openings make no claim: the count itself is what is known of them.
  if (standing.kind === 'found' || !isCallers(request.actionId)) {
    const opened = await readCount(ports, id);
    if (opened.kind === 'unknown') return opened;
    if (opened.kind === 'found') {
      return counted(asOpened(opened.value), !progress.mayHaveWritten);
    }
  }
  const decided = await countToOpen(ports, id, request);
  if (decided.kind !== 'decided') return decided;
  const taken = await overlap(ports, decided.count, progress);
  if (taken.kind !== 'standoff') return taken;
  if (standing.kind === 'missing') {
    const claimed = await claim(ports.actions, request, { kind: 'count', count: id }, progress);
    if (claimed.kind !== 'recorded') return claimed;
  }
  const inserted = await ports.counts.insert(decided.count, 'nobody', decided.count.openedAt);
  switch (inserted.kind) {
    case 'saved':
      return counted(inserted.held.record, false);
    case 'unknown':
      progress.mayHaveWritten = true;
      return inserted;
    case 'lost':
      return overlap(ports, decided.count, progress);
  }
}

interface DecidedCount {
  readonly kind: 'decided';
  readonly count: StockCount;
}

/** The count as it opens now, over what stands where. */
async function countToOpen(
  ports: CountingPorts,
  id: CountId,
  { locations, skus, isBlind, actor }: OpenCount,
): Promise<DecidedCount | Attempt<CountAnswer>> {
  const scope = { locations, ...(skus === undefined ? {} : { skus }) };
  const mark = await ports.mark.read();
  if (mark.kind === 'unknown') return mark;
  const known = await ports.locations.find(locations);
  if (known.kind === 'unknown') return known;
  const standing = await ports.counts.standing({ ...scope, limit: countLinesLimit + 1 });
  if (standing.kind === 'unknown') return standing;
  const lines = linesToOpen(scope, known.value, standing.value);
  if ('code' in lines) return { kind: 'refused', refusal: lines };
  const count: StockCount = {
    id,
    status: 'open',
    isBlind,
    ...scope,
    lines,
    openedWith: lines.length,
    openedBy: actor,
    openedAt: mark.value.now,
  };
  return { kind: 'decided', count };
}

/** The first answer: nothing counted yet, nothing found beyond what was expected (1). */
function asOpened(count: StockCount): StockCount {
  const { id, isBlind, locations, skus, openedWith, openedBy, openedAt } = count;
  const lines = count.lines
    .slice(0, openedWith)
    .map(({ sku, location, expected }) => ({ sku, location, expected, tally: null }));
  const scope = { locations, ...(skus === undefined ? {} : { skus }) };
  return { id, status: 'open', isBlind, ...scope, lines, openedWith, openedBy, openedAt };
}

/** The insertion met a key that stands: this count's own, or a pair of another (2, 3). */
async function overlap(
  ports: CountingPorts,
  { id, lines }: StockCount,
  progress: Progress,
): Promise<Attempt<CountAnswer>> {
  const own = await ports.counts.summary(id);
  if (own.kind === 'unknown') return own;
  if (own.kind === 'found') return { kind: 'lost' };
  const other = await ports.counts.overlapping(id, lines);
  if (other.kind === 'unknown') return other;
  if (other.kind === 'missing') return { kind: 'standoff' };
  if (progress.mayHaveWritten) return unavailable('an earlier insertion may land yet');
  return refusedFor(other.value.pair, other.value.id);
}

function refusedFor({ sku, location }: CountPair, count: CountId): CountAnswer {
  return { kind: 'refused', refusal: { code: 'count-overlap', sku, location, count } };
}

async function showCount(ports: CountingPorts, id: CountId): Promise<QueryAnswer<StockCount>> {
  const read = await readCount(ports, id);
  switch (read.kind) {
    case 'found':
      return { kind: 'ok', value: read.value };
    case 'missing':
      return { kind: 'not-found' };
    case 'unknown':
      return unavailable(read.cause);
  }
}

/** One more is read than asked for, to know whether more follow. */
async function listCounts(
  { counts }: CountingPorts,
  { limit, ...query }: ListCounts,
): Promise<QueryAnswer<Page<CountSummary>>> {
  const read = await counts.list({ ...query, limit: limit + 1 });
  if (read.kind === 'unknown') return unavailable(read.cause);
  const { value } = read;
  return { kind: 'ok', value: { items: value.slice(0, limit), more: value.length > limit } };
}
