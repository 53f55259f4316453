import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/domain/api-key.ts';
import { parseApiKeyId } from '../../src/domain/api-key.ts';
import { authentication, bearerSecret } from '../../src/http/auth.ts';
import type { ApiKeys } from '../../src/inventory/api-key-ports.ts';
import { actor, instant } from '../support/actions.ts';

function holding(found: Awaited<ReturnType<ApiKeys['holder']>>): Pick<ApiKeys, 'holder'> {
  return { holder: () => Promise.resolve(found) };
}

const nobody = holding({ kind: 'missing' });

describe('the admin key', () => {
  it('lets in whoever knows it, as admin', async () => {
    expect(await authentication('a-secret-of-length', nobody)('a-secret-of-length')).toEqual({
      kind: 'known',
      principal: { actor: 'admin', role: 'admin' },
    });
  });

  it.each(['', 'a-secret-of-lengt', 'a-secret-of-length ', 'A-secret-of-length'])(
    'keeps out %j',
    async (secret) => {
      const asked = await authentication('a-secret-of-length', nobody)(secret);
      expect(asked).toEqual({ kind: 'nobody' });
    },
  );

  it('lets nobody in where none is set', async () => {
    expect(await authentication(undefined, nobody)('undefined')).toEqual({ kind: 'nobody' });
  });
});

describe('a key that was made', () => {
  it('acts under its name, in its role', async () => {
    const id = parseApiKeyId('0190b5d0-0000-7000-8000-000000000000') ?? expect.fail('an id');
    const key: ApiKey = {
      id,
      name: actor,
      role: 'scanner',
      createdBy: actor,
      createdAt: instant(1),
    };
    const asked = await authentication(undefined, holding({ kind: 'found', value: key }))('x');
    expect(asked).toEqual({
      kind: 'known',
      principal: { actor, keyId: id, role: 'scanner' },
    });
  });

  it('is neither known nor refused while the database cannot be asked', async () => {
    const away = holding({ kind: 'unknown', cause: 'away' });
    expect(await authentication(undefined, away)('x')).toEqual({ kind: 'unknown', cause: 'away' });
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
