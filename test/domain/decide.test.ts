import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/domain/action.ts';
import type { Circumstances, Decision } from '../../src/domain/circumstances.ts';
import { decide } from '../../src/domain/decide.ts';
import { onHandLimit, quantityLimit } from '../../src/domain/quantity.ts';
import type { SkuState } from '../../src/domain/sku.ts';
import { onHandAt } from '../../src/domain/sku.ts';
import {
  action,
  adjust,
  definition,
  given,
  holdId,
  instant,
  location,
  place,
  quantity,
  receive,
  ship,
  stocked,
  transfer,
} from '../support/actions.ts';

const shelves = given(location('A1'), location('B1'), location('Q1', 'quarantine'));

function moved(state: SkuState, change: Change, circumstances: Circumstances = shelves): SkuState {
  const decision = decide(state, action(change), circumstances);
  if (decision.kind !== 'moved') throw new Error(`expected a movement, got ${decision.kind}`);
  return decision.state;
}

function refusalOf(decision: Decision): unknown {
  return decision.kind === 'refused' ? decision.refusal : decision.kind;
}

function refused(state: SkuState | null, change: Change, circumstances = shelves): unknown {
  return refusalOf(decide(state, action(change), circumstances));
}

describe('a ship', () => {
  it('may take the last unit, and not one more', () => {
    expect(onHandAt(moved(stocked({ A1: 5 }), ship('A1', 5)), place('A1'))).toBe(0);
    expect(refused(stocked({ A1: 5 }), ship('A1', 6))).toMatchObject({
      code: 'insufficient-stock',
      location: 'A1',
      available: 5,
      requested: 6,
    });
  });

  it('counts lines that touch one location together', () => {
    const lines = [
      { location: place('A1'), quantity: quantity(3) },
      { location: place('A1'), quantity: quantity(3) },
    ];
    expect(refused(stocked({ A1: 5 }), { type: 'ship', lines })).toMatchObject({
      code: 'insufficient-stock',
      requested: 6,
    });
  });

  it('cannot take what a live reservation holds, and can once the hold has lapsed', () => {
    const state = held(stocked({ A1: 5 }), 3, 1_000_001);
    expect(refused(state, ship('A1', 3))).toMatchObject({ available: 2 });
    expect(moved(state, ship('A1', 3), { ...shelves, now: instant(1_000_001) }).levels).toEqual([
      { location: 'A1', onHand: 2 },
    ]);
  });

  it('is refused in quarantine, where nothing is available', () => {
    expect(refused(stocked({ Q1: 5 }), ship('Q1', 1))).toMatchObject({ available: 0 });
  });

  it('names what each location has when it is refused', () => {
    expect(refused(stocked({ A1: 1, B1: 1, Q1: 9 }), ship('A1', 2))).toMatchObject({
      locations: [
        { location: 'A1', available: 1 },
        { location: 'B1', available: 1 },
        { location: 'Q1', available: 0 },
      ],
    });
  });
});

function held(state: SkuState, amount: number, expiresAt: number): SkuState {
  const { digest } = action(ship('A1', 1));
  return {
    ...state,
    reservations: [
      {
        id: holdId,
        location: place('A1'),
        quantity: quantity(amount),
        expiresAt: instant(expiresAt),
        changedAt: 7,
        digest,
      },
    ],
  };
}

describe('a receive', () => {
  it('counts two lines of one location together, and shows the level after the whole movement', () => {
    const lines = [10, 5].map((amount) => ({ location: place('A1'), quantity: quantity(amount) }));
    const decision = decide(stocked({}), action({ type: 'receive', lines }), shelves);
    if (decision.kind !== 'moved') throw new Error('expected a movement');
    expect(decision.state.levels).toEqual([{ location: 'A1', onHand: 15 }]);
    expect(decision.movement.lines).toEqual([
      { location: 'A1', delta: 10, onHand: 15 },
      { location: 'A1', delta: 5, onHand: 15 },
    ]);
  });
});

describe('a transfer', () => {
  it('moves units from one level to the other in one movement', () => {
    const after = moved(stocked({ A1: 5 }), transfer('A1', 'B1', 5));
    expect(after.levels).toEqual([
      { location: 'A1', onHand: 0 },
      { location: 'B1', onHand: 5 },
    ]);
    expect(after.movementCount).toBe(8);
  });

  it('is refused out of an empty location and from a location to itself', () => {
    expect(refused(stocked({}), transfer('A1', 'B1', 5))).toMatchObject({
      code: 'insufficient-stock',
    });
    expect(refused(stocked({ A1: 5 }), transfer('A1', 'A1', 1))).toMatchObject({
      code: 'same-location',
    });
  });

  it('releases goods from quarantine, guarded by on hand', () => {
    expect(onHandAt(moved(stocked({ Q1: 3 }), transfer('Q1', 'A1', 3)), place('A1'))).toBe(3);
    expect(refused(stocked({ Q1: 3 }), transfer('Q1', 'A1', 4))).toMatchObject({ available: 3 });
  });
});

describe('an adjustment', () => {
  it('may go below what is reserved, and never below zero on hand', () => {
    const state = held(stocked({ A1: 20 }), 19, 2_000_000);
    expect(onHandAt(moved(state, adjust('A1', -15)), place('A1'))).toBe(5);
    expect(refused(state, adjust('A1', -21))).toMatchObject({
      code: 'insufficient-stock',
      available: 20,
      requested: 21,
    });
  });
});

describe('units', () => {
  it('multiplies packs exactly', () => {
    const lines = [{ location: place('A1'), quantity: quantity(3), unit: 'case' }];
    expect(onHandAt(moved(stocked({}), { type: 'receive', lines }), place('A1'))).toBe(36);
  });

  it('keeps the limit for the product, and knows no other unit', () => {
    const packs = (unit: string, amount: number): Change => ({
      type: 'receive',
      lines: [{ location: place('A1'), quantity: quantity(amount), unit }],
    });
    expect(refused(stocked({}), packs('case', quantityLimit / 10))).toMatchObject({
      code: 'validation',
    });
    expect(refused(stocked({}), packs('pallet', 1))).toMatchObject({ code: 'unknown-unit' });
  });
});

describe('limits of a SKU', () => {
  it('keeps a level within its limit', () => {
    expect(refused(stocked({ A1: onHandLimit }), receive('A1', 1))).toEqual({
      code: 'level-limit',
      location: 'A1',
    });
    expect(moved(stocked({ A1: onHandLimit - 1 }), receive('A1', 1)).levels).toEqual([
      { location: 'A1', onHand: onHandLimit },
    ]);
  });

  it('stands at 200 locations at most, and gives up an empty level for a new one', () => {
    const names = Array.from({ length: 201 }, (_, index) => `L${index}`);
    const everywhere = given(...names.map((name) => location(name)));
    const full = Object.fromEntries(names.slice(0, 200).map((name) => [name, 1]));
    expect(refused(stocked(full), receive('L200', 1), everywhere)).toEqual({
      code: 'location-limit',
    });
    const roomy = moved(stocked({ ...full, L0: 0 }), receive('L200', 1), everywhere);
    expect(roomy.levels).toHaveLength(200);
    expect(roomy.levels.some((level) => level.location === 'L0')).toBe(false);
  });
});

describe('what is not known', () => {
  it('refuses an unknown SKU and an unknown location', () => {
    expect(refused(null, receive('A1', 1))).toEqual({ code: 'unknown-sku', sku: 'A' });
    expect(refused(stocked({}), receive('X9', 1))).toEqual({
      code: 'unknown-location',
      location: 'X9',
    });
  });

  it('lets nothing into a retired location, and out what stands there', () => {
    const closed = given(location('A1', 'storage', true));
    expect(refused(stocked({ A1: 1 }), receive('A1', 1), closed)).toMatchObject({
      code: 'location-retired',
    });
    expect(onHandAt(moved(stocked({ A1: 1 }), ship('A1', 1), closed), place('A1'))).toBe(0);
  });
});

describe('a repeat', () => {
  it('is recognised before anything is judged', () => {
    const repeat = action(ship('A1', 5));
    const first = decide(stocked({ A1: 5 }), repeat, shelves);
    if (first.kind !== 'moved') throw new Error('expected a movement');
    const applied = { ...first.movement, at: instant(5) };
    expect(decide(first.state, repeat, { ...shelves, applied })).toEqual({
      kind: 'already-applied',
      movement: applied,
    });
  });
});

describe('a definition', () => {
  it('replaces the definition, leaves the stock alone and makes no movement', () => {
    const replacement = { ...definition, description: 'Gadget' };
    const state = stocked({ A1: 5 });
    const decision = decide(state, action({ type: 'define', definition: replacement }), shelves);
    expect(decision).toMatchObject({
      kind: 'defined',
      state: { definition: replacement, levels: state.levels, movementCount: 7 },
    });
  });

  it('cannot change the base unit while stock stands', () => {
    const change = { type: 'define', definition: { ...definition, baseUnit: 'kg' } } as const;
    expect(refused(stocked({ A1: 1 }), change)).toMatchObject({ code: 'base-unit-in-use' });
    expect(decide(stocked({ A1: 0 }), action(change), shelves).kind).toBe('defined');
  });

  it('is refused on another version than the one that was seen', () => {
    const change = { type: 'define', definition, ifVersion: 2 } as const;
    expect(refused(stocked({}), change)).toEqual({ code: 'version-mismatch', version: 3 });
    expect(refused(null, change)).toEqual({ code: 'version-mismatch', version: null });
  });
});

describe('a step of a saga', () => {
  const step = (change: Change) => ({ ...action(change), orVoid: true as const });

  it('that is refused takes its id with a movement that moves nothing and tells why', () => {
    const state = stocked({ A1: 5 });
    const decision = decide(state, step(ship('A1', 6)), shelves);
    expect(decision).toMatchObject({
      kind: 'moved',
      state: { levels: state.levels, movementCount: 8 },
      movement: { type: 'void', lines: [], refused: 'insufficient-stock', ordinal: 8 },
    });
  });

  it('that is accepted moves as others do, and an unknown SKU stays a refusal', () => {
    expect(decide(stocked({ A1: 5 }), step(ship('A1', 5)), shelves)).toMatchObject({
      movement: { type: 'ship' },
    });
    expect(refusalOf(decide(null, step(ship('A1', 5)), shelves))).toMatchObject({
      code: 'unknown-sku',
    });
  });
});
