/**
 * Counting: what somebody found of one SKU at one location is put on its line.
 *
 * 1. A repeat is recognised on the line, which names the request that changed it last, or among
 *    the kept answers, where that answer goes before another change takes its place.
 * 2. The line remembers the ordinal and the on hand that it was counted against; what moves later
 *    does not change them.
 * 3. Each write is conditional on the version of the count, which a closing moves on: a line that
 *    is put after that is refused.
 */
import type { Refusal } from '../domain/refusal.ts';
import type { CountLine, Tally } from '../domain/stock-count.ts';
import { countLinesLimit, found, mayBeFound, refuseUnlessOpen } from '../domain/stock-count.ts';
import type { Refused } from './answer.ts';
import type { CountingPorts, LineAnswer, LineSlot, PutLine } from './count-ports.ts';
import type { Attempt } from './attempts.ts';
import type { Progress } from './keyed-request.ts';
import { claim, isCallers, lookUpClaim } from './keyed-request.ts';
import { onHandAfter } from './on-hand-after.ts';
import type { Lookup, Recorded, Unknown } from './ports.ts';

export async function attemptLine(
  ports: CountingPorts,
  request: PutLine,
  progress: Progress,
): Promise<Attempt<LineAnswer>> {
  const read = await ports.counts.slot(request.id, request);
  if (read.kind === 'unknown') return read;
  const standing = await lookUpClaim(ports.actions, request);
  if (standing.kind === 'unknown' || standing.kind === 'refused') return standing;
  if (read.kind === 'missing') return { kind: 'not-found' };
  const slot = read.value;
  const repeat = await firstAnswer(ports, slot, request, standing.kind === 'found');
  if (repeat.kind === 'unknown') return repeat;
  if (repeat.kind === 'found') return answer(slot, repeat.value, !progress.mayHaveWritten);
  const refusal = refuseUnlessOpen(slot.count.status) ?? refuseUnlessCovered(slot, request);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const line = await lineAfter(ports, slot, request);
  if (line.kind !== 'counted') return line;
  if (standing.kind === 'missing') {
    const subject = { kind: 'count', count: request.id } as const;
    const claimed = await claim(ports.actions, request, subject, progress);
    if (claimed.kind !== 'recorded') return claimed;
  }
  return write(ports, slot, line.line, request, progress);
}

/** What became of the line when the count closed is no part of the answer. */
function answer(
  { count: { id, isBlind } }: LineSlot,
  { sku, location, expected, tally }: CountLine,
  replayed: boolean,
): LineAnswer {
  return {
    kind: 'line',
    count: { id, isBlind },
    line: { sku, location, expected, tally },
    replayed,
  };
}

async function firstAnswer(
  ports: CountingPorts,
  { line }: LineSlot,
  { actionId }: PutLine,
  isClaimed: boolean,
): Promise<Lookup<CountLine>> {
  if (line?.changedBy === actionId) return { kind: 'found', value: line.value };
  if (!isClaimed) return { kind: 'missing' };
  const kept = await ports.answers.find(actionId);
  if (kept.kind !== 'found') return kept;
  return kept.value.kind === 'count-line'
    ? { kind: 'found', value: kept.value.line }
    : { kind: 'missing' };
}

/** A pair without a line can be added as a find; there is nothing on it to clear. */
function refuseUnlessCovered(
  { count, line }: LineSlot,
  { sku, location, counted }: PutLine,
): Refusal | undefined {
  if (line !== undefined) return undefined;
  if (counted === null || !mayBeFound(count, { sku, location })) {
    const isCounted = count.locations.includes(location);
    const path = isCounted ? '/sku' : '/location';
    const message = isCounted ? 'is not in this count' : 'is not a location of this count';
    return { code: 'validation', errors: [{ path, message }] };
  }
  return count.lineCount >= countLinesLimit ? { code: 'count-limit' } : undefined;
}

/** The line as it is to stand, counted against what stood after the ordinal (2). */
async function lineAfter(
  ports: CountingPorts,
  { line }: LineSlot,
  request: PutLine,
): Promise<{ readonly kind: 'counted'; readonly line: CountLine } | Refused | Unknown> {
  const { sku, location, counted, asOfOrdinal, actor } = request;
  const pair = { sku, location };
  if (counted === null) {
    if (line === undefined) throw new TypeError('a pair without a line has nothing to clear');
    return { kind: 'counted', line: { ...line.value, tally: null } };
  }
  const stood = await onHandAfter(ports, pair, asOfOrdinal);
  if (stood.kind === 'unknown') return stood;
  if (stood.kind === 'missing') return { kind: 'refused', refusal: { code: 'unknown-sku', sku } };
  if (stood.value.kind === 'beyond')
    return { kind: 'refused', refusal: beyond(stood.value.newest) };
  const { onHand } = stood.value;
  const tally: Tally = { counted, asOfOrdinal: stood.value.asOfOrdinal, onHand, by: actor };
  const counting = line === undefined ? found(pair, tally) : { ...line.value, tally };
  return { kind: 'counted', line: counting };
}

function beyond(newest: number): Refusal {
  const message = `is beyond the newest ordinal of the SKU, ${newest}`;
  return { code: 'validation', errors: [{ path: '/asOfOrdinal', message }] };
}

async function write(
  ports: CountingPorts,
  slot: LineSlot,
  line: CountLine,
  request: PutLine,
  progress: Progress,
): Promise<Attempt<LineAnswer>> {
  const kept = await keepLast(ports, slot);
  if (kept.kind === 'unknown') return kept;
  const written = await ports.counts.putLine({
    id: request.id,
    version: slot.version,
    ...(slot.line === undefined ? {} : { index: slot.line.index }),
    line,
    changedBy: request.actionId,
  });
  switch (written.kind) {
    case 'written':
      return answer(slot, line, false);
    case 'taken':
      return overlap(ports, request);
    case 'unknown':
      progress.mayHaveWritten = true;
      return written;
    case 'lost':
      return written;
  }
}

/** Keeps the answer of the request whose change is about to be replaced (1). */
async function keepLast(ports: CountingPorts, { count, line }: LineSlot): Promise<Recorded> {
  const by = line?.changedBy;
  if (line === undefined || by === undefined || !isCallers(by)) return { kind: 'recorded' };
  const { id, isBlind } = count;
  return ports.answers.keep({
    actionId: by,
    kind: 'count-line',
    count: { id, isBlind },
    line: line.value,
  });
}

async function overlap(
  ports: CountingPorts,
  { id, sku, location }: PutLine,
): Promise<Attempt<LineAnswer>> {
  const other = await ports.counts.overlapping(id, [{ sku, location }]);
  if (other.kind === 'unknown') return other;
  if (other.kind === 'missing') return { kind: 'lost' };
  const { id: count } = other.value;
  return { kind: 'refused', refusal: { code: 'count-overlap', sku, location, count } };
}
