/** Rows for the tests of the plan: consistent ones, made by fast-check. */
import fc from 'fast-check';
import type { Rows } from '../../../scripts/replay/rows.ts';

export function productOf(productID: string, unitsInStock: number): Rows['products'][number] {
  return {
    line: 2,
    productID,
    productName: `Product ${productID}`,
    quantityPerUnit: '',
    unitsInStock,
    reorderLevel: 0,
    discontinued: false,
  };
}

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const wholeId = fc.integer({ min: 1, max: 99_999 }).map(String);

/** Any folder: products and orders with distinct ids, lines that may name a pair twice. */
export const someRows: fc.Arbitrary<Rows> = fc
  .record({
    products: fc.uniqueArray(fc.tuple(wholeId, fc.nat(5_000)), {
      minLength: 1,
      maxLength: 8,
      selector: ([id]) => id,
    }),
    orders: fc.uniqueArray(fc.tuple(wholeId, day), { maxLength: 12, selector: ([id]) => id }),
    picks: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 400 })), {
      maxLength: 40,
    }),
  })
  .map(({ products, orders, picks }) => ({
    products: products.map(([id, units]) => productOf(id, units)),
    orders: orders.map(([orderID, orderDate]) => ({ line: 2, orderID, orderDate })),
    lines: picks.flatMap(([orderAt, productAt, quantity], index) => {
      const order = orders[orderAt % Math.max(1, orders.length)];
      const product = products[productAt % products.length];
      if (!order || !product) return [];
      return [{ line: index + 2, orderID: order[0], productID: product[0], quantity }];
    }),
  }));
