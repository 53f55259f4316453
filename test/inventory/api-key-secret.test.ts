import { describe, expect, it } from 'vitest';
import { createApiKeys } from '../../src/inventory/api-keys.ts';
import { isSecret, makeSecret } from '../../src/inventory/api-key-secret.ts';
import { actor } from '../support/actions.ts';

describe('a secret', () => {
  it('has 256 random bits and can be told from other texts', () => {
    const secrets = new Set(Array.from({ length: 1_000 }, makeSecret));
    expect(secrets.size).toBe(1_000);
    for (const secret of secrets) expect(isSecret(secret)).toBe(true);
  });

  it('that was cut off or mistyped is told from a whole one', () => {
    const secret = makeSecret();
    expect(isSecret(secret.slice(0, -1))).toBe(false);
    for (let place = 0; place < secret.length; place += 1) {
      const other = secret[place] === 'a' ? 'b' : 'a';
      expect(isSecret(secret.slice(0, place) + other + secret.slice(place + 1))).toBe(false);
    }
  });

  it('that does not check is refused without a call of the database', async () => {
    const neverAsked = () => Promise.reject(new Error('the database was asked'));
    const keys = createApiKeys(
      {
        apiKeys: {
          insert: neverAsked,
          bySecret: neverAsked,
          find: neverAsked,
          list: neverAsked,
          revoke: neverAsked,
          rotate: neverAsked,
          isAnyValid: neverAsked,
        },
        mark: { read: neverAsked, advance: neverAsked },
      },
      actor,
    );
    expect(await keys.holder('stk_nonsense')).toEqual({ kind: 'missing' });
    await expect(keys.holder(makeSecret())).rejects.toThrow('asked');
  });

  it('is asked for again after a look-up that failed in a way of its own', async () => {
    let asked = 0;
    const failing = () => {
      asked += 1;
      return Promise.reject(new Error('a defect'));
    };
    const keys = createApiKeys(
      {
        apiKeys: {
          insert: failing,
          bySecret: failing,
          find: failing,
          list: failing,
          revoke: failing,
          rotate: failing,
          isAnyValid: failing,
        },
        mark: { read: failing, advance: failing },
      },
      actor,
    );
    const secret = makeSecret();
    await expect(keys.holder(secret)).rejects.toThrow('a defect');
    await expect(keys.holder(secret)).rejects.toThrow('a defect');
    expect(asked).toBe(2);
  });
});
