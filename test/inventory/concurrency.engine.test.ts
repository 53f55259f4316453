/** G2 and the races that others lost: many requests at one SKU, through several processes. */
import { describe, expect, it } from 'vitest';
import { action, adjust, receive, ship, transfer } from '../support/actions.ts';
import { done, outcome, useStockroom } from '../support/stockroom.ts';

const room = useStockroom();

function count(words: readonly string[], word: string): number {
  return words.filter((candidate) => candidate === word).length;
}

describe('50 ships of the last unit at once, through two processes', () => {
  it('sell it once', async () => {
    await room.stockSku('LAST', { A1: 1 });
    const processes = [room.process(), room.process()] as const;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        outcome(
          await processes[index % 2 === 0 ? 0 : 1].post(action(ship('A1', 1), { id: 'LAST' })),
        ),
      ),
    );
    expect(count(outcomes, 'moved')).toBe(1);
    expect(count(outcomes, 'insufficient-stock')).toBe(49);
    expect((await room.document('LAST')).levels).toEqual([{ location: 'A1', onHand: 0 }]);
    expect(await room.faults('LAST')).toEqual([]);
  });
});

describe('200 receives at once', () => {
  it('all count, each with its movement', async () => {
    await room.stockSku('MANY');
    const inventory = room.process();
    await Promise.all(
      Array.from({ length: 200 }, () => done(inventory, action(receive('A1', 1), { id: 'MANY' }))),
    );
    const document = await room.document('MANY');
    expect(document.levels).toEqual([{ location: 'A1', onHand: 200 }]);
    expect(document.movementCount).toBe(200);
    expect(await room.faults('MANY')).toEqual([]);
  });
});

describe('two lines of an order for one SKU, received as two movements', () => {
  it('both count', async () => {
    await room.stockSku('LINES');
    const inventory = room.process();
    await Promise.all(
      [10, 5].map((amount) => done(inventory, action(receive('A1', amount), { id: 'LINES' }))),
    );
    expect(await room.document('LINES')).toMatchObject({
      levels: [{ location: 'A1', onHand: 15 }],
      movementCount: 2,
    });
  });
});

describe('20 first receives of a new place of a SKU at once, through four processes', () => {
  it('make one level that counts them all', async () => {
    await room.stockSku('FIRST');
    const processes = Array.from({ length: 4 }, () => room.process());
    await Promise.all(
      processes.flatMap((inventory) =>
        Array.from({ length: 5 }, () => done(inventory, action(receive('B1', 1), { id: 'FIRST' }))),
      ),
    );
    expect((await room.document('FIRST')).levels).toEqual([{ location: 'B1', onHand: 20 }]);
    expect(await room.faults('FIRST')).toEqual([]);
  });
});

describe('a refused request', () => {
  it('leaves the document as it was, to the last byte', async () => {
    await room.stockSku('STILL', { A1: 5 });
    const before = await room.document('STILL');
    const inventory = room.process();
    for (const [change, code] of [
      [ship('A1', 6), 'insufficient-stock'],
      [transfer('B1', 'A1', 5), 'insufficient-stock'],
      [adjust('A1', -6), 'insufficient-stock'],
      [transfer('A1', 'A1', 1), 'same-location'],
      [receive('NOWHERE', 1), 'unknown-location'],
    ] as const) {
      expect(outcome(await inventory.post(action(change, { id: 'STILL' })))).toBe(code);
    }
    expect(outcome(await inventory.post(action(ship('A1', 1), { id: 'NO-SUCH' })))).toBe(
      'unknown-sku',
    );
    expect(await room.document('STILL')).toEqual(before);
  });

  it('concerns only itself in a batch', async () => {
    await room.stockSku('MIXED', { A1: 10 });
    const inventory = room.process();
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        outcome(
          await inventory.post(action(ship('A1', index % 3 === 0 ? 1 : 50), { id: 'MIXED' })),
        ),
      ),
    );
    expect(count(outcomes, 'moved')).toBe(10);
    expect(count(outcomes, 'insufficient-stock')).toBe(20);
    expect((await room.document('MIXED')).levels).toEqual([{ location: 'A1', onHand: 0 }]);
    expect(await room.faults('MIXED')).toEqual([]);
  });
});
