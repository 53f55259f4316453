/** Requests about stock counts that are turned away, over real HTTP. */
import { beforeAll, describe, expect, it } from 'vitest';
import { countClient, idOf } from '../support/count-client.ts';
import { freshKey, outcomeOf, problemOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
const { makeLocations, newSku, open, opened, put, end, show } = countClient(client);

beforeAll(makeLocations);

describe('turned away', () => {
  it.each([
    ['no location', { locations: [] }],
    ['a location twice', { locations: ['A', 'A'] }],
    ['a SKU twice', { locations: ['A'], skus: ['count/1', 'count/1'] }],
    ['a SKU in two spellings', { locations: ['A'], skus: ['caf\u00e9', 'cafe\u0301'] }],
    ['no SKU', { locations: ['A'], skus: [] }],
    ['a lone surrogate', '{"locations":["A"],"skus":["\\ud800"]}'],
    ['an operator', { locations: [{ $gt: '' }] }],
    ['a location that is none', { locations: ['$x'] }],
    ['blind in words', { locations: ['A'], blind: 'yes' }],
    ['null for SKUs', { locations: ['A'], skus: null }],
    [
      'more than 2,000 pairs',
      {
        locations: Array.from({ length: 21 }, (_, n) => `L${n}`),
        skus: Array.from({ length: 100 }, (_, n) => `S${n}`),
      },
    ],
  ])('an opening with %s', async (_, body) => {
    expect(outcomeOf(await open(body))).toBe('422 validation');
  });

  it('an opening of what is not there, without a key, or with more than is asked', async () => {
    const sku = await newSku();
    expect(outcomeOf(await open({ locations: ['NOWHERE'] }))).toBe('422 unknown-location');
    expect(outcomeOf(await open({ locations: ['A'], skus: ['nothing'] }))).toBe('422 unknown-sku');
    expect(outcomeOf(await open({ locations: ['A'], skus: [sku], onHand: 3 }))).toBe(
      '422 unknown-field',
    );
    const keyless = await client.send('POST', '/v1/stock-counts', { body: { locations: ['A'] } });
    expect(outcomeOf(keyless)).toBe('400 idempotency-key-missing');
    const key = freshKey();
    const id = idOf(await open({ locations: ['A'], skus: [sku] }, key));
    expect(outcomeOf(await open({ locations: ['B'], skus: [sku] }, key))).toBe(
      '422 idempotency-key-reused',
    );
    await end(id, 'cancel');
  });

  it.each([
    ['-1', '/counted'],
    ['1.5', '/counted'],
    ['"5"', '/counted'],
    ['true', '/counted'],
    ['1000000000001', '/counted'],
    ['1e400', '/counted'],
    ['[1]', '/counted'],
    ['5, "asOfOrdinal": -1', '/asOfOrdinal'],
    ['5, "asOfOrdinal": 0.5', '/asOfOrdinal'],
    ['5, "asOfOrdinal": null', '/asOfOrdinal'],
    ['5, "asOfOrdinal": 2', '/asOfOrdinal'],
    ['5, "asOfOrdinal": 9007199254740993', '/asOfOrdinal'],
  ])('a line with counted %s', async (counted, path) => {
    const sku = await newSku({ A: 3 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    const text = `{"sku": ${JSON.stringify(sku)}, "location": "A", "counted": ${counted}}`;
    const reply = await put(id, text);
    expect(outcomeOf(reply)).toBe('422 validation');
    expect(problemOf(reply).errors?.map((error) => error.path)).toEqual([path]);
    await end(id, 'cancel');
  });

  it('a line without its count, outside of the count, or of no count', async () => {
    const sku = await newSku({ A: 3 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    expect(outcomeOf(await put(id, { sku, location: 'A' }))).toBe('422 validation');
    expect(outcomeOf(await put(id, { sku, location: 'B', counted: 1 }))).toBe('422 validation');
    expect(outcomeOf(await put(id, { sku, location: 'A', counted: 1, onHand: 3 }))).toBe(
      '422 unknown-field',
    );
    for (const other of ['nothing', 'A'.repeat(22), '$where']) {
      expect(outcomeOf(await put(other, { sku, location: 'A', counted: 1 }))).toBe('404 not-found');
      expect(outcomeOf(await show(other))).toBe('404 not-found');
      expect(outcomeOf(await end(other, 'close'))).toBe('404 not-found');
      expect(outcomeOf(await end(other, 'cancel'))).toBe('404 not-found');
    }
    await end(id, 'cancel');
  });

  it('an end with words, a foreign cursor, an unknown filter, a wrong method', async () => {
    const sku = await newSku({ A: 3 });
    const id = await opened({ locations: ['A'], skus: [sku] });
    const worded = await client.send('POST', `/v1/stock-counts/${id}/close`, {
      body: { force: true },
      key: freshKey(),
    });
    expect(outcomeOf(worded)).toBe('422 unknown-field');
    for (const query of [
      'cursor=abc',
      'limit=0',
      'status=done',
      'sku=A',
      'status=open&status=open',
    ]) {
      expect((await client.get(`/v1/stock-counts?${query}`)).status).toBe(422);
    }
    const removed = await client.send('DELETE', `/v1/stock-counts/${id}`);
    expect(outcomeOf(removed)).toBe('405 method-not-allowed');
    expect(removed.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    await end(id, 'cancel');
  });

  it('a caller who gives the reason of a count', async () => {
    const sku = await newSku({ A: 3 });
    const adjust = { type: 'adjust', sku, location: 'A', delta: 1, reason: 'count_variance' };
    expect(outcomeOf(await client.move(adjust))).toBe('422 validation');
  });
});
