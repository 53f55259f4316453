/**
 * What holds of every SKU, judged from its document and its history alone. Tests, reads and
 * verification share it, so that the service is checked by the rules it promises.
 */
import type { Instant, LocationId } from './ids.ts';
import type { MovementLine, WindowMovement } from './movement.ts';
import { windowLimit } from './movement.ts';
import { parseOnHand } from './quantity.ts';
import { reservationLimit } from './reservation.ts';
import type { SkuState } from './sku.ts';
import { levelsLimit } from './sku.ts';

export type FaultKind =
  | 'level-within-limits'
  | 'one-level-a-location'
  | 'bounded'
  | 'ordinals-contiguous'
  | 'time-runs-forward'
  | 'balances-follow'
  | 'levels-follow'
  | 'count-follows';

export interface Fault {
  readonly check: FaultKind;
  readonly detail: string;
}

/** What the bounds say of a document. @returns the faults; none when all is well. */
export function documentFaults(state: SkuState, windowLength: number): readonly Fault[] {
  const faults: Fault[] = [];
  for (const { location, onHand } of state.levels) {
    if (parseOnHand(onHand) === undefined) {
      faults.push({ check: 'level-within-limits', detail: `${location} stands at ${onHand}` });
    }
  }
  const places = new Set(state.levels.map((level) => level.location));
  if (places.size !== state.levels.length) {
    faults.push({ check: 'one-level-a-location', detail: 'a location is listed twice' });
  }
  const bounds = [
    ['levels', state.levels.length, levelsLimit],
    ['reservations', state.reservations.length, reservationLimit],
    ['window', windowLength, windowLimit],
  ] as const;
  for (const [what, length, limit] of bounds) {
    if (length > limit) {
      faults.push({ check: 'bounded', detail: `${length} ${what}, ${limit} allowed` });
    }
  }
  return faults;
}

export interface Replay {
  readonly levels: ReadonlyMap<LocationId, number>;
  readonly newest: number;
  readonly faults: readonly Fault[];
}

export interface Replaying {
  readonly add: (movement: WindowMovement) => void;
  readonly result: () => Replay;
}

/**
 * Replays a history from an empty SKU, movement by movement, oldest first.
 * @returns the levels it leads to, and where a recorded balance, an ordinal or an instant is off.
 */
export function startReplay(): Replaying {
  const levels = new Map<LocationId, number>();
  const faults: Fault[] = [];
  let newest = 0;
  let at: Instant | undefined;
  return {
    add: (movement) => {
      if (movement.ordinal !== newest + 1) {
        faults.push({
          check: 'ordinals-contiguous',
          detail: `${movement.ordinal} follows ${newest}`,
        });
      }
      if (at !== undefined && movement.at < at) {
        faults.push({ check: 'time-runs-forward', detail: `at ordinal ${movement.ordinal}` });
      }
      newest = movement.ordinal;
      at = movement.at;
      applyLines(levels, movement.lines);
      faults.push(...balanceFaults(levels, movement));
    },
    result: () => ({ levels, newest, faults }),
  };
}

/** Replays a history that is at hand whole, oldest first. */
export function replay(history: Iterable<WindowMovement>): Replay {
  const replaying = startReplay();
  for (const movement of history) replaying.add(movement);
  return replaying.result();
}

function applyLines(levels: Map<LocationId, number>, lines: readonly MovementLine[]): void {
  for (const { location, delta } of lines)
    levels.set(location, (levels.get(location) ?? 0) + delta);
}

function balanceFaults(
  levels: ReadonlyMap<LocationId, number>,
  movement: WindowMovement,
): readonly Fault[] {
  return movement.lines
    .filter((line) => levels.get(line.location) !== line.onHand || line.onHand < 0)
    .map((line) => ({
      check: 'balances-follow',
      detail: `ordinal ${movement.ordinal} records ${line.onHand} at ${line.location}, the history gives ${levels.get(line.location) ?? 0}`,
    }));
}

/** Whether the levels of a document are those its history leads to. */
export function levelFaults(state: SkuState, history: Replay): readonly Fault[] {
  const faults: Fault[] = [];
  const recorded = new Map<LocationId, number>(
    state.levels.map((level) => [level.location, level.onHand]),
  );
  for (const location of new Set([...recorded.keys(), ...history.levels.keys()])) {
    const now = recorded.get(location) ?? 0;
    const explained = history.levels.get(location) ?? 0;
    if (now !== explained) {
      faults.push({
        check: 'levels-follow',
        detail: `${location} stands at ${now}, the history gives ${explained}`,
      });
    }
  }
  if (history.newest !== state.movementCount) {
    faults.push({
      check: 'count-follows',
      detail: `${state.movementCount} movements counted, ${history.newest} found`,
    });
  }
  return faults;
}
