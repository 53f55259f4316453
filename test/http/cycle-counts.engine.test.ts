/** Cycle counts over HTTP: set, shown, due, taken away; and what is turned away. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { countClient } from '../support/count-client.ts';
import { freshKey, outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
const { makeLocations, newSku, show } = countClient(client);

beforeAll(makeLocations);

const path = (name: string): string => `/v1/cycle-counts/${name}`;
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

const listed = z.object({ id: z.string(), openedBy: z.string() });
const standing = z.object({ at: z.string() });

async function openCounts(): Promise<readonly string[]> {
  const reply = await client.get('/v1/stock-counts?status=open&limit=200');
  return pageOf(reply).items.map((item) => listed.parse(item).id);
}

/** When the next one opens; the database has no event to wait for. */
async function nextAt(name: string, isLaterThan: string): Promise<string> {
  for (;;) {
    const { at } = standing.parse((await client.get(path(name))).body);
    if (at > isLaterThan) return at;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a cycle count', () => {
  it('is set, replaced, shown, listed and taken away', async () => {
    const sku = await newSku({ A: 3 });
    const at = inAnHour();
    const body = { locations: ['A', 'B'], skus: [sku], blind: true, every: 'P1W', at };
    const shown = { name: 'weekly', ...body, state: 'scheduled', attempts: 0, setBy: 'admin' };
    const key = freshKey();
    const made = await client.send('PUT', path('weekly'), { body, key });
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual(shown);
    expect((await client.get(path('weekly'))).body).toEqual(shown);
    const again = await client.send('PUT', path('weekly'), { body, key });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(shown);

    const nightly = { locations: ['A'], every: '30 2 * * *', timeZone: 'Europe/Amsterdam' };
    const moved = await client.put(path('weekly'), nightly);
    expect(moved).toMatchObject({ status: 200, body: { ...nightly, blind: false } });
    expect(moved.body).not.toHaveProperty('skus');

    await client.put(path('another'), { ...body, every: 'P1D' });
    const first = await client.get('/v1/cycle-counts?limit=1');
    expect(pageOf(first).items).toMatchObject([{ name: 'another' }]);
    const next = await client.get(`/v1/cycle-counts?limit=1&cursor=${pageOf(first).nextCursor}`);
    expect(pageOf(next).items).toMatchObject([{ name: 'weekly' }]);

    for (const name of ['weekly', 'another']) {
      const removed = { status: 200, body: { name, state: 'removed' } };
      expect(await client.send('DELETE', path(name))).toMatchObject(removed);
      expect(await client.send('DELETE', path(name))).toMatchObject(removed);
      expect(outcomeOf(await client.get(path(name)))).toBe('404 not-found');
    }
  });

  it('opens a count when it is due, once, and none over one that is open', async () => {
    const sku = await newSku({ A: 3, B: 4 });
    const before = await openCounts();
    const at = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const body = { locations: ['A', 'B'], skus: [sku], blind: true, every: 'P1D', at };
    expect(outcomeOf(await client.put(path('daily'), body))).toBe('201');
    await nextAt('daily', new Date().toISOString());
    const [id, ...others] = (await openCounts()).filter((each) => !before.includes(each));
    expect(others).toEqual([]);
    expect((await show(id ?? '')).body).toMatchObject({
      status: 'open',
      blind: true,
      openedBy: 'admin',
      locations: ['A', 'B'],
      lines: [
        { sku, location: 'A', expected: 3 },
        { sku, location: 'B', expected: 4 },
      ],
    });
    // Set again it is another, which finds the first one's count open.
    await client.put(path('daily'), body);
    await nextAt('daily', new Date().toISOString());
    expect((await openCounts()).filter((each) => !before.includes(each))).toEqual([id]);
    expect(outcomeOf(await client.send('DELETE', path('daily')))).toBe('200');
    expect((await show(id ?? '')).body).toMatchObject({ status: 'open' });
  });

  it('stands among the reminders of the service, where nobody else can change it', async () => {
    await client.put(path('seen'), { locations: ['EMPTY'], every: 'P1M', at: inAnHour() });
    const one = '/v1/reminders/~cycle-count/seen';
    expect(await client.get(one)).toMatchObject({ status: 200, body: { every: 'P1M' } });
    expect((await client.send('DELETE', one)).status).toBe(422);
    expect((await client.put(one, { at: inAnHour() })).status).toBe(422);
  });
});

describe('turned away', () => {
  it.each([
    ['no recurrence', { every: undefined }, '/every'],
    ['one that is none', { every: 'often' }, '/every'],
    ['one that is too quick', { every: 'PT30S' }, '/every'],
    ['a duration without a first time', { at: undefined }, '/at'],
    ['no zone', { timeZone: 'Mars/Olympus' }, '/timeZone'],
    ['no location', { locations: [] }, '/locations'],
    ['one location twice', { locations: ['A', 'A'] }, '/locations/1'],
    ['too many words', { skus: Array.from({ length: 1_000 }, (_, n) => `LONG-${n}`) }, '/skus'],
  ])('%s', async (_, change, at) => {
    const body = { locations: ['A'], every: 'P1W', at: inAnHour(), ...change };
    const reply = await client.put(path('wrong'), body);
    expect(outcomeOf(reply)).toBe('422 validation');
    expect(JSON.stringify(problemOf(reply))).toContain(at);
    expect((await client.get(path('wrong'))).status).toBe(404);
  });

  it('what was never made, so that nobody finds out weeks later', async () => {
    const body = { locations: ['NOWHERE'], every: 'P1W', at: inAnHour() };
    expect(outcomeOf(await client.put(path('wrong'), body))).toBe('422 unknown-location');
    const unknown = { ...body, locations: ['A'], skus: ['never made'] };
    expect(outcomeOf(await client.put(path('wrong'), unknown))).toBe('422 unknown-sku');
    expect((await client.get(path('wrong'))).status).toBe(404);
  });

  it('a name that is none, and what nobody asked for', async () => {
    const body = { locations: ['A'], every: 'P1W', at: inAnHour() };
    const more = await client.put(path('wrong'), { ...body, missed: 'all' });
    expect(outcomeOf(more)).toBe('422 unknown-field');
    for (const name of ['a:b', 'Upper', '-dash', 'x'.repeat(65)]) {
      expect((await client.put(path(name), body)).status).toBe(422);
    }
  });
});
