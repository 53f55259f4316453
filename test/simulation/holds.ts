/**
 * Holds, told from the history alone.
 *
 * 1. What takes stock or promises more of it leaves at least nothing available, by what was live
 *    when it was written.
 * 2. A hold acts only while it lives, and expires only when it has lapsed.
 * 3. Units that are committed leave the hold with the stock.
 * 4. The document holds what the history leaves.
 */
import type { Instant, LocationId, Sku } from '../../src/domain/ids.ts';
import type { WindowMovement } from '../../src/domain/movement.ts';
import type { ReservationId, ReservationRecord } from '../../src/domain/reservation.ts';
import { stable } from './clients.ts';
import type { Database } from './database.ts';

interface Standing {
  readonly levels: Map<LocationId, number>;
  readonly holds: Map<ReservationId, ReservationRecord>;
}

export function holdFaults({ history, skus }: Database, sku: Sku): readonly string[] {
  const faults: string[] = [];
  const standing: Standing = { levels: new Map(), holds: new Map() };
  for (const movement of history.get(sku) ?? []) {
    const before = movement.reservation && standing.holds.get(movement.reservation.id);
    const what = `6: ${sku} #${movement.ordinal}, ${movement.type},`;
    const wrong = actsWrongly(movement, before);
    if (wrong !== undefined) faults.push(`${what} ${wrong}`);
    apply(standing, movement);
    for (const location of takenAt(movement, before)) {
      const left = available(standing, location, movement.at);
      if (left < 0) faults.push(`${what} leaves ${left} available at ${location}`);
    }
  }
  const left = Array.from(standing.holds.values(), ({ id, location, quantity, expiresAt }) => ({
    id,
    location,
    quantity,
    expiresAt,
  }));
  const held = (skus.get(sku)?.state.reservations ?? []).map(
    ({ id, location, quantity, expiresAt }) => ({ id, location, quantity, expiresAt }),
  );
  const sorted = (holds: typeof left): string =>
    stable(holds.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  if (sorted(left) !== sorted(held)) faults.push(`6: ${sku} holds what its history does not leave`);
  return faults;
}

function isLiveAt({ expiresAt }: ReservationRecord, at: Instant): boolean {
  return expiresAt === null || expiresAt > at;
}

/** By 2 and 3. */
function actsWrongly(
  { type, reservation, lines, at }: WindowMovement,
  before: ReservationRecord | undefined,
): string | undefined {
  if (reservation === undefined) return undefined;
  if (type === 'reserve') return before === undefined ? undefined : 'makes a hold that is there';
  if (before === undefined) return 'acts on a hold that is not there';
  if (type === 'expire') return isLiveAt(before, at) ? 'ends a hold that lives' : undefined;
  if (!isLiveAt(before, at)) return 'acts on a hold that has lapsed';
  if (type !== 'ship') return undefined;
  const shipped = lines.reduce((sum, { delta }) => sum - delta, 0);
  const rest = reservation.state === 'held' ? reservation.quantity : 0;
  return before.quantity - shipped === rest || reservation.state === 'committed'
    ? undefined
    : 'ships other units than leave the hold';
}

function apply({ levels, holds }: Standing, { lines, reservation }: WindowMovement): void {
  for (const { location, delta } of lines) {
    levels.set(location, (levels.get(location) ?? 0) + delta);
  }
  if (reservation === undefined) return;
  if (reservation.state === 'held') holds.set(reservation.id, reservation);
  else holds.delete(reservation.id);
}

/** Where a movement takes of what is available (1). */
function takenAt(
  { type, reservation, lines }: WindowMovement,
  before: ReservationRecord | undefined,
): readonly LocationId[] {
  if (type === 'reserve' && reservation !== undefined) return [reservation.location];
  if (type === 'change' && reservation !== undefined && before !== undefined) {
    const isMore =
      reservation.location !== before.location || reservation.quantity > before.quantity;
    return isMore ? [reservation.location] : [];
  }
  const isTaking = (type === 'ship' || type === 'transfer') && reservation === undefined;
  return isTaking ? lines.filter(({ delta }) => delta < 0).map(({ location }) => location) : [];
}

function available({ levels, holds }: Standing, location: LocationId, at: Instant): number {
  let left = levels.get(location) ?? 0;
  for (const hold of holds.values()) {
    if (hold.location === location && isLiveAt(hold, at)) left -= hold.quantity;
  }
  return left;
}
