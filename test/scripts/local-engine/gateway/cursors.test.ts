import { describe, expect, it } from 'vitest';
import {
  createCursorTable,
  type Cursor,
} from '../../../../scripts/local-engine/gateway/cursors.ts';

function cursor(id: bigint, onDiscard?: () => void): Cursor {
  const session =
    onDiscard === undefined ? undefined : { run: () => Promise.resolve([]), discard: onDiscard };
  return { id, database: 'd', maxTimeMs: 0, session, continuation: Buffer.alloc(0) };
}

describe('the cursor table', () => {
  it('lends a cursor to one reader at a time', () => {
    const table = createCursorTable(2);
    table.add(cursor(1n));
    const lent = table.borrow(1n);
    expect(() => table.borrow(1n)).toThrow(expect.objectContaining({ code: 143 }));
    table.giveBack(lent);
    expect(table.borrow(1n)).toBe(lent);
    table.close();
  });

  it('forgets a cursor once, and its session with it', () => {
    const table = createCursorTable(2);
    const discarded: string[] = [];
    table.add(cursor(1n, () => discarded.push('one')));
    expect(table.remove(1n)).toBe(true);
    expect(table.remove(1n)).toBe(false);
    expect(discarded).toEqual(['one']);
    expect(() => table.borrow(1n)).toThrow(expect.objectContaining({ code: 43 }));
    table.close();
  });

  it('makes room for a session by ending the one that was idle longest', () => {
    const table = createCursorTable(2);
    const discarded: string[] = [];
    table.add(cursor(1n, () => discarded.push('one')));
    table.add(cursor(2n, () => discarded.push('two')));
    table.giveBack(table.borrow(1n));
    table.add(cursor(3n, () => discarded.push('three')));
    expect(discarded).toEqual(['two']);
    table.close();
    expect(discarded).toEqual(['two', 'one', 'three']);
  });
});
