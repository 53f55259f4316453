/**
 * Stock counts: people look at what stands where, and what they find more or less is posted.
 *
 * 1. A line is counted against the on hand after one ordinal of its SKU, and its variance is what
 *    was counted less that. What moves afterwards leaves the variance as it is.
 * 2. Closing posts variances, never levels: a shipment that comes in between stays.
 * 3. A line keeps its place in the count, and the place names the action that posts its variance.
 * 4. A count is open, then closing, then closed; or open, then cancelled. Only an open one changes
 *    its lines, so a closing one always posts the same.
 */
import type { Actor, Brand, Instant, LocationId, Sku } from './ids.ts';
import type { KnownLocations } from './location.ts';
import type { WindowMovement } from './movement.ts';
import type { Delta, OnHand } from './quantity.ts';
import { nothing, variance } from './quantity.ts';
import type { Refusal, RefusalCode } from './refusal.ts';

export type CountId = Brand<string, 'CountId'>;

export const countStatuses = ['open', 'closing', 'closed', 'cancelled'] as const;
export type CountStatus = (typeof countStatuses)[number];

export const countLinesLimit = 2_000;
export const countLocationsLimit = 200;

/** What a line counts: one SKU at one location. */
export interface CountPair {
  readonly sku: Sku;
  readonly location: LocationId;
}

/** What a count covers: all that stands at the locations, or else these SKUs, standing or not. */
export interface CountScope {
  readonly locations: readonly LocationId[];
  readonly skus?: readonly Sku[];
}

export interface Tally {
  readonly counted: OnHand;
  /** The ordinal of the SKU that the counter saw, and the on hand after it. */
  readonly asOfOrdinal: number;
  readonly onHand: OnHand;
  readonly by: Actor;
}

export type LineOutcome =
  | { readonly kind: 'adjusted'; readonly ordinal: number }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'uncounted' }
  /** The variance could not be posted any more; a `void` movement with this ordinal says why. */
  | { readonly kind: 'recount'; readonly ordinal: number; readonly refused: RefusalCode };

export interface CountLine extends CountPair {
  /** On hand when the count was opened. */
  readonly expected: OnHand;
  readonly tally: Tally | null;
  /** Set once, while the count closes. */
  readonly outcome?: LineOutcome;
}

export interface StockCount extends CountScope {
  readonly id: CountId;
  readonly status: CountStatus;
  readonly isBlind: boolean;
  readonly lines: readonly CountLine[];
  /** How many of the lines were there from the beginning; finds come after them. */
  readonly openedWith: number;
  readonly openedBy: Actor;
  readonly openedAt: Instant;
  /** Who closed or cancelled it, and when. */
  readonly endedBy?: Actor;
  readonly endedAt?: Instant;
}

const idPattern = /^[A-Za-z0-9_-]{22}$/;

export function parseCountId(text: string): CountId | undefined {
  return idPattern.test(text) ? (text as CountId) : undefined;
}

/** No location holds a slash, so no two pairs make one text. */
export function pairText({ sku, location }: CountPair): string {
  return `${location}/${sku}`;
}

/** What stands of one SKU: its levels, as far as the count asks for them. */
export type Standing = ReadonlyMap<Sku, ReadonlyMap<LocationId, OnHand>>;

/**
 * The lines that a count opens with, location by location.
 * @param standing every SKU with stock at one of the locations; with named SKUs, each of those
 *   that exists.
 */
export function linesToOpen(
  scope: CountScope,
  known: KnownLocations,
  standing: Standing,
): readonly CountLine[] | Refusal {
  const unknown = refuseUnknown(scope, known, standing);
  if (unknown !== undefined) return unknown;
  const { locations, skus } = scope;
  const counted = skus ?? Array.from(standing.keys());
  const lines = locations.flatMap((location) =>
    counted.flatMap((sku) => {
      const expected = standing.get(sku)?.get(location) ?? nothing;
      return skus === undefined && expected === 0 ? [] : [{ sku, location, expected, tally: null }];
    }),
  );
  return lines.length > countLinesLimit ? { code: 'count-limit' } : lines;
}

/** Nothing can be counted that was never made. What is made stays, so once known is always known. */
export function refuseUnknown(
  { locations, skus }: CountScope,
  known: KnownLocations,
  standing: Standing,
): Refusal | undefined {
  const nowhere = locations.find((location) => !known.has(location));
  if (nowhere !== undefined) return { code: 'unknown-location', location: nowhere };
  const unknown = skus?.find((sku) => !standing.has(sku));
  return unknown === undefined ? undefined : { code: 'unknown-sku', sku: unknown };
}

/** Whether a pair that has no line yet may be added: goods nobody expected at a counted place. */
export function mayBeFound(scope: CountScope, { location }: CountPair): boolean {
  return scope.skus === undefined && scope.locations.includes(location);
}

/** A find: where it was expected, it would have a line from the beginning. */
export function found(pair: CountPair, tally: Tally): CountLine {
  return { ...pair, expected: nothing, tally };
}

/** Why the lines of a count cannot change any more, or why it cannot be cancelled. */
export function refuseUnlessOpen(status: CountStatus): Refusal | undefined {
  switch (status) {
    case 'open':
      return undefined;
    case 'closing':
    case 'closed':
      return { code: 'count-closed' };
    case 'cancelled':
      return { code: 'count-cancelled' };
  }
}

/** null where nothing was counted. */
export function varianceOf({ tally }: CountLine): number | null {
  return tally === null ? null : tally.counted - tally.onHand;
}

type Closing =
  | { readonly kind: 'post'; readonly delta: Delta }
  | { readonly kind: 'settled'; readonly outcome: LineOutcome };

/** What closing a line asks for. */
export function closingOf({ tally }: CountLine): Closing {
  if (tally === null) return { kind: 'settled', outcome: { kind: 'uncounted' } };
  const delta = variance(tally.counted, tally.onHand);
  return delta === undefined
    ? { kind: 'settled', outcome: { kind: 'unchanged' } }
    : { kind: 'post', delta };
}

/** So many variances are posted at a time; their outcomes are recorded together. */
const variancesAtOnce = 50;

/** What a closing count waits for: variances to be posted, by the places of their lines. */
export interface ClosingStep {
  readonly settled: ReadonlyMap<number, LineOutcome>;
  readonly post: ReadonlyMap<number, Delta>;
}

/** undefined unless the count is closing. */
export function closingStep({ status, lines }: StockCount): ClosingStep | undefined {
  if (status !== 'closing') return undefined;
  const settled = new Map<number, LineOutcome>();
  const post = new Map<number, Delta>();
  for (const [index, line] of lines.entries()) {
    if (line.outcome !== undefined) continue;
    const closing = closingOf(line);
    if (closing.kind === 'settled') settled.set(index, closing.outcome);
    else if (post.size < variancesAtOnce) post.set(index, closing.delta);
  }
  return { settled, post };
}

/** The count once these lines have their outcomes: closed when all have. */
export function afterClosing(
  count: StockCount,
  outcomes: ReadonlyMap<number, LineOutcome>,
): StockCount {
  const lines = count.lines.map((line, index) => {
    const outcome = outcomes.get(index);
    return outcome === undefined || line.outcome !== undefined ? line : { ...line, outcome };
  });
  const isDone = lines.every(({ outcome }) => outcome !== undefined);
  return { ...count, lines, status: isDone ? 'closed' : 'closing' };
}

/** What became of a variance, by the movement that its action led to. */
export function outcomeOf({ ordinal, refused }: WindowMovement): LineOutcome {
  return refused === undefined
    ? { kind: 'adjusted', ordinal }
    : { kind: 'recount', ordinal, refused };
}

/** Who looks at a count: whoever counts, or the office that ordered it. */
export type CountViewer = 'counter' | 'office';

/** Whoever counts blind is not told what is expected, nor what would give it away. */
export function showsExpectation(count: Pick<StockCount, 'isBlind'>, viewer: CountViewer): boolean {
  return !count.isBlind || viewer === 'office';
}
