/** Locations and SKUs over real HTTP and on the real engine. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client } = useService();

const receive = (sku: string, location: string, quantity: number, unit?: string) => ({
  type: 'receive',
  sku,
  location,
  quantity,
  ...(unit !== undefined && { unit }),
});

describe('a location', () => {
  it('is made, shown, changed and listed', async () => {
    const path = '/v1/locations/L1-A';
    const made = await client.put(path, { warehouse: 'L1' });
    expect(made).toMatchObject({
      status: 201,
      body: { location: 'L1-A', warehouse: 'L1', kind: 'storage', version: 1 },
    });
    expect(made.headers.get('etag')).toBe('"1"');
    const changed = await client.put(path, { warehouse: 'L1', name: 'Dock', kind: 'receiving' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Dock', kind: 'receiving' } });
    const shown = await client.get(path);
    expect(shown.body).toEqual(changed.body);
    expect(shown.headers.get('etag')).toBe('"2"');
    const cleared = await client.put(path, { warehouse: 'L1' });
    expect(cleared.body).toEqual({
      location: 'L1-A',
      warehouse: 'L1',
      kind: 'storage',
      version: 3,
    });
    expect((await client.get('/v1/locations?warehouse=L1')).body).toEqual({
      items: [cleared.body],
      nextCursor: null,
    });
    expect((await client.get('/v1/locations?warehouse=NONE')).body).toEqual({
      items: [],
      nextCursor: null,
    });
  });

  it('stays in its warehouse', async () => {
    await client.put('/v1/locations/L2-A', { warehouse: 'L2' });
    const moved = await client.put('/v1/locations/L2-A', { warehouse: 'L1' });
    expect(outcomeOf(moved)).toBe('409 warehouse-fixed');
  });

  it('is retired once it is empty, and then takes nothing in', async () => {
    const path = '/v1/locations/L3-A';
    await client.put(path, { warehouse: 'L3' });
    await client.put('/v1/skus/l3', { description: 'd' });
    await client.move(receive('l3', 'L3-A', 5));
    const inUse = await client.send('DELETE', path);
    expect(outcomeOf(inUse)).toBe('409 location-in-use');
    expect(problemOf(inUse)).toMatchObject({ skus: ['l3'] });
    expect((await client.get(`${path}/stock`)).body).toEqual({
      items: [
        { sku: 'l3', description: 'd', baseUnit: 'each', onHand: 5, reserved: 0, available: 5 },
      ],
      nextCursor: null,
    });
    await client.move({ ...receive('l3', 'L3-A', 5), type: 'ship' });
    expect(await client.send('DELETE', path)).toMatchObject({
      status: 200,
      body: { location: 'L3-A', retiredAt: expect.any(String) as string },
    });
    expect(outcomeOf(await client.move(receive('l3', 'L3-A', 1)))).toBe('409 location-retired');
    expect(outcomeOf(await client.put(path, { warehouse: 'L3' }))).toBe('409 location-retired');
    expect(outcomeOf(await client.send('DELETE', '/v1/locations/NONE'))).toBe('404 not-found');
  });
});

describe('If-Match', () => {
  it.each([
    ['/v1/skus/matched', { description: 'd' }],
    ['/v1/locations/MATCHED', { warehouse: 'W' }],
  ])('guards %s', async (path, body) => {
    const put = async (ifMatch: string) =>
      outcomeOf(await client.put(path, body, { 'If-Match': ifMatch }));
    expect(await put('"1"')).toBe('412 version-mismatch');
    expect(await put('*')).toBe('412 version-mismatch');
    expect((await client.put(path, body)).status).toBe(201);
    expect(await put('"1"')).toBe('200');
    expect(await put('"1"')).toBe('412 version-mismatch');
    expect(await put('*')).toBe('200');
    expect(await put('3')).toBe('400 if-match-invalid');
  });

  it('guards the retirement of a location', async () => {
    const path = '/v1/locations/GUARDED';
    const retire = (ifMatch: string) =>
      client.send('DELETE', path, { headers: { 'If-Match': ifMatch } });
    await client.put(path, { warehouse: 'W' });
    expect(outcomeOf(await retire('"7"'))).toBe('412 version-mismatch');
    expect(outcomeOf(await retire('"1"'))).toBe('200');
  });
});

describe('a SKU', () => {
  const definition = {
    description: 'Bolt M8',
    baseUnit: 'piece',
    packs: [{ unit: 'case', contains: 12 }],
    barcodes: [{ code: '4006381333931' }, { code: '14006381333938', unit: 'case' }],
    reorderPoint: 100,
    status: 'active',
  };

  it('is defined, shown, counted in packs and found by its codes', async () => {
    await client.put('/v1/locations/S1-A', { warehouse: 'S1' });
    const made = await client.put('/v1/skus/bolt', definition);
    expect(made).toMatchObject({ status: 201, body: { sku: 'bolt', ...definition, version: 1 } });
    const moved = await client.move(receive('bolt', 'S1-A', 2, 'case'));
    expect(moved.body).toMatchObject({ lines: [{ delta: 24, onHand: 24 }] });
    const shown = await client.get('/v1/skus/bolt');
    expect(shown.headers.get('etag')).toBe('"2"');
    expect(shown.body).toEqual({
      sku: 'bolt',
      ...definition,
      version: 2,
      lastActionId: expect.stringMatching(/^admin\//) as string,
      movementCount: 1,
      totals: { onHand: 24, reserved: 0, available: 24 },
      levels: [
        {
          location: 'S1-A',
          warehouse: 'S1',
          kind: 'storage',
          onHand: 24,
          reserved: 0,
          available: 24,
        },
      ],
      reservations: [],
      asOf: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
    });
    const scanned = await client.get('/v1/barcodes/14006381333938');
    expect(scanned.body).toMatchObject({
      sku: 'bolt',
      barcode: { code: '14006381333938', unit: 'case' },
      totals: { onHand: 24 },
    });
    expect((await client.get('/v1/barcodes/4006381333931')).body).toMatchObject({
      barcode: { unit: 'piece' },
    });
    const unit = await client.move(receive('bolt', 'S1-A', 2, 'pallet'));
    expect(outcomeOf(unit)).toBe('422 unknown-unit');
    const many = await client.move(receive('bolt', 'S1-A', 1_000_000_000, 'case'));
    expect(problemOf(many)).toMatchObject({ code: 'validation', errors: [{ path: '/quantity' }] });
    const codes = await client.put('/v1/skus/other-bolt', {
      description: 'd',
      barcodes: [{ code: '4006381333931' }],
    });
    expect(outcomeOf(codes)).toBe('409 barcode-taken');
    const base = await client.put('/v1/skus/bolt', { ...definition, baseUnit: 'box' });
    expect(outcomeOf(base)).toBe('409 base-unit-in-use');
  });

  it('is searched for by literal text, and by warehouse', async () => {
    await client.put('/v1/locations/S2-A', { warehouse: 'S2' });
    await client.put('/v1/skus/find-1', { description: 'Nut (M8) .*' });
    await client.put('/v1/skus/find-2', { description: 'Nut M8' });
    await client.move(receive('find-2', 'S2-A', 1));
    const found = async (query: string) => {
      const page = pageOf(await client.get(`/v1/skus?${query}`));
      return page.items.map(({ sku }) => sku);
    };
    expect(await found('q=nut')).toEqual(['find-1', 'find-2']);
    expect(await found('q=(M8)')).toEqual(['find-1']);
    expect(await found('q=.*')).toEqual(['find-1']);
    expect(await found('q=FIND-2')).toEqual(['find-2']);
    expect(await found('warehouse=S2')).toEqual(['find-2']);
    expect(await found('q=find-1&warehouse=S2')).toEqual([]);
  });

  it('has a history that can be narrowed', async () => {
    await client.put('/v1/locations/S3-A', { warehouse: 'S3' });
    await client.put('/v1/locations/S3-B', { warehouse: 'S3' });
    await client.put('/v1/skus/hist', { description: 'd' });
    const transfer = { type: 'transfer', sku: 'hist', from: 'S3-A', to: 'S3-B', quantity: 2 };
    const adjust = { type: 'adjust', sku: 'hist', lines: [{ location: 'S3-A', delta: -1 }] };
    await client.move(receive('hist', 'S3-A', 5));
    await client.move(transfer);
    const last = await client.move({ ...adjust, reason: 'damaged' });
    const { at } = z.object({ at: z.iso.datetime() }).parse(last.body);
    const ordinals = async (query: string) => {
      const page = pageOf(await client.get(`/v1/skus/hist/movements?${query}`));
      return page.items.map(({ ordinal }) => ordinal);
    };
    expect(await ordinals('')).toEqual([3, 2, 1]);
    expect(await ordinals('location=S3-B')).toEqual([2]);
    expect(await ordinals('type=adjust')).toEqual([3]);
    expect(await ordinals(`from=${at}&type=adjust`)).toEqual([3]);
    expect(await ordinals('from=2000-01-01T00:00:00Z')).toEqual([3, 2, 1]);
    expect(await ordinals('to=2000-01-01T00:00:00Z')).toEqual([]);
    const first = pageOf(await client.get('/v1/skus/hist/movements?limit=2'));
    const nextCursor = first.nextCursor ?? expect.fail('the list goes on');
    expect(await ordinals(`limit=2&cursor=${nextCursor}`)).toEqual([1]);
    const narrowed = await client.get(`/v1/skus/hist/movements?type=ship&cursor=${nextCursor}`);
    expect(outcomeOf(narrowed)).toBe('422 validation');
  });

  it('keeps text literally, whatever it holds', async () => {
    await client.put('/v1/locations/S4-A', { warehouse: 'S4' });
    await client.put('/v1/skus/text', { description: '$levels $$NOW' });
    for (const note of [
      '$levels',
      '$$NOW',
      '=1+1',
      '<img onerror=1>',
      'a\u0000b',
      '\u{1F4E6}\u202e',
      '',
    ]) {
      const moved = await client.move({ ...receive('text', 'S4-A', 1), note });
      expect(moved.body).toMatchObject({ note });
      const { body } = await client.get('/v1/skus/text/movements?limit=1');
      expect(body).toMatchObject({ items: [{ note }] });
    }
  });
});

describe('the probes', () => {
  it('say that the service is alive and can work', async () => {
    const anonymous = { headers: { Authorization: '' } };
    expect((await client.send('GET', '/livez', anonymous)).status).toBe(200);
    expect((await client.send('GET', '/readyz', anonymous)).status).toBe(200);
  });
});
