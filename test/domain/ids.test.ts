import { describe, expect, it } from 'vitest';
import {
  isWellFormed,
  parseActionId,
  parseActor,
  parseLocationId,
  parseSku,
  utf8Length,
} from '../../src/domain/ids.ts';
import { parseDelta, parsePackSize, parseQuantity, unpack } from '../../src/domain/quantity.ts';
import { actor, quantity } from '../support/actions.ts';

describe('a SKU', () => {
  it.each([
    'A/B',
    'a.b',
    '.x',
    '$x',
    '0017',
    '90.750',
    '416242-L',
    '__proto__',
    'constructor',
    '🧰',
    'a b',
  ])('may be %s, and stays what it is', (text) => {
    expect(parseSku(text)).toBe(text);
  });

  it('is one and the same composed and decomposed', () => {
    expect(parseSku('caf\u0065\u0301')).toBe(parseSku('caf\u00e9'));
  });

  it('is told from its near matches', () => {
    expect(parseSku('ab1')).not.toBe(parseSku('AB1'));
    expect(parseSku('17')).not.toBe(parseSku('0017'));
  });

  it.each([
    '',
    '.',
    '..',
    ' AB1',
    'AB1 ',
    '\u00a0A',
    'a\u0000b',
    'a\nb',
    'a\u2028b',
    '\ud800',
    'x'.repeat(65),
  ])('may not be %j', (text) => {
    expect(parseSku(text)).toBeUndefined();
  });

  it('counts code points, not code units', () => {
    expect(parseSku('🧰'.repeat(64))).toBeDefined();
    expect(parseSku('🧰'.repeat(65))).toBeUndefined();
  });
});

describe('a location', () => {
  it.each(['A.B', '$x', '__proto__', 'constructor', 'a1', '', 'A'.repeat(33), '-A', 'A1\n'])(
    'may not be %j',
    (text) => {
      expect(parseLocationId(text)).toBeUndefined();
    },
  );
  it('may be A-1_B', () => {
    expect(parseLocationId('A-1_B')).toBe('A-1_B');
  });
});

describe('an action id', () => {
  it('is the actor and the key, so that two actors never share one', () => {
    expect(parseActionId(actor, 'k1')).toBe('tester/k1');
    expect(parseActor('~service')).toBeUndefined();
  });
  it.each(['', 'a b', 'é', 'x'.repeat(256), 'a\tb'])('takes no key such as %j', (key) => {
    expect(parseActionId(actor, key)).toBeUndefined();
  });
});

describe('text', () => {
  it('is measured in UTF-8', () => {
    for (const text of ['abc', 'é', '€', '🧰', 'a€🧰']) {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }
  });
  it('has no lone surrogate', () => {
    expect(isWellFormed('🧰')).toBe(true);
    expect(isWellFormed('\udc00')).toBe(false);
  });
});

describe('a quantity', () => {
  it.each([0, -5, 1.5, Number.NaN, Infinity, 1_000_000_001, 2 ** 53])('is not %d', (value) => {
    expect(parseQuantity(value)).toBeUndefined();
  });
  it('is a whole number up to 1,000,000,000', () => {
    expect(parseQuantity(1e3)).toBe(1000);
    expect(parseQuantity(1_000_000_000)).toBe(1_000_000_000);
    expect(parseDelta(0)).toBeUndefined();
  });
  it('is unpacked exactly or not at all', () => {
    const dozen = parsePackSize(12);
    if (dozen === undefined) throw new Error('no dozen');
    expect(unpack(quantity(83_333_333), dozen)).toBe(999_999_996);
    expect(unpack(quantity(83_333_334), dozen)).toBeUndefined();
    expect(parsePackSize(1)).toBeUndefined();
  });
});
