/** G9: what may be received of an order, whatever comes in which order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alterOrder, endOrder } from '../../src/domain/change-order.ts';
import type { PurchaseOrder } from '../../src/domain/purchase-order.ts';
import { parseOrderNumber } from '../../src/domain/ids.ts';
import {
  decideReceipt,
  letGo,
  limitOf,
  lineStatusOf,
  outcomeOf,
  parsePercent,
  receivableAtMost,
  refusalOfReceipt,
  remainingOf,
  statusOf,
  takeBack,
} from '../../src/domain/purchase-order.ts';
import { quantity, sku } from '../support/actions.ts';
import { orderWith, receiptOfKey } from '../support/receiving.ts';

const percent = (value: number) => parsePercent(value) ?? expect.fail(`${value} percent`);

function orderOf(ordered: number, tolerance = 0): PurchaseOrder {
  return { ...orderWith('PO', [1, 'A', ordered]), overReceiptPercent: percent(tolerance) };
}

describe('a tolerance', () => {
  it.each([
    [10, 0, 10],
    [10, 10, 11],
    [9, 10, 9],
    [3, 33.33, 3],
    [3, 33.34, 4],
    [1_000_000_000, 0.01, 1_000_100_000],
    [7, 100, 14],
    [1, 1_000, 11],
  ])('lets of %d with %d percent %d in', (ordered, tolerance, most) => {
    expect(receivableAtMost(ordered, percent(tolerance))).toBe(most);
  });

  it('is exact: the same as with integers of any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000_000 }),
        fc.integer({ min: 0, max: 100_000 }),
        (ordered, hundredths) => {
          const exact = (BigInt(ordered) * BigInt(10_000 + hundredths)) / 10_000n;
          expect(receivableAtMost(ordered, percent(hundredths / 100))).toBe(Number(exact));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([-1, 1_000.01, 0.001, 33.333, Number.NaN, Number.POSITIVE_INFINITY])(
    'is not %d percent',
    (value) => {
      expect(parsePercent(value)).toBeUndefined();
    },
  );

  it('may be 0.07, which no binary fraction is', () => {
    expect(parsePercent(0.07)).toBe(0.07);
  });
});

describe('statuses', () => {
  it.each([
    [0, 'open', 'open', 10],
    [4, 'partial', 'partial', 6],
    [10, 'complete', 'complete', 0],
    [11, 'over', 'complete', 0],
  ] as const)('of 10 ordered and %d received', (received, line, order, remaining) => {
    const start = orderOf(10, 20);
    const after = { ...start, lines: start.lines.map((of) => ({ ...of, received })) };
    const [first] = after.lines;
    if (first === undefined) throw new Error('no line');
    expect(lineStatusOf(first)).toBe(line);
    expect(remainingOf(first)).toBe(remaining);
    expect(statusOf(after)).toBe(order);
    expect(statusOf({ ...after, standing: 'closed' })).toBe('closed');
    expect(statusOf({ ...after, standing: 'cancelled' })).toBe('cancelled');
  });

  it('of an order are complete only when every line is', () => {
    const start = orderWith('PO', [1, 'A', 10], [2, 'B', 5]);
    const [one, two] = start.lines;
    if (one === undefined || two === undefined) throw new Error('no lines');
    expect(statusOf({ ...start, lines: [{ ...one, received: 10 }, two] })).toBe('partial');
  });
});

describe('receipts', () => {
  it('never bring in more than ordered and tolerance, in whatever order they come and go', () => {
    const receipt = fc.record({
      lines: fc.array(
        fc.record({ line: fc.constantFrom(1, 2), quantity: fc.integer({ min: 1, max: 12 }) }),
        { minLength: 1, maxLength: 3 },
      ),
      goesBack: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(receipt, { maxLength: 30 }),
        fc.integer({ min: 0, max: 50 }),
        (receipts, tolerance) => {
          let order = {
            ...orderWith('PO', [1, 'A', 20], [2, 'B', 10]),
            overReceiptPercent: percent(tolerance),
          };
          for (const [index, { lines, goesBack }] of receipts.entries()) {
            const asked = { receipt: receiptOfKey(`r${index}`), attempt: 1 };
            const accepted = refusalOfReceipt(order, lines) === undefined;
            const before = order.lines;
            order = { ...order, ...decideReceipt(order, asked, lines) };
            expect(outcomeOf(order, asked)?.kind).toBe(accepted ? 'credited' : 'refused');
            if (!accepted) expect(order.lines).toBe(before);
            for (const line of order.lines) {
              expect(line.received).toBeLessThanOrEqual(limitOf(order, line));
            }
            if (accepted && goesBack) {
              order = { ...order, ...takeBack(order, asked, 'returned', lines) };
              expect(order.lines).toEqual(before);
            }
            order = { ...order, ...letGo(order, asked.receipt) };
            expect(order.outcomes).toEqual([]);
          }
        },
      ),
    );
  });

  it('are judged with all their lines together', () => {
    const both = [
      { line: 1, quantity: 6 },
      { line: 1, quantity: 5 },
    ];
    expect(refusalOfReceipt(orderOf(10), both)).toEqual({
      code: 'over-receipt',
      line: 1,
      ordered: 10,
      received: 0,
      remaining: 10,
      requested: 11,
    });
    expect(refusalOfReceipt(orderOf(11), both)).toBeUndefined();
  });

  it('name lines of the order, and find it open', () => {
    expect(refusalOfReceipt(orderOf(10), [{ line: 7, quantity: 1 }])).toEqual({
      code: 'unknown-line',
      line: 7,
    });
    const closed = { ...orderOf(10), standing: 'closed' } as const;
    expect(refusalOfReceipt(closed, [{ line: 1, quantity: 1 }])).toMatchObject({
      code: 'purchase-order-closed',
      standing: 'closed',
    });
  });
});

describe('a change of an order', () => {
  const order = orderOf(10, 10);
  const received = { ...order, lines: order.lines.map((of) => ({ ...of, received: 8 })) };
  const altered = (lines: Parameters<typeof alterOrder>[1]['lines'], tolerance?: null) =>
    alterOrder(received, {
      lines,
      ...(tolerance === undefined ? {} : { overReceiptPercent: tolerance }),
    });

  it('may order more, or less down to what was received', () => {
    for (const ordered of [8, 9, 500]) {
      expect(altered([{ line: 1, ordered: quantity(ordered) }])).toMatchObject({
        kind: 'accepted',
        order: { lines: [{ ordered, received: 8 }] },
      });
    }
    expect(altered([{ line: 1, ordered: quantity(7) }])).toMatchObject({
      refusal: { code: 'below-received', line: 1, ordered: 7, received: 8 },
    });
  });

  it('may not take a tolerance away that was used', () => {
    const over = { ...order, lines: order.lines.map((of) => ({ ...of, received: 11 })) };
    expect(alterOrder(over, { overReceiptPercent: null, lines: [] })).toMatchObject({
      refusal: { code: 'below-received' },
    });
    expect(alterOrder(over, { supplier: 'B', lines: [] })).toMatchObject({ kind: 'accepted' });
    expect(altered([], null)).toMatchObject({ kind: 'accepted' });
  });

  it('adds a line only with its SKU and its quantity, and keeps the SKU of one that is there', () => {
    expect(altered([{ line: 2, sku: sku('B'), ordered: quantity(5) }])).toMatchObject({
      order: { lines: [{ line: 1 }, { line: 2, sku: 'B', ordered: 5, received: 0 }] },
    });
    for (const line of [
      { line: 2, sku: sku('B') },
      { line: 2, ordered: quantity(5) },
      { line: 1, sku: sku('B') },
    ]) {
      expect(altered([line])).toMatchObject({ refusal: { code: 'validation' } });
    }
  });

  it('is not made once it has ended', () => {
    const ended = endOrder(received, 'closed');
    if (ended.kind === 'refused') throw new Error('not closed');
    expect(alterOrder(ended.order, { lines: [] })).toMatchObject({
      refusal: { code: 'purchase-order-closed' },
    });
    expect(endOrder(ended.order, 'cancelled')).toMatchObject({ kind: 'refused' });
  });
});

describe('a number of an order', () => {
  it.each(['PO-1', '0017', 'A/B', 'é', 'ok 1'])('may be %s', (text) => {
    expect(parseOrderNumber(text)).toBe(text);
  });

  it.each(['', ' PO', '.', '..', 'a\u0000', '\ud800', 'x'.repeat(65)])('may not be %j', (text) => {
    expect(parseOrderNumber(text)).toBeUndefined();
  });
});
