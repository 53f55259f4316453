/** The searches of a ledger in memory: by place, type, actor, reference and time. */
import type { Sku } from '../../src/domain/ids.ts';
import type { Movement } from '../../src/domain/movement.ts';
import type { Ledger, MovementPlace } from '../../src/inventory/ports.ts';
import { found } from './memory-records.ts';

/** @param ofSku oldest first. */
export function movedThere(
  all: () => readonly Movement[],
  ofSku: (sku: Sku) => readonly Movement[],
): Pick<Ledger, 'search' | 'reservedUnder' | 'history'> {
  return {
    search: ({ sku, locations, type, actor, reference, from, to, after, limit }) =>
      found(
        newestFirst(sku === undefined ? all() : ofSku(sku), after)
          .filter(({ at }) => at <= to && (from === undefined || at >= from))
          .filter((movement) => type === undefined || movement.type === type)
          .filter((movement) => actor === undefined || movement.actor === actor)
          .filter((movement) => reference === undefined || movement.reference === reference)
          .filter(
            ({ lines }) =>
              locations === undefined || lines.some(({ location }) => locations.includes(location)),
          )
          .slice(0, limit),
      ),
    reservedUnder: ({ reference, after, limit }) =>
      found(
        newestFirst(all(), after)
          .filter((movement) => movement.type === 'reserve' && movement.reference === reference)
          .slice(0, limit),
      ),
    history: ({ sku, before, limit, location, type, from, to }) =>
      found(
        ofSku(sku)
          .toReversed()
          .filter(({ ordinal }) => before === undefined || ordinal < before)
          .filter((movement) => type === undefined || movement.type === type)
          .filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at <= to))
          .filter(
            ({ lines }) =>
              location === undefined || lines.some((line) => line.location === location),
          )
          .slice(0, limit),
      ),
  };
}

function newestFirst(
  movements: readonly Movement[],
  after: MovementPlace | undefined,
): readonly Movement[] {
  const sorted = movements.toSorted((one, other) => -compared(one, other));
  return after === undefined ? sorted : sorted.filter((movement) => compared(movement, after) < 0);
}

function compared(one: MovementPlace, other: MovementPlace): number {
  if (one.at !== other.at) return one.at - other.at;
  if (one.sku !== other.sku) return one.sku < other.sku ? -1 : 1;
  return one.ordinal - other.ordinal;
}
