import { describe, expect, it } from 'vitest';
import { adminKey, bearerSecret } from '../../src/http/auth.ts';

describe('the admin key', () => {
  it('lets in whoever knows it, as admin', async () => {
    expect(await adminKey('a-secret-of-length')('a-secret-of-length')).toEqual({ actor: 'admin' });
  });

  it.each(['', 'a-secret-of-lengt', 'a-secret-of-length ', 'A-secret-of-length'])(
    'keeps out %j',
    async (secret) => {
      expect(await adminKey('a-secret-of-length')(secret)).toBeUndefined();
    },
  );

  it('lets nobody in where none is set', async () => {
    expect(await adminKey(undefined)('undefined')).toBeUndefined();
  });
});

describe('a bearer secret', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['Bearer   abc', 'abc'],
    [undefined, undefined],
    ['', undefined],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Basic abc', undefined],
    ['Bearer a b', undefined],
    ['Bearerabc', undefined],
  ])('%j carries %j', (header, secret) => {
    expect(bearerSecret(header)).toBe(secret);
  });
});
