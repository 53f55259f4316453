import { describe, expect, it } from 'vitest';
import type { Standing, Tally } from '../../../scripts/bench/conservation.ts';
import { conservationFaults, entryFaults } from '../../../scripts/bench/conservation.ts';
import type { Soil } from '../../../scripts/bench/ground.ts';
import { ConservationFault, createGround } from '../../../scripts/bench/ground.ts';
import { stockOf } from '../../../scripts/bench/stock.ts';

const opening = new Map<string, Standing>([
  ['A', { onHand: 1_000, movementCount: 500 }],
  ['B', { onHand: 1_000, movementCount: 500 }],
]);
const tallies = (acknowledged: number, unknown = 0) =>
  new Map<string, Tally>([['A', { acknowledged, unknown }]]);
const found = (onHand: number, movementCount: number) =>
  new Map<string, Standing>([
    ['A', { onHand, movementCount }],
    ['B', { onHand: 1_000, movementCount: 500 }],
  ]);

describe('conservation', () => {
  it('holds when levels and counts are what was acknowledged', () => {
    expect(conservationFaults(opening, tallies(30), found(970, 530))).toEqual([]);
  });

  it('lets what was never answered have happened or not, but whole', () => {
    for (const happened of [0, 1, 2]) {
      const now = found(970 - happened, 530 + happened);
      expect(conservationFaults(opening, tallies(30, 2), now)).toEqual([]);
    }
    expect(conservationFaults(opening, tallies(30, 2), found(967, 533))).toHaveLength(2);
    expect(conservationFaults(opening, tallies(30, 2), found(969, 530))).toEqual([
      'A: 31 units left in 30 movements of one unit each',
    ]);
  });

  it.each([
    ['a unit that was sold twice', found(971, 530)],
    ['a unit that nobody was told of', found(969, 530)],
    ['a movement that is not counted', found(970, 529)],
    ['a movement that is counted twice', found(970, 531)],
    ['an acknowledged movement that did not happen', found(971, 529)],
    ['a movement of another SKU', found(970, 530).set('B', { onHand: 999, movementCount: 501 })],
    ['a SKU from nowhere', found(970, 530).set('C', { onHand: 1, movementCount: 1 })],
    ['a SKU that is gone', new Map([['A', { onHand: 970, movementCount: 530 }]])],
  ])('notices %s', (_, now) => {
    expect(conservationFaults(opening, tallies(30), now)).not.toEqual([]);
  });

  it('notices claims and ledger entries that are too few or too many', () => {
    const all: Tally[] = [
      { acknowledged: 3, unknown: 0 },
      { acknowledged: 4, unknown: 1 },
    ];
    expect(entryFaults('claims', 10, all, 17)).toEqual([]);
    expect(entryFaults('claims', 10, all, 18)).toEqual([]);
    expect(entryFaults('claims', 10, all, 16)).toHaveLength(1);
    expect(entryFaults('claims', 10, all, 19)).toHaveLength(1);
  });
});

describe('a ground', () => {
  const stock = stockOf('one', 1);

  /** A database in which as many units left and as many entries were made as are said. */
  function soil(left: { units: number; movements: number; entries: number }): Soil {
    let seeded = false;
    return {
      seed: () => {
        seeded = true;
        return Promise.resolve();
      },
      standings: (skus) =>
        Promise.resolve(
          new Map(
            skus.map((sku) => [sku, { onHand: 100 - left.units, movementCount: left.movements }]),
          ),
        ),
      entries: () =>
        seeded
          ? Promise.resolve(new Map([['claims', left.entries]]))
          : Promise.reject(new Error('there is nothing yet')),
      drop: () => Promise.resolve(),
    };
  }

  it('stands as long as the database says what the clients were told', async () => {
    const left = { units: 0, movements: 0, entries: 0 };
    const ground = createGround('path', soil(left));
    await ground.ready(stock);
    for (let run = 1; run <= 2; run += 1) {
      Object.assign(left, { units: 5 * run, movements: 5 * run, entries: 5 * run });
      ground.credit(stock, [{ acknowledged: 5, unknown: 0 }]);
      await ground.check(stock);
    }
    await ground.audit();
  });

  it('fails loudly on a level that lies', async () => {
    const left = { units: 0, movements: 0, entries: 0 };
    const ground = createGround('path', soil(left));
    await ground.ready(stock);
    Object.assign(left, { units: 4, movements: 5 });
    ground.credit(stock, [{ acknowledged: 5, unknown: 0 }]);
    await expect(ground.check(stock)).rejects.toThrow(ConservationFault);
  });

  it('fails loudly on a claim too many', async () => {
    const left = { units: 0, movements: 0, entries: 0 };
    const ground = createGround('path', soil(left));
    await ground.ready(stock);
    Object.assign(left, { units: 5, movements: 5, entries: 6 });
    ground.credit(stock, [{ acknowledged: 5, unknown: 0 }]);
    await ground.check(stock);
    await expect(ground.audit()).rejects.toThrow('6 claims were added, 5 movements');
  });

  it('finds in the audit what left a SKU that nobody moved', async () => {
    const left = { units: 0, movements: 0, entries: 0 };
    const ground = createGround('path', soil(left));
    await ground.ready(stock);
    Object.assign(left, { units: 1, movements: 1 });
    await ground.check(stock);
    await expect(ground.audit()).rejects.toThrow('1 units left, 0 acknowledged');
  });

  it('counts from what is there when a second stock comes later', async () => {
    const left = { units: 0, movements: 0, entries: 0 };
    const ground = createGround('path', soil(left));
    await ground.ready(stock);
    Object.assign(left, { units: 5, movements: 5, entries: 5 });
    ground.credit(stock, [{ acknowledged: 5, unknown: 0 }]);
    await ground.ready(stockOf('many', 2));
    await ground.audit();
    Object.assign(left, { entries: 4 });
    await expect(ground.audit()).rejects.toThrow('4 claims were added');
  });
});
