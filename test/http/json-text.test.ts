import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, roundsToWhole } from '../../src/http/json-text.ts';

function codeOf(text: string): string {
  const result = parseJson(text);
  return result.ok ? 'read' : result.problem.code;
}

describe('JSON text', () => {
  it.each([
    ['{"a":1}', 'read'],
    ['[1]', 'read'],
    ['{"quantity":1', 'malformed-json'],
    ['{"quantity":NaN}', 'malformed-json'],
    ['{"a":1,}', 'malformed-json'],
    ['{"a":1} x', 'malformed-json'],
    ['/* c */ {}', 'malformed-json'],
    ['5', 'malformed-json'],
    ['"text"', 'malformed-json'],
    ['null', 'malformed-json'],
    ['', 'malformed-json'],
    ['{"a":1,"a":1}', 'duplicate-member'],
    ['{"a":{"b":1,"b":2}}', 'duplicate-member'],
    ['[{"a":1},{"a":1}]', 'read'],
    ['{"a":1,"\\u0061":2}', 'duplicate-member'],
    ['{"__proto__":1,"__proto__":2}', 'duplicate-member'],
    ['{"a":1,"a":', 'malformed-json'],
    ['{"a":1.00000000000000000001}', 'validation'],
  ])('%s: %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('reads 32 levels and no more', () => {
    const nested = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);
    expect(codeOf(nested(32))).toBe('read');
    expect(codeOf(nested(33))).toBe('too-deep');
  });

  it.each([20_000, 1_000_000])('survives %i levels', (levels) => {
    expect(codeOf('['.repeat(levels))).toBe('too-deep');
    expect(codeOf('{"a":'.repeat(levels))).toBe('too-deep');
  });

  it('names the place of what occurs twice', () => {
    const result = parseJson('{"lines":[{"a/b":1,"a/b":2}]}');
    expect(result).toMatchObject({ problem: { members: { path: '/lines/0/a~1b' } } });
  });

  it('keeps a member named __proto__ as a member', () => {
    const result = parseJson('{"__proto__":{"polluted":true}}');
    expect(JSON.stringify(result)).toBe('{"ok":true,"value":{"__proto__":{"polluted":true}}}');
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('reads whatever JSON.stringify writes of an object', () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 10 }));
    fc.assert(
      fc.property(objects, (object) => {
        const text = JSON.stringify(object);
        const value: unknown = JSON.parse(text);
        expect(parseJson(text)).toEqual({ ok: true, value });
      }),
    );
  });
});

describe('a number that reads as another one', () => {
  it.each(['1.00000000000000000001', '0.99999999999999999999', '1e-400', '12345e-400'])(
    '%s is a fraction',
    (literal) => {
      expect(roundsToWhole(literal)).toBe(true);
    },
  );

  it.each(['1', '1.0', '1.50', '0', '-0.0', '1e3', '1.5e1', '100e-2', '0e-400', '1e400', 'true'])(
    '%s reads as it is written',
    (literal) => {
      expect(roundsToWhole(literal)).toBe(false);
    },
  );
});
