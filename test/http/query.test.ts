import { describe, expect, it } from 'vitest';
import { readQuery } from '../../src/http/query.ts';

describe('a query', () => {
  it.each([
    ['/v1/skus', {}],
    ['/v1/skus?', {}],
    ['/v1/skus?q=a+b&limit=5', { q: 'a b', limit: '5' }],
    ['/v1/skus?q=%C3%A9%26', { q: 'é&' }],
    ['/v1/skus?q=a=b', { q: 'a=b' }],
    ['/v1/skus?flag', { flag: '' }],
  ])('%s is read', (url, value) => {
    expect(readQuery(url)).toEqual({ ok: true, value });
  });

  it('keeps a parameter named __proto__ as a parameter', () => {
    const query = readQuery('/v1/skus?__proto__=x');
    expect(query.ok && Object.keys(query.value)).toEqual(['__proto__']);
  });

  it.each(['/v1/skus?q=%E0%A4%A', '/v1/skus?%=1', '/v1/skus?q=%FF'])('%s is malformed', (url) => {
    expect(readQuery(url)).toMatchObject({ problem: { code: 'malformed-query' } });
  });

  it('refuses a parameter that is given twice, whatever its spelling', () => {
    expect(readQuery('/v1/skus?limit=1&%6Cimit=2')).toMatchObject({
      problem: { code: 'validation', members: { errors: [{ path: '?limit' }] } },
    });
  });
});
