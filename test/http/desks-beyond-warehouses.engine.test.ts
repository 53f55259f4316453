/** Counts, cycle counts and reminders that lie partly or wholly elsewhere, for a key of W1. */
import { beforeAll, describe, expect, it } from 'vitest';
import { dockClient } from '../support/dock-client.ts';
import type { Client } from '../support/http-client.ts';
import { freshKey, pageOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { idShown, layGround, within } from '../support/two-warehouses.ts';

const service = useService();
const laid: { scoped?: Client } = {};
const scoped = (): Client => laid.scoped ?? expect.fail('a key is made before the tests');

beforeAll(async () => {
  await layGround(service.client);
  laid.scoped = await within(service.client, 'back_office', ['W1']);
});

describe('a count over two warehouses', () => {
  it('is listed with the lines of one', async () => {
    const { client } = service;
    const opened = await client.send('POST', '/v1/stock-counts', {
      body: { locations: ['NEAR', 'FAR', 'FAR2'], skus: ['BOTH'] },
      key: freshKey(),
    });
    const { id } = idShown.parse(opened.body);
    const put = async (location: string): Promise<void> => {
      const body = { sku: 'BOTH', location, counted: 1 };
      await client.put(`/v1/stock-counts/${id}/lines`, body, { 'Idempotency-Key': freshKey() });
    };
    const listed = async (caller: Client) =>
      pageOf(await caller.get('/v1/stock-counts')).items.find((count) => count['id'] === id);
    await put('FAR');
    expect(await listed(client)).toMatchObject({ lineCount: 3, countedCount: 1 });
    const shown = { locations: ['NEAR'], lineCount: 1, countedCount: 0 };
    expect(await listed(scoped())).toMatchObject(shown);
    await put('NEAR');
    expect(await listed(scoped())).toMatchObject({ ...shown, countedCount: 1 });
  });
});

describe('a cycle count over two warehouses', () => {
  it('is seen in part, and neither replaced nor taken away from one', async () => {
    const daily = { every: 'P1D', at: '2099-01-01T00:00:00Z' };
    const path = '/v1/cycle-counts/wide';
    await service.client.put(path, { locations: ['NEAR', 'FAR'], ...daily });
    expect((await scoped().get(path)).body).toMatchObject({ locations: ['NEAR'] });
    const replaced = await scoped().put(path, { locations: ['NEAR'], ...daily });
    const removed = await scoped().send('DELETE', path);
    for (const reply of [replaced, removed]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect((await service.client.get(path)).body).toMatchObject({ locations: ['NEAR', 'FAR'] });
  });
});

describe('the dock', () => {
  it('has the slots of the own warehouse, in lists and in what is available', async () => {
    const dock = dockClient(service.client);
    const near = await dock.open({ warehouse: 'W1', capacity: 1 });
    const far = await dock.open({ warehouse: 'W2', capacity: 1 });
    for (const path of ['/v1/dock/slots?limit=200', '/v1/dock/slots/availability']) {
      const shown = JSON.stringify((await scoped().get(path)).body);
      expect(shown).toContain(near);
      expect(shown).not.toContain(far);
    }
  });
});

describe('the list of reminders', () => {
  it('has those of callers, and none of the service itself', async () => {
    await service.client.put('/v1/reminders/clerk/call', { at: '2099-01-01T00:00:00Z' });
    const actors = async (caller: Client, query = '') => {
      const { items } = pageOf(await caller.get(`/v1/reminders?limit=200${query}`));
      return new Set(items.map((reminder) => reminder['actor']));
    };
    expect(await actors(service.client)).toContain('~cycle-count');
    expect(await actors(scoped())).toEqual(new Set(['clerk']));
    expect(await actors(scoped(), '&actor=~cycle-count')).toEqual(new Set());
  });
});

describe('a history that is mostly elsewhere', () => {
  it('is read in pages that may be short, and misses nothing', async () => {
    const { client } = service;
    await client.put('/v1/skus/ELSEWHERE', { description: 'moves elsewhere' });
    const receive = { type: 'receive', sku: 'ELSEWHERE', quantity: 1 };
    await client.move({ ...receive, location: 'NEAR' });
    for (let batch = 0; batch < 3; batch += 1) {
      const items = Array.from({ length: 150 }, () => ({
        ...receive,
        location: 'FAR',
        idempotencyKey: freshKey(),
      }));
      await client.batch(items);
    }
    const pages: (readonly unknown[])[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = pageOf(await scoped().get(`/v1/skus/ELSEWHERE/movements?limit=1${after}`));
      pages.push(page.items.map((movement) => movement['ordinal']));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([[], [1]]);
  });
});
