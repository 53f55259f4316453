import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../scripts/replay/plan.ts';
import { planReplay } from '../../../scripts/replay/plan.ts';
import { requestsOf } from '../../../scripts/replay/requests.ts';
import type { Rows } from '../../../scripts/replay/rows.ts';
import { productOf, someRows } from './some-rows.ts';

function planOf(rows: Rows, prefix = 'T'): Plan {
  const planned = planReplay(rows, prefix);
  if (planned.kind === 'problems') throw new Error(planned.problems[0]?.message);
  return planned.value;
}

/** Every request of a plan, by its key. */
function keysOf(plan: Plan): readonly string[] {
  const { locations, skus, openings, ships } = requestsOf(plan);
  return [...locations, ...skus, ...openings, ...ships].map((request) => request.key);
}

function addTo(levels: Map<string, number>, sku: string, location: string, delta: number): number {
  const at = `${sku}@${location}`;
  const level = (levels.get(at) ?? 0) + delta;
  levels.set(at, level);
  return level;
}

describe('the plan of a replay', () => {
  it('leaves unitsInStock of every product, and runs no location short in any order', () => {
    const shuffled = someRows.chain((rows) => {
      const { ships } = planOf(rows);
      const order = fc.shuffledSubarray([...ships], {
        minLength: ships.length,
        maxLength: ships.length,
      });
      return fc.tuple(fc.constant(rows), order);
    });
    fc.assert(
      fc.property(shuffled, ([rows, ships]) => {
        const plan = planOf(rows);
        const levels = new Map<string, number>();
        for (const { sku, opening } of plan.skus) {
          for (const { location, quantity } of opening) addTo(levels, sku, location, quantity);
        }
        for (const { sku, location, quantity } of ships) {
          expect(addTo(levels, sku, location, -quantity)).toBeGreaterThanOrEqual(0);
        }
        for (const { sku, product } of plan.skus) {
          const left = plan.locations.map(({ location }) => levels.get(`${sku}@${location}`) ?? 0);
          expect(left.reduce((a, b) => a + b, 0)).toBe(product.unitsInStock);
          // What remains is spread: no two locations differ by more than one unit.
          expect(Math.max(...left) - Math.min(...left)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('ships every line once, for its quantity, and an order from one location', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const { ships } = planOf(rows);
        const named = (order: string, product: string, quantity: number) =>
          `${order}/${product}/${quantity}`;
        expect(ships.map((s) => named(s.orderId, s.productId, s.quantity)).sort()).toEqual(
          rows.lines.map((l) => named(l.orderID, l.productID, l.quantity)).sort(),
        );
        const served = new Set(ships.map((ship) => `${ship.orderId}@${ship.location}`));
        expect(served.size).toBe(new Set(ships.map((ship) => ship.orderId)).size);
      }),
    );
  });

  it('sends lines of one pair as ships of their own', () => {
    const plan = planOf({
      products: [productOf('7', 0)],
      orders: [{ line: 2, orderID: '1', orderDate: '2026-01-01' }],
      lines: [
        { line: 2, orderID: '1', productID: '7', quantity: 4 },
        { line: 3, orderID: '1', productID: '7', quantity: 4 },
      ],
    });
    expect(plan.ships.map((ship) => ship.occurrence)).toEqual([1, 2]);
    expect(new Set(requestsOf(plan).ships.map((request) => request.key)).size).toBe(2);
    expect(plan.skus[0]?.opening.map((line) => line.quantity)).toEqual([8]);
  });

  it('opens nothing for a product that neither sold nor remains', () => {
    const plan = planOf({ products: [productOf('7', 0)], orders: [], lines: [] });
    expect(plan.skus).toMatchObject([{ sku: 'T-0007', opening: [] }]);
    const requests = requestsOf(plan);
    expect(requests.openings).toEqual([]);
    expect(requests.checks).toEqual([{ sku: 'T-0007', unitsInStock: 0, openingKey: undefined }]);
  });

  it('turns away an opening that no single line can carry', () => {
    const rows: Rows = {
      products: [productOf('7', 3)],
      orders: [{ line: 2, orderID: '1', orderDate: '2026-01-01' }],
      lines: [{ line: 2, orderID: '1', productID: '7', quantity: 1_000_000_000 }],
    };
    expect(planReplay(rows, 'T')).toMatchObject({
      kind: 'problems',
      problems: [{ file: 'products.csv', line: 2 }],
    });
  });
});

describe('the keys of a replay', () => {
  it('are distinct, fit the service, and are the same for the same input', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const keys = keysOf(planOf(rows));
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{1,255}$/);
        expect(keysOf(planOf(structuredClone(rows)))).toEqual(keys);
      }),
    );
  });

  it('differ only for what another line changes', () => {
    fc.assert(
      fc.property(
        someRows.filter((rows) => rows.lines.length > 0),
        (rows) => {
          const [first, ...rest] = rows.lines;
          if (!first) return;
          const edited = [{ ...first, quantity: first.quantity + 1 }, ...rest];
          const before = keysOf(planOf(rows));
          const after = keysOf(planOf({ ...rows, lines: edited }));
          const changed = after.filter((key) => !before.includes(key));
          // The opening stock of its product, and the ship of the line itself.
          expect(changed.map((key) => key.split(':')[1]).sort()).toEqual(['opening', 'ship']);
        },
      ),
    );
  });

  it('do not depend on where a line stands in the file', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const unique = new Map(
          rows.lines.map((line) => [`${line.orderID}/${line.productID}`, line]),
        );
        const lines = [...unique.values()];
        const forwards = keysOf(planOf({ ...rows, lines })).toSorted();
        const backwards = keysOf(planOf({ ...rows, lines: lines.toReversed() })).toSorted();
        expect(backwards).toEqual(forwards);
      }),
    );
  });

  it('differ throughout under another prefix', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const other = new Set(keysOf(planOf(rows, 'U')));
        expect(keysOf(planOf(rows, 'T')).filter((key) => other.has(key))).toEqual([]);
      }),
    );
  });
});
