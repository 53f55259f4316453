/** Decisions about what stands where: lines in base units, the guard, the levels after them. */
import type { Action, QuantityLine, Reversal, StockChange } from './action.ts';
import { inBaseUnits } from './base-units.ts';
import type { Circumstances, Decision } from './circumstances.ts';
import { refuse } from './circumstances.ts';
import type { LocationId } from './ids.ts';
import type { LocationKind } from './location.ts';
import type { DecidedMovement, MovementLine } from './movement.ts';
import type { MovementType } from './movement-type.ts';
import type { Delta, OnHand, Quantity } from './quantity.ts';
import { incoming, opposite, outgoing, parseOnHand } from './quantity.ts';
import type { Refusal } from './refusal.ts';
import type { Level, SkuState } from './sku.ts';
import { availableAt, levelsLimit, onHandAt } from './sku.ts';

export interface Step {
  readonly location: LocationId;
  readonly delta: Delta;
}

/** What guards the units that leave a location. */
export type Guard = 'available' | 'on-hand';
type GuardOf = (kind: LocationKind) => Guard;

type Steps =
  | { readonly kind: 'steps'; readonly steps: readonly Step[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function moveStock(
  state: SkuState,
  action: Action,
  change: StockChange,
  given: Circumstances,
): Decision {
  const planned = stepsOf(state, change);
  if (planned.kind === 'refused') return planned;
  const { steps } = planned;
  const refusal = guardSteps(state, steps, guardOf(change.type), given);
  if (refusal) return refuse(refusal);
  const reason = change.type === 'adjust' ? { reason: change.reason } : {};
  return { kind: 'moved', ...move(state, action, change.type, steps, reason) };
}

const opposites = {
  receive: 'ship',
  ship: 'receive',
  transfer: 'transfer',
  adjust: 'adjust',
} as const;

type Reversible = keyof typeof opposites;

function isReversible(type: MovementType): type is Reversible {
  return Object.hasOwn(opposites, type);
}

/** The opposite of a movement, guarded as movements of its type are; a movement is undone once. */
export function reverse(
  state: SkuState,
  action: Action,
  { original }: Reversal,
  given: Circumstances,
): Decision {
  const by = given.reversals?.get(original.actionId);
  if (by !== undefined) return refuse({ code: 'movement-reversed', by });
  if (!isReversible(original.type)) return refuse({ code: 'not-reversible', type: original.type });
  const type = opposites[original.type];
  const steps = original.lines.map(({ location, delta }) => ({ location, delta: opposite(delta) }));
  const refusal = guardSteps(state, steps, guardOf(type), given);
  if (refusal) return refuse(refusal);
  const reason = original.reason === undefined ? {} : { reason: original.reason };
  const more = { ...reason, reverses: original.actionId };
  return { kind: 'moved', ...move(state, action, type, steps, more) };
}

function guardOf(type: Reversible): GuardOf {
  switch (type) {
    case 'adjust':
      return () => 'on-hand';
    case 'transfer':
      // Out of quarantine a transfer is the way to release goods: on hand guards it.
      return (kind) => (kind === 'quarantine' ? 'on-hand' : 'available');
    case 'ship':
    case 'receive':
      return () => 'available';
  }
}

/** What each line does to its location, in base units and in the order of the request. */
function stepsOf(state: SkuState, change: StockChange): Steps {
  switch (change.type) {
    case 'receive':
      return quantitySteps(state, change.lines, incoming);
    case 'ship':
      return quantitySteps(state, change.lines, outgoing);
    case 'transfer': {
      if (change.from === change.to) {
        return refuse({ code: 'same-location', location: change.from });
      }
      const quantity = inBaseUnits(state.definition, change, '/quantity');
      if (typeof quantity === 'object') return refuse(quantity);
      const steps: readonly Step[] = [
        { location: change.from, delta: outgoing(quantity) },
        { location: change.to, delta: incoming(quantity) },
      ];
      return { kind: 'steps', steps };
    }
    case 'adjust':
      return { kind: 'steps', steps: change.lines };
  }
}

function quantitySteps(
  state: SkuState,
  lines: readonly QuantityLine[],
  direction: (quantity: Quantity) => Delta,
): Steps {
  const steps: Step[] = [];
  for (const [index, line] of lines.entries()) {
    const quantity = inBaseUnits(state.definition, line, `/lines/${index}/quantity`);
    if (typeof quantity === 'object') return refuse(quantity);
    steps.push({ location: line.location, delta: direction(quantity) });
  }
  return { kind: 'steps', steps };
}

/** The oversell guard, and the limits of a SKU. */
export function guardSteps(
  state: SkuState,
  steps: readonly Step[],
  guard: GuardOf,
  given: Circumstances,
): Refusal | undefined {
  for (const [location, delta] of netByLocation(steps)) {
    const place = given.locations.get(location);
    if (delta < 0) {
      const kind = place?.kind ?? 'storage';
      const mayLeave =
        guard(kind) === 'on-hand'
          ? onHandAt(state, location)
          : availableAt(state, location, kind, given.now);
      if (mayLeave + delta < 0) {
        return insufficientStock(state, location, mayLeave, -delta, given);
      }
    }
    const comesIn = steps.some((step) => step.location === location && step.delta > 0);
    if (comesIn && place?.retiredAt !== undefined) return { code: 'location-retired', location };
    if (delta > 0 && parseOnHand(onHandAt(state, location) + delta) === undefined) {
      return { code: 'level-limit', location };
    }
  }
  return levelsAfter(state, steps).length > levelsLimit ? { code: 'location-limit' } : undefined;
}

function netByLocation(steps: readonly Step[]): ReadonlyMap<LocationId, number> {
  const net = new Map<LocationId, number>();
  for (const { location, delta } of steps) net.set(location, (net.get(location) ?? 0) + delta);
  return net;
}

/** @param available what may leave the location; `requested` is more. */
export function insufficientStock(
  state: SkuState,
  location: LocationId,
  available: number,
  requested: number,
  given: Circumstances,
): Refusal {
  const locations = state.levels.map((level) => ({
    location: level.location,
    available: availableAt(
      state,
      level.location,
      given.locations.get(level.location)?.kind ?? 'storage',
      given.now,
    ),
  }));
  return { code: 'insufficient-stock', location, available, requested, locations };
}

/**
 * Levels after the steps. One at zero stays listed until its place is needed for another, so that
 * whoever looks right after the last unit left still sees where it stood.
 */
function levelsAfter(state: SkuState, steps: readonly Step[]): readonly Level[] {
  const levels = new Map(state.levels.map((level) => [level.location, level.onHand]));
  for (const [location, delta] of netByLocation(steps)) {
    levels.set(location, ((levels.get(location) ?? 0) + delta) as OnHand);
  }
  const listed = Array.from(levels, ([location, onHand]) => ({ location, onHand }));
  if (listed.length <= levelsLimit) return listed;
  const touched = new Set(steps.map((step) => step.location));
  return listed.filter((level) => level.onHand > 0 || touched.has(level.location));
}

/** Carries out steps that the guard let pass. */
export function move(
  state: SkuState,
  action: Pick<Action, 'actionId' | 'sku' | 'actor' | 'reference' | 'note'>,
  type: MovementType,
  steps: readonly Step[],
  more: Pick<DecidedMovement, 'reason' | 'reservation' | 'reverses' | 'refused'> = {},
): { readonly state: SkuState; readonly movement: DecidedMovement } {
  const { actionId, sku, actor, reference, note } = action;
  const after: SkuState = {
    ...state,
    levels: steps.length === 0 ? state.levels : levelsAfter(state, steps),
    lastActionId: actionId,
    movementCount: state.movementCount + 1,
  };
  const lines: readonly MovementLine[] = steps.map(({ location, delta }) => ({
    location,
    delta,
    onHand: onHandAt(after, location),
  }));
  const movement: DecidedMovement = {
    actionId,
    sku,
    ordinal: after.movementCount,
    type,
    lines,
    ...more,
    ...(reference === undefined ? {} : { reference }),
    ...(note === undefined ? {} : { note }),
    actor,
  };
  return { state: after, movement };
}
