import * as bson from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bigintValue,
  MalformedDocument,
  numberValue,
  readElements,
  stringValue,
  withoutFields,
} from '../../../../scripts/local-engine/gateway/raw-document.ts';

const everyType = {
  double: new bson.Double(1),
  string: 'text \0 with a zero',
  document: { inner: { deep: 1 } },
  array: [1, 'two', { three: 3 }],
  binary: new bson.Binary(Buffer.from([1, 2, 3])),
  objectId: new bson.ObjectId('0123456789abcdef01234567'),
  boolean: true,
  date: new Date(1_700_000_000_000),
  nothing: null,
  regex: new bson.BSONRegExp('^a', 'i'),
  code: new bson.Code('x => x'),
  codeWithScope: new bson.Code('x => y', { y: 1 }),
  int: new bson.Int32(7),
  timestamp: new bson.Timestamp({ t: 1, i: 2 }),
  long: bson.Long.fromString('9007199254740993'),
  decimal: bson.Decimal128.fromString('1.50'),
  min: new bson.MinKey(),
  max: new bson.MaxKey(),
};
const bytes = Buffer.from(bson.serialize(everyType));

describe('the raw document', () => {
  it('finds every element of every type, end to end', () => {
    const elements = readElements(bytes);
    expect(elements.map((element) => element.name)).toEqual(Object.keys(everyType));
    let at = 4;
    for (const element of elements) {
      expect(element.start).toBe(at);
      at = element.end;
    }
    expect(at).toBe(bytes.length - 1);
  });

  it.each(Object.keys(everyType))('loses %s and leaves the other bytes alone', (name) => {
    const left = withoutFields(bytes, readElements(bytes), new Set([name]));
    const expected = Object.fromEntries(Object.entries(everyType).filter(([key]) => key !== name));
    expect(left).toEqual(Buffer.from(bson.serialize(expected)));
  });

  it('is the same bytes when nothing is to be cut, and empty when everything is', () => {
    const elements = readElements(bytes);
    expect(withoutFields(bytes, elements, new Set(['other']))).toBe(bytes);
    expect(withoutFields(bytes, elements, new Set(Object.keys(everyType)))).toEqual(
      Buffer.from(bson.serialize({})),
    );
  });

  it('reads numbers and strings by their type', () => {
    const read = new Map(readElements(bytes).map((element) => [element.name, element]));
    const at = (name: string) => {
      const element = read.get(name);
      if (element === undefined) throw new Error(`no ${name}`);
      return element;
    };
    expect(numberValue(bytes, at('int'))).toBe(7);
    expect(numberValue(bytes, at('double'))).toBe(1);
    expect(numberValue(bytes, at('string'))).toBeUndefined();
    expect(bigintValue(bytes, at('long'))).toBe(9_007_199_254_740_993n);
    expect(bigintValue(bytes, at('int'))).toBe(7n);
    expect(stringValue(bytes, at('string'))).toBe('text \0 with a zero');
    expect(stringValue(bytes, at('int'))).toBeUndefined();
  });

  it('is refused when it is cut short anywhere', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => readElements(bytes.subarray(0, length))).toThrow(MalformedDocument);
    }
  });

  it('is read or refused, never anything else, whatever byte is wrong', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const wrong = Buffer.from(bytes);
        wrong[at] = byte;
        try {
          readElements(wrong);
        } catch (error) {
          if (!(error instanceof MalformedDocument)) throw error;
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
