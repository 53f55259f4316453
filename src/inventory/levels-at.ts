/**
 * The levels as they stood at an instant.
 *
 * 1. Instants never run backward along the ordinals, so the newest movement at or before an instant
 *    is found by halving.
 * 2. A level is what its movements add up to. They are added up from the beginning, or taken off
 *    what stands now, whichever is the shorter way, and in stretches that no limit of the database
 *    cuts off.
 */
import type { Instant, LocationId, Sku } from '../domain/ids.ts';
import type { SkuState } from '../domain/sku.ts';
import type { Ledger, Read } from './ports.ts';

export interface LevelsAt {
  readonly sku: Sku;
  readonly at: Instant;
  readonly levels: readonly { readonly location: LocationId; readonly onHand: number }[];
}

const stretch = 50_000;

/** @param state a SKU whose movements are all in the ledger. `at` is inclusive. */
export async function levelsAt(
  ledger: Ledger,
  state: SkuState,
  at: Instant,
): Promise<Read<LevelsAt>> {
  const { sku, movementCount } = state;
  const newest = await newestAt(ledger, state, at);
  if (newest.kind === 'unknown') return newest;
  const isLate = movementCount - newest.value < newest.value;
  const levels = new Map<LocationId, number>(
    isLate ? state.levels.map(({ location, onHand }) => [location, onHand]) : [],
  );
  const [from, through, sign] = isLate ? [newest.value, movementCount, -1] : [0, newest.value, 1];
  for (let after = from; after < through; after += stretch) {
    const net = await ledger.netByLocation(sku, after, Math.min(after + stretch, through));
    if (net.kind === 'unknown') return net;
    for (const [location, delta] of net.value) {
      levels.set(location, (levels.get(location) ?? 0) + sign * delta);
    }
  }
  const listed = Array.from(levels, ([location, onHand]) => ({ location, onHand }));
  return { kind: 'found', value: { sku, at, levels: listed.toSorted(byLocation) } };
}

function byLocation(one: { location: LocationId }, other: { location: LocationId }): number {
  return one.location < other.location ? -1 : 1;
}

/** The newest ordinal whose instant is not after `at`; 0 where there is none. */
async function newestAt(ledger: Ledger, state: SkuState, at: Instant): Promise<Read<number>> {
  let known = 0;
  let beyond = state.movementCount + 1;
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    const read = await ledger.entries({
      sku: state.sku,
      after: middle - 1,
      through: middle,
      limit: 1,
    });
    if (read.kind === 'unknown') return read;
    const [entry] = read.value;
    if (entry !== undefined && entry.at <= at) known = middle;
    else beyond = middle;
  }
  return { kind: 'found', value: known };
}
