import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StockChange } from '../../src/domain/action.ts';
import { decide } from '../../src/domain/decide.ts';
import { documentFaults, levelFaults, replay } from '../../src/domain/invariants.ts';
import type { WindowMovement } from '../../src/domain/movement.ts';
import type { SkuState } from '../../src/domain/sku.ts';
import {
  action,
  delta,
  given,
  instant,
  location,
  place,
  quantity,
  stocked,
} from '../support/actions.ts';

const names = ['A1', 'B1', 'C1', 'Q1'];
const shelves = given(
  ...names.map((name) => location(name, name === 'Q1' ? 'quarantine' : 'storage')),
);

const anyPlace = fc.constantFrom(...names).map(place);
const anyQuantity = fc.integer({ min: 1, max: 30 }).map(quantity);
const anyLine = fc.record({ location: anyPlace, quantity: anyQuantity });
const anyDelta = fc
  .integer({ min: -30, max: 30 })
  .filter((value) => value !== 0)
  .map(delta);

const anyChange: fc.Arbitrary<StockChange> = fc.oneof(
  fc.record({
    type: fc.constantFrom('receive' as const, 'ship' as const),
    lines: fc.array(anyLine, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant('transfer' as const),
    from: anyPlace,
    to: anyPlace,
    quantity: anyQuantity,
  }),
  fc.record({
    type: fc.constant('adjust' as const),
    lines: fc.array(fc.record({ location: anyPlace, delta: anyDelta }), {
      minLength: 1,
      maxLength: 4,
    }),
    reason: fc.constant('found' as const),
  }),
);
const anyHistory = fc.array(anyChange, { maxLength: 40 });

function total(state: SkuState): number {
  return state.levels.reduce((sum, level) => sum + level.onHand, 0);
}

/** Runs the changes from an empty SKU; a refused one is passed over. */
function run(changes: readonly StockChange[]): { state: SkuState; history: WindowMovement[] } {
  let state: SkuState = { ...stocked({}), movementCount: 0 };
  const history: WindowMovement[] = [];
  for (const change of changes) {
    const decision = decide(state, action(change), shelves);
    if (decision.kind !== 'moved') continue;
    history.push({ ...decision.movement, at: instant(history.length) });
    state = decision.state;
  }
  return { state, history };
}

describe('any sequence of changes', () => {
  it('never leaves a level below zero, nor a document out of bounds', () => {
    fc.assert(
      fc.property(anyHistory, (changes) => {
        const { state } = run(changes);
        expect(documentFaults(state, 0)).toEqual([]);
      }),
    );
  });

  it('is explained by its history: replaying it gives every balance and the levels', () => {
    fc.assert(
      fc.property(anyHistory, (changes) => {
        const { state, history } = run(changes);
        const replayed = replay(history);
        expect(replayed.faults).toEqual([]);
        expect(levelFaults(state, replayed)).toEqual([]);
      }),
    );
  });

  it('conserves stock in transfers', () => {
    fc.assert(
      fc.property(anyHistory, anyPlace, anyPlace, anyQuantity, (changes, from, to, amount) => {
        const { state } = run(changes);
        const decision = decide(
          state,
          action({ type: 'transfer', from, to, quantity: amount }),
          shelves,
        );
        if (decision.kind === 'moved') expect(total(decision.state)).toBe(total(state));
      }),
    );
  });

  it('changes nothing by a refused action', () => {
    fc.assert(
      fc.property(anyHistory, anyChange, (changes, change) => {
        const { state } = run(changes);
        const before = structuredClone(state);
        const decision = decide(state, action(change), shelves);
        expect(state).toEqual(before);
        if (decision.kind === 'refused') expect(decision).not.toHaveProperty('state');
      }),
    );
  });

  it('refuses a ship exactly when it asks for more than is available', () => {
    fc.assert(
      fc.property(anyHistory, anyPlace, anyQuantity, (changes, at, amount) => {
        const { state } = run(changes);
        const onHand = state.levels.find((level) => level.location === at)?.onHand ?? 0;
        const available = at === 'Q1' ? 0 : onHand;
        const line = { location: at, quantity: amount };
        const decision = decide(state, action({ type: 'ship', lines: [line] }), shelves);
        expect(decision.kind).toBe(amount <= available ? 'moved' : 'refused');
      }),
    );
  });
});
