import { describe, expect, it } from 'vitest';
import { documentFaults, levelFaults, replay } from '../../src/domain/invariants.ts';
import type { WindowMovement } from '../../src/domain/movement.ts';
import { parseOnHand } from '../../src/domain/quantity.ts';
import { actionId, actor, delta, instant, place, stocked } from '../support/actions.ts';

function movement(ordinal: number, by: number, onHand: number, at = ordinal): WindowMovement {
  const level = parseOnHand(onHand);
  if (level === undefined) throw new Error('no such level');
  return {
    actionId: actionId(`m${ordinal}`),
    ordinal,
    type: by > 0 ? 'receive' : 'ship',
    lines: [{ location: place('A1'), delta: delta(by), onHand: level }],
    actor,
    at: instant(at),
  };
}

const checks = (faults: readonly { readonly check: string }[]): readonly string[] =>
  faults.map((fault) => fault.check);

describe('replaying a history', () => {
  it('finds nothing wrong with a whole one', () => {
    const { faults, levels, newest } = replay([movement(1, 5, 5), movement(2, -2, 3)]);
    expect(faults).toEqual([]);
    expect(levels.get(place('A1'))).toBe(3);
    expect(newest).toBe(2);
  });

  it('sees a missing, a doubled and a reordered movement', () => {
    expect(checks(replay([movement(1, 5, 5), movement(3, 1, 6)]).faults)).toContain(
      'ordinals-contiguous',
    );
    expect(checks(replay([movement(1, 5, 5), movement(1, 5, 10)]).faults)).toContain(
      'ordinals-contiguous',
    );
    expect(checks(replay([movement(2, 5, 5), movement(1, 1, 6)]).faults)).toContain(
      'ordinals-contiguous',
    );
  });

  it('sees a balance that does not follow and time that runs backward', () => {
    expect(checks(replay([movement(1, 5, 6)]).faults)).toEqual(['balances-follow']);
    expect(checks(replay([movement(1, 5, 5, 9), movement(2, 1, 6, 8)]).faults)).toEqual([
      'time-runs-forward',
    ]);
  });
});

describe('a document against its history', () => {
  it('is faulted where a level or the count is not what the history gives', () => {
    const history = replay([movement(1, 5, 5)]);
    expect(checks(levelFaults({ ...stocked({ A1: 4 }), movementCount: 1 }, history))).toEqual([
      'levels-follow',
    ]);
    expect(checks(levelFaults(stocked({ A1: 5 }), history))).toEqual(['count-follows']);
    expect(levelFaults({ ...stocked({ A1: 5 }), movementCount: 1 }, history)).toEqual([]);
  });

  it('is faulted where it is out of bounds', () => {
    expect(checks(documentFaults(stocked({ A1: 1 }), 501))).toEqual(['bounded']);
    expect(documentFaults(stocked({ A1: 1 }), 500)).toEqual([]);
  });
});
