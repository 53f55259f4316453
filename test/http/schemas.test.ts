import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseWith } from '../../src/http/parse.ts';
import { movementBody, skuBody, historyQuery, pageQuery } from '../../src/http/schemas.ts';

const receive = { type: 'receive', sku: 'S', location: 'A', quantity: 1 };
const adjust = { type: 'adjust', sku: 'S', location: 'A', delta: -1, reason: 'lost' };

/** `ok`, or the code and the places of what is wrong. */
function movement(body: unknown): string {
  return said(parseWith(movementBody, body, 'body'));
}

const errorsSchema = z.object({ errors: z.array(z.object({ path: z.string() })) });

function said(result: ReturnType<typeof parseWith>): string {
  if (result.ok) return 'ok';
  const { errors } = errorsSchema.parse(result.problem.members);
  return [result.problem.code, ...errors.map(({ path }) => path)].join(' ');
}

describe('a movement', () => {
  it.each([
    receive,
    { ...receive, unit: 'case', reference: 'PO-1', note: '' },
    { type: 'ship', sku: 'S', lines: [{ location: 'A', quantity: 1, unit: 'case' }] },
    { type: 'transfer', sku: 'S', from: 'A', to: 'B', quantity: 1 },
    adjust,
    { type: 'adjust', sku: 'S', lines: [{ location: 'A', delta: 5 }], reason: 'found' },
    { ...adjust, reason: 'other', note: 'dropped' },
    { ...receive, quantity: 1_000_000_000 },
    { ...receive, note: 'x'.repeat(200) },
    { ...receive, note: '\u0000 $$NOW\n<img onerror=1> =1+1 \u{1F4E6} \u202E' },
    { ...receive, sku: 'A/B' },
  ])('%j is understood', (body) => {
    expect(movement(body)).toBe('ok');
  });

  it.each([[0], [-5], [1.5], ['5'], [true], [null], [2 ** 53], [Infinity], [1_000_000_001], [[1]]])(
    'cannot have the quantity %j',
    (quantity) => {
      expect(movement({ ...receive, quantity })).toBe('validation /quantity');
    },
  );

  it.each([[0], [-0], [0.5], ['-1'], [1_000_000_001]])('cannot have the delta %j', (delta) => {
    expect(movement({ ...adjust, delta })).toBe('validation /delta');
  });

  it.each([{ $ne: '' }, 5, '', ' A', 'A ', '.', '..', 'A\u0000', '\ud800', 'x'.repeat(65)])(
    'cannot be of the SKU %j',
    (sku) => {
      expect(movement({ ...receive, sku })).toBe('validation /sku');
    },
  );

  it.each(['A.B', '$x', '__proto__', 'constructor', 'a', '', { $gt: '' }, 'A'.repeat(33), 'A\n'])(
    'cannot be at the location %j',
    (location) => {
      expect(movement({ ...receive, location })).toBe('validation /location');
    },
  );

  it.each([
    [{}, 'validation /type'],
    [[], 'validation '],
    [{ ...receive, type: 'reserve' }, 'validation /type'],
    [{ ...receive, type: '__proto__' }, 'validation /type'],
    [{ type: 'receive', sku: 'S' }, 'validation /location /quantity'],
    [{ type: 'receive', sku: 'S', lines: [] }, 'validation /lines'],
    [{ ...receive, lines: [{ location: 'A', quantity: 1 }] }, 'validation /location /quantity'],
    [
      { type: 'ship', sku: 'S', unit: 'case', lines: [{ location: 'A', quantity: 1 }] },
      'validation /unit',
    ],
    [
      { type: 'ship', sku: 'S', lines: Array(51).fill({ location: 'A', quantity: 1 }) },
      'validation /lines',
    ],
    [
      { type: 'ship', sku: 'S', lines: [{ location: 'A', quantity: 0 }] },
      'validation /lines/0/quantity',
    ],
    [
      { type: 'ship', sku: 'S', lines: [{ location: 'A', quantity: 1, x: 1 }] },
      'unknown-field /lines/0/x',
    ],
    [{ type: 'transfer', sku: 'S', from: 'A', quantity: 1 }, 'validation /to'],
    [{ ...adjust, reason: 'count_variance' }, 'validation /reason'],
    [{ ...adjust, reason: 'other' }, 'validation /note'],
    [{ ...adjust, reason: 'other', note: '  ' }, 'validation /note'],
    [{ ...receive, note: 'x'.repeat(201) }, 'validation /note'],
    [{ ...receive, note: '\u{1F4E6}'.repeat(101) }, 'validation /note'],
    [{ ...receive, reference: 'a\udfff' }, 'validation /reference'],
    [{ ...receive, unit: null }, 'validation /unit'],
    [{ ...receive, version: 3 }, 'unknown-field /version'],
    [{ ...receive, onHand: 3, actor: 'x' }, 'unknown-field /onHand /actor'],
    [
      JSON.parse('{"type":"receive","sku":"S","location":"A","quantity":1,"__proto__":{}}'),
      'unknown-field /__proto__',
    ],
    [{ ...receive, constructor: 1 }, 'unknown-field /constructor'],
    [{ ...receive, quantity: 0, version: 3 }, 'validation /quantity /version'],
    [{ type: 'receive', sku: 'S', version: 3 }, 'validation /version /location /quantity'],
    [{ ...receive, 'a/b~c': 3 }, 'unknown-field /a~1b~0c'],
  ])('%j: %s', (body, expected) => {
    expect(movement(body)).toBe(expected);
  });

  it('knows composed and decomposed spellings of a SKU as one', () => {
    const result = parseWith(movementBody, { ...receive, sku: 'cafe\u0301' }, 'body');
    expect(result).toMatchObject({ value: { sku: 'caf\u00e9' } });
  });
});

describe('a SKU definition', () => {
  it('clears what it leaves out', () => {
    expect(parseWith(skuBody, { description: 'Bolt' }, 'body')).toEqual({
      ok: true,
      value: { description: 'Bolt', baseUnit: 'each', packs: [], barcodes: [], status: 'active' },
    });
  });

  it.each([
    [{}, 'validation /description'],
    [{ description: '' }, 'validation /description'],
    [{ description: 'x'.repeat(501) }, 'validation /description'],
    [{ description: 'd', baseUnit: 'x'.repeat(33) }, 'validation /baseUnit'],
    [{ description: 'd', packs: [{ unit: 'case', contains: 1 }] }, 'validation /packs/0/contains'],
    [{ description: 'd', packs: [{ unit: 'each', contains: 2 }] }, 'validation /packs/0/unit'],
    [
      {
        description: 'd',
        packs: [
          { unit: 'case', contains: 2 },
          { unit: 'case', contains: 3 },
        ],
      },
      'validation /packs/1/unit',
    ],
    [{ description: 'd', barcodes: [{ code: '' }] }, 'validation /barcodes/0/code'],
    [{ description: 'd', barcodes: [{ code: '1' }, { code: '1' }] }, 'validation /barcodes/1/code'],
    [{ description: 'd', barcodes: [{ code: '1', unit: 'box' }] }, 'validation /barcodes/0/unit'],
    [{ description: 'd', barcodes: Array(51).fill({ code: '1' }) }, 'validation /barcodes'],
    [{ description: 'd', reorderPoint: -1 }, 'validation /reorderPoint'],
    [{ description: 'd', reorderPoint: 0.5 }, 'validation /reorderPoint'],
    [{ description: 'd', status: 'gone' }, 'validation /status'],
    [{ description: 'd', sku: 'S' }, 'unknown-field /sku'],
  ])('%j: %s', (body, expected) => {
    expect(said(parseWith(skuBody, body, 'body'))).toBe(expected);
  });

  it('has no negative zero', () => {
    const result = parseWith(skuBody, { description: 'd', reorderPoint: -0 }, 'body');
    expect(result.ok && result.value.reorderPoint).toBe(0);
  });
});

describe('the query of a list', () => {
  it('asks for 50 entries where it says nothing', () => {
    expect(parseWith(pageQuery, {}, 'query')).toEqual({ ok: true, value: { limit: 50 } });
  });

  it.each(['0', '-1', '201', '100000', 'abc', '', '1.5', '1e2', '007', ' 5'])(
    'cannot have the limit %j',
    (limit) => {
      expect(said(parseWith(pageQuery, { limit }, 'query'))).toBe('validation ?limit');
    },
  );

  it.each([
    [{ from: '2030-01-31T12:00:00Z', to: '2030-01-31T12:00:00.5+02:00' }, 'ok'],
    [{ from: 'yesterday' }, 'validation ?from'],
    [{ from: '2030-01-31' }, 'validation ?from'],
    [{ from: '2030-01-31T12:00:00' }, 'validation ?from'],
    [{ to: '2030-02-30T12:00:00Z' }, 'validation ?to'],
    [{ from: '0000-01-01T14:00:00+14:00', to: '9999-12-31T09:59:59.999-14:00' }, 'ok'],
    // Answers could not say these in years of four digits.
    [{ from: '0000-01-01T13:59:59.999+14:00' }, 'validation ?from'],
    [{ to: '9999-12-31T10:00:00-14:00' }, 'validation ?to'],
    [{ type: 'theft' }, 'validation ?type'],
    [{ location: 'a' }, 'validation ?location'],
    [{ offset: '5' }, 'unknown-field ?offset'],
  ])('%j: %s', (query, expected) => {
    expect(said(parseWith(historyQuery, query, 'query'))).toBe(expected);
  });
});
