import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listOf, readCursor, writeCursor } from '../../src/http/cursor.ts';

const history = listOf('history', { sku: 'A' }, z.int().min(1));
const foreign = { ok: false, problem: { code: 'validation' } };

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a cursor', () => {
  it('leads back to its place', () => {
    expect(readCursor(history, writeCursor(history, 17))).toEqual({ ok: true, value: 17 });
  });

  it('is missing at the beginning of a list', () => {
    expect(readCursor(history, undefined)).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ['another list', listOf('stock', { sku: 'A' }, z.int())],
    ['another SKU', listOf('history', { sku: 'B' }, z.int())],
    ['other filters', listOf('history', { sku: 'A', type: 'ship' }, z.int())],
  ])('of %s is refused', (_, list) => {
    expect(readCursor(history, writeCursor(list, 17))).toMatchObject(foreign);
  });

  it.each([
    '',
    'abc',
    '!!',
    '17',
    encoded(null),
    encoded([history.scope, 17]),
    encoded({ in: history.scope }),
    encoded({ in: history.scope, after: 0 }),
    encoded({ in: history.scope, after: '17' }),
    encoded({ in: history.scope, after: { $gt: 0 } }),
    encoded({ in: history.scope, after: 17, more: 1 }),
    `${writeCursor(history, 17)}=`,
    ` ${writeCursor(history, 17)}`,
    Buffer.from('['.repeat(5_000)).toString('base64url'),
  ])('%j is not ours', (cursor) => {
    expect(readCursor(history, cursor)).toMatchObject(foreign);
  });
});
