/**
 * What stood at a location after one ordinal of a SKU.
 *
 * 1. The document is read first. What its window still holds after the ordinal is taken back from
 *    the level that was read.
 * 2. A window that no longer reaches back to the ordinal has let go of all up to it, so that the
 *    ledger holds them: the newest entry there with a line at the location says what stood.
 */
import type { LocationId } from '../domain/ids.ts';
import type { WindowMovement } from '../domain/movement.ts';
import type { OnHand } from '../domain/quantity.ts';
import { nothing, parseOnHand } from '../domain/quantity.ts';
import { onHandAt } from '../domain/sku.ts';
import type { CountPair } from '../domain/stock-count.ts';
import type { Lookup, Ports, Read } from './ports.ts';

export type OnHandAfter =
  | { readonly kind: 'stood'; readonly asOfOrdinal: number; readonly onHand: OnHand }
  /** The ordinal is none of the SKU's: there are only so many. */
  | { readonly kind: 'beyond'; readonly newest: number };

type ReadingPorts = Pick<Ports, 'skus' | 'ledger'>;

/** @param asOfOrdinal the newest where it is left out. `missing` where there is no such SKU. */
export async function onHandAfter(
  ports: ReadingPorts,
  { sku, location }: CountPair,
  asOfOrdinal?: number,
): Promise<Lookup<OnHandAfter>> {
  const read = await ports.skus.read(sku, { actions: [], reservations: [], undone: [] });
  if (read.kind !== 'found') return read;
  const { state } = read.value;
  const newest = state.movementCount;
  const asOf = asOfOrdinal ?? newest;
  if (asOf > newest) return { kind: 'found', value: { kind: 'beyond', newest } };
  const now = onHandAt(state, location);
  if (asOf === newest) return stood(asOf, now);
  const window = await ports.skus.window(sku, asOf);
  if (window.kind === 'unknown') return window;
  if (window.value[0]?.ordinal !== asOf + 1) return ledgered(ports, { sku, location }, asOf);
  const since = window.value.filter(({ ordinal }) => ordinal <= newest);
  const onHand = parseOnHand(now - movedAt(location, since));
  if (onHand === undefined) throw new RangeError('the history does not lead to the level');
  return stood(asOf, onHand);
}

function stood(asOfOrdinal: number, onHand: OnHand): Read<OnHandAfter> {
  return { kind: 'found', value: { kind: 'stood', asOfOrdinal, onHand } };
}

function movedAt(location: LocationId, movements: readonly WindowMovement[]): number {
  const lines = movements.flatMap((movement) => movement.lines);
  return lines.reduce((sum, line) => (line.location === location ? sum + line.delta : sum), 0);
}

/** By 2. Each line shows the level after its whole movement. */
async function ledgered(
  { ledger }: ReadingPorts,
  { sku, location }: CountPair,
  asOf: number,
): Promise<Read<OnHandAfter>> {
  const entries = await ledger.history({ sku, location, before: asOf + 1, limit: 1 });
  if (entries.kind === 'unknown') return entries;
  const line = entries.value[0]?.lines.find((candidate) => candidate.location === location);
  return stood(asOf, line?.onHand ?? nothing);
}
