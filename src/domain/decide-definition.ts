/** Decisions about what a SKU is. */
import type { Action, Definition } from './action.ts';
import type { Decision } from './circumstances.ts';
import { refuse } from './circumstances.ts';
import type { Instant } from './ids.ts';
import { isLive } from './reservation.ts';
import type { SkuState } from './sku.ts';

export function define(
  state: SkuState | null,
  action: Action,
  change: Definition,
  now: Instant,
): Decision {
  const { definition, ifVersion } = change;
  if (ifVersion !== undefined && ifVersion !== state?.version) {
    return refuse({ code: 'version-mismatch', version: state?.version ?? null });
  }
  if (state === null) return { kind: 'defined', state: newSku(action, definition) };
  const stands =
    state.levels.some((level) => level.onHand > 0) ||
    state.reservations.some((reservation) => isLive(reservation, now));
  if (stands && definition.baseUnit !== state.definition.baseUnit) {
    return refuse({ code: 'base-unit-in-use', baseUnit: state.definition.baseUnit });
  }
  return { kind: 'defined', state: { ...state, definition, lastActionId: action.actionId } };
}

function newSku(action: Action, definition: Definition['definition']): SkuState {
  return {
    sku: action.sku,
    definition,
    levels: [],
    reservations: [],
    lastActionId: action.actionId,
    version: 0,
    movementCount: 0,
  };
}
