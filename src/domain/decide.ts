/**
 * The decision: what one action does to one SKU. Pure; the clock and the locations come as values.
 *
 * 1. A repeat is recognised before anything is judged.
 * 2. A refused action changes nothing: it returns no state.
 * 3. What takes available stock below zero is refused. Lines that touch one location count
 *    together. Exactly zero is legal.
 * 4. An adjustment states what is so: it may go below what is reserved, never below zero on hand.
 * 5. Nothing comes into a retired location; what stands there may leave.
 * 6. Every level stays within 0 to 10^12, and a SKU stands at no more than 200 locations.
 */
import type { Action, Change, Definition, QuantityLine, StockChange } from './action.ts';
import { locationsOf } from './action.ts';
import type { Instant, LocationId } from './ids.ts';
import type { KnownLocations } from './location.ts';
import type { AdjustReason, DecidedMovement, MovementLine, WindowMovement } from './movement.ts';
import type { Delta, OnHand, Quantity } from './quantity.ts';
import { incoming, outgoing, parseOnHand, unpack } from './quantity.ts';
import type { Refusal } from './refusal.ts';
import type { Level, SkuState } from './sku.ts';
import { availableAt, levelsLimit, onHandAt, reservedAt } from './sku.ts';

export interface Circumstances {
  /** The database's clock at the read that this decision rests on. */
  readonly now: Instant;
  /** At least the locations that the action and the SKU's levels name, as far as they exist. */
  readonly locations: KnownLocations;
  /** The movement of this very action, where it has been applied already. */
  readonly applied?: WindowMovement;
}

export type Decision =
  | { readonly kind: 'already-applied'; readonly movement: WindowMovement }
  | { readonly kind: 'moved'; readonly state: SkuState; readonly movement: DecidedMovement }
  | { readonly kind: 'defined'; readonly state: SkuState }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

interface Step {
  readonly location: LocationId;
  readonly delta: Delta;
}

type Steps =
  | { readonly kind: 'steps'; readonly steps: readonly Step[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * @param state the SKU, or null where there is none yet.
 * @returns `moved` and `defined` carry the state after the action with the version of the state
 *   before: one write may carry several actions and counts as one version.
 */
export function decide(state: SkuState | null, action: Action, given: Circumstances): Decision {
  if (given.applied) return { kind: 'already-applied', movement: given.applied };
  if (action.change.type === 'define') return define(state, action, action.change);
  if (state === null) return refuse({ code: 'unknown-sku', sku: action.sku });
  const unknown = locationsOf(action.change).find((location) => !given.locations.has(location));
  if (unknown !== undefined) return refuse({ code: 'unknown-location', location: unknown });
  const planned = stepsOf(state, action.change);
  if (planned.kind === 'refused') return planned;
  const refusal = guard(state, action.change, planned.steps, given);
  if (refusal) return refuse(refusal);
  return move(state, action, action.change, planned.steps);
}

function refuse(refusal: Refusal): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return { kind: 'refused', refusal };
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
      const quantity = inBaseUnits(state, change, '/quantity');
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
    const quantity = inBaseUnits(state, line, `/lines/${index}/quantity`);
    if (typeof quantity === 'object') return refuse(quantity);
    steps.push({ location: line.location, delta: direction(quantity) });
  }
  return { kind: 'steps', steps };
}

function inBaseUnits(
  state: SkuState,
  line: { readonly quantity: Quantity; readonly unit?: string },
  path: string,
): Quantity | Refusal {
  const { unit } = line;
  if (unit === undefined || unit === state.definition.baseUnit) return line.quantity;
  const pack = state.definition.packs.find((candidate) => candidate.unit === unit);
  if (!pack) return { code: 'unknown-unit', unit };
  const unpacked = unpack(line.quantity, pack.contains);
  if (unpacked !== undefined) return unpacked;
  const message = 'comes to more than 1,000,000,000 base units';
  return { code: 'validation', errors: [{ path, message }] };
}

function guard(
  state: SkuState,
  change: StockChange,
  steps: readonly Step[],
  given: Circumstances,
): Refusal | undefined {
  for (const [location, delta] of netByLocation(steps)) {
    if (delta < 0) {
      const available = mayLeave(state, change, location, given);
      if (available + delta < 0) {
        return insufficientStock(state, location, available, -delta, given);
      }
    }
    const retired = given.locations.get(location)?.retiredAt !== undefined;
    if (retired && steps.some((step) => step.location === location && step.delta > 0)) {
      return { code: 'location-retired', location };
    }
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

/** How many units this kind of change may take from a location. */
function mayLeave(
  state: SkuState,
  change: StockChange,
  location: LocationId,
  given: Circumstances,
): number {
  const kind = given.locations.get(location)?.kind ?? 'storage';
  switch (change.type) {
    case 'adjust':
      return onHandAt(state, location);
    case 'transfer':
      // Out of quarantine a transfer is the way to release goods: on hand guards it.
      return kind === 'quarantine'
        ? onHandAt(state, location)
        : availableAt(state, location, kind, given.now);
    case 'ship':
    case 'receive':
      return availableAt(state, location, kind, given.now);
  }
}

function insufficientStock(
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

/** Levels after the steps. One at zero stays listed until its place is needed (6). */
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

function move(
  state: SkuState,
  action: Action,
  change: StockChange,
  steps: readonly Step[],
): Decision {
  const after: SkuState = {
    ...state,
    levels: levelsAfter(state, steps),
    lastActionId: action.actionId,
    movementCount: state.movementCount + 1,
  };
  const lines: readonly MovementLine[] = steps.map(({ location, delta }) => ({
    location,
    delta,
    onHand: onHandAt(after, location),
  }));
  const movement: DecidedMovement = {
    actionId: action.actionId,
    sku: action.sku,
    ordinal: after.movementCount,
    type: change.type,
    lines,
    ...reasonOf(change),
    ...(action.reference === undefined ? {} : { reference: action.reference }),
    ...(action.note === undefined ? {} : { note: action.note }),
    actor: action.actor,
  };
  return { kind: 'moved', state: after, movement };
}

function reasonOf(change: Change): { readonly reason?: AdjustReason } {
  return change.type === 'adjust' ? { reason: change.reason } : {};
}

function define(state: SkuState | null, action: Action, change: Definition): Decision {
  const { definition, ifVersion } = change;
  if (ifVersion !== undefined && ifVersion !== state?.version) {
    return refuse({ code: 'version-mismatch', version: state?.version ?? null });
  }
  if (state === null) return { kind: 'defined', state: newSku(action, definition) };
  const stands = state.levels.some((level) => level.onHand > 0) || state.reservations.length > 0;
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

/** On hand, reserved and available at one location, as every answer shows them. */
export function levelView(
  state: SkuState,
  location: LocationId,
  kind: 'storage' | 'receiving' | 'quarantine',
  now: Instant,
): { readonly onHand: number; readonly reserved: number; readonly available: number } {
  return {
    onHand: onHandAt(state, location),
    reserved: reservedAt(state, location, now),
    available: availableAt(state, location, kind, now),
  };
}
