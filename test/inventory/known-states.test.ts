import { describe, expect, it } from 'vitest';
import { createKnownStates } from '../../src/inventory/known-states.ts';
import type { SkuRead } from '../../src/inventory/ports.ts';
import { actionId, instant, sku, stocked } from '../support/actions.ts';

const hot = sku('HOT');

/** A SKU as it was read or written last, with a level at so many places. */
function known(id: string, version: number, places = 1): SkuRead {
  const levels = Object.fromEntries(Array.from({ length: places }, (_, n) => [`A${n}`, 1]));
  const state = { ...stocked(levels, id), version, movementCount: version };
  return {
    state,
    extent: { from: 1, ledgeredThrough: 0, bytesFrom: 100, bytesThrough: 100 * version },
    definedBy: actionId('defined'),
    definedVersion: 1,
    retained: [],
    now: instant(0),
  };
}

describe('a known state', () => {
  it('is what was put last', () => {
    const states = createKnownStates();
    states.put(known('HOT', 1));
    states.put(known('HOT', 2));
    expect(states.get(hot)?.state.version).toBe(2);
  });

  it('is gone once it is dropped, and the next one is trusted at once', () => {
    const states = createKnownStates();
    states.put(known('HOT', 1));
    states.drop(hot);
    expect(states.get(hot)).toBeUndefined();
    expect(states.isContended(hot)).toBe(false);
    states.put(known('HOT', 2));
    expect(states.get(hot)?.state.version).toBe(2);
  });

  it('is not trusted for eight batches after another process was first, then again', () => {
    const states = createKnownStates();
    states.put(known('HOT', 1));
    states.lose(hot);
    for (let batch = 0; batch < 8; batch += 1) {
      states.put(known('HOT', 2));
      expect(states.isContended(hot)).toBe(true);
      expect(states.get(hot)).toBeUndefined();
    }
    expect(states.isContended(hot)).toBe(false);
    expect(states.get(hot)?.state.version).toBe(2);
  });

  it('knows how far the ledger reaches only as of the very version that was proved', () => {
    const states = createKnownStates();
    states.put(known('HOT', 7));
    expect(states.ledgeredThrough(hot, 7)).toBe(0);
    states.prove(hot, 6);
    expect(states.ledgeredThrough(hot, 7)).toBe(0);
    states.prove(hot, 7);
    expect(states.ledgeredThrough(hot, 7)).toBe(7);
    expect(states.ledgeredThrough(hot, 8)).toBeUndefined();
  });

  it('makes room for others: what they weigh together is bounded', () => {
    const states = createKnownStates();
    const many = 2_000;
    for (let n = 0; n < many; n += 1) states.put(known(`S${n}`, 1, 190));
    const kept = Array.from({ length: many }, (_, n) => states.get(sku(`S${n}`))).filter(Boolean);
    expect(kept).toHaveLength(1_000);
    expect(states.get(sku('S0'))).toBeUndefined();
    expect(states.get(sku(`S${many - 1}`))?.state.levels).toHaveLength(190);
  });
});
