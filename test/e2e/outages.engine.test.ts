/** A database that goes away and comes back, and a process that is told to stop. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { startFaultyWire } from '../support/faulty-wire.ts';
import { clientOf } from '../support/http-client.ts';
import { startPersistentLoad } from '../support/persistent-load.ts';
import { recordMoves } from '../support/recorded-moves.ts';
import { adminSecret, ready, startServiceProcess } from '../support/service-process.ts';

const database = useDatabase();

describe('a database that is down', () => {
  it('is answered with 503 and Retry-After, from the start or later, and work goes on by itself', async () => {
    const wire = await startFaultyWire(database.uri);
    void wire.impose({ kind: 'cut' });
    const service = await startServiceProcess(
      { uri: wire.uri, name: `${database.name}_down` },
      { awaitReady: false, env: { REQUEST_DEADLINE_MS: '1000' } },
    );
    try {
      const client = clientOf(() => service.url, adminSecret);
      expect((await client.get('/livez')).status).toBe(200);
      expect((await client.get('/readyz')).status).toBe(503);
      const early = await client.get('/v1/skus');
      expect(early.status).toBe(503);
      expect(early.headers.get('retry-after')).toMatch(/^\d+$/);
      wire.mend();
      await ready(service.url);
      await client.put('/v1/locations/A1', { warehouse: 'W1' });
      await client.put('/v1/skus/X', { description: 'x' });
      const request = { type: 'receive', sku: 'X', location: 'A1', quantity: 5 };
      const asked = { sku: 'X', lines: [{ location: 'A1', delta: 5 }] };
      const record = recordMoves();
      const statusOf = async (key: string) =>
        (await record.move(client, asked, request, key))?.status;
      expect(await statusOf('before')).toBe(201);
      await wire.impose({ kind: 'cut' });
      const during = await record.move(client, asked, request, 'during');
      expect(during?.status).toBe(503);
      expect(during?.body).toMatchObject({ code: 'unavailable' });
      expect(during?.headers.get('retry-after')).toMatch(/^\d+$/);
      wire.mend();
      await ready(service.url);
      expect([200, 201]).toContain(await statusOf('during'));
      expect(await statusOf('before')).toBe(200);
      expect(await record.check(client, ['X'])).toEqual([]);
    } finally {
      await service.stop();
      await wire.stop();
      await database.client.db(`${database.name}_down`).dropDatabase();
    }
  });
});

describe('SIGTERM', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-stop-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('lets what is under way finish: nothing acknowledged is lost, and the process ends with 0', async () => {
    let service = await startServiceProcess(database, { env: { DATA_DIR: folder } });
    try {
      const through = () => clientOf(() => service.url, adminSecret);
      const load = await startPersistentLoad(through, { clients: 16, skus: ['STOP'] });
      await load.reaches(200);
      expect(await service.stop()).toBe(0);
      service = await startServiceProcess(database);
      await load.reaches(load.answered() + 1);
      await load.end();
      expect(load.inexcusable()).toEqual([]);
      expect(await load.check()).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
