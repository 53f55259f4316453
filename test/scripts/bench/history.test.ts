import { describe, expect, it } from 'vitest';
import { seededSku } from '../../../scripts/bench/history.ts';
import { skuAt, stockOf } from '../../../scripts/bench/stock.ts';
import { documentFaults, levelFaults, replay } from '../../../src/domain/invariants.ts';
import { windowLimit } from '../../../src/domain/movement.ts';
import { stateOf, windowMovementOf } from '../../../src/store/documents.ts';

describe('a seeded SKU', () => {
  const at = new Date('2025-01-01T00:00:00Z');

  it.each([3, 500])('has a past of %i movements that leads to its levels', (length) => {
    const { document, ledger } = seededSku(skuAt('many', 7), length, at);
    const history = replay(document.movements.map(windowMovementOf));
    const state = stateOf(document);
    expect(history.faults).toEqual([]);
    expect(levelFaults(state, history)).toEqual([]);
    expect(documentFaults(state, document.movements.length)).toEqual([]);
    expect(document.ledgeredThrough).toBe(length);
    expect(ledger.map((entry) => entry._id.ordinal)).toEqual(
      document.movements.map((movement) => movement.ordinal),
    );
  });

  it('fills its window where the stock says so', () => {
    expect(stockOf('many', 2).windowLength).toBe(windowLimit);
    expect(stockOf('many-new', 2).windowLength).toBeLessThan(10);
  });
});
