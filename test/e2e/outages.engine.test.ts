/** A database that goes away and comes back, and a process that is told to stop. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCutter } from '../support/cutter.ts';
import { useDatabase } from '../support/database.ts';
import { clientOf } from '../support/http-client.ts';
import { movementShape, readHistory } from '../support/http-history.ts';
import { adminSecret, ready, startServiceProcess } from '../support/service-process.ts';

const database = useDatabase();

describe('a database that is down', () => {
  it('is answered with 503 and Retry-After, from the start or later, and work goes on by itself', async () => {
    const cutter = await startCutter(database.uri);
    cutter.cut();
    const service = await startServiceProcess(
      { uri: cutter.uri, name: `${database.name}_down` },
      { awaitReady: false, env: { REQUEST_DEADLINE_MS: '1000' } },
    );
    try {
      const client = clientOf(() => service.url, adminSecret);
      expect((await client.get('/livez')).status).toBe(200);
      expect((await client.get('/readyz')).status).toBe(503);
      const early = await client.get('/v1/skus');
      expect(early.status).toBe(503);
      expect(early.headers.get('retry-after')).toMatch(/^\d+$/);
      cutter.mend();
      await ready(service.url);
      await client.put('/v1/locations/A1', { warehouse: 'W1' });
      await client.put('/v1/skus/X', { description: 'x' });
      const request = { type: 'receive', sku: 'X', location: 'A1', quantity: 5 };
      expect((await client.move(request, 'before')).status).toBe(201);
      cutter.cut();
      const during = await client.move(request, 'during');
      expect(during.status).toBe(503);
      expect(during.body).toMatchObject({ code: 'unavailable' });
      expect(during.headers.get('retry-after')).toMatch(/^\d+$/);
      cutter.mend();
      await ready(service.url);
      expect([200, 201]).toContain((await client.move(request, 'during')).status);
      expect((await client.move(request, 'before')).status).toBe(200);
      expect(await readHistory(client.get, 'X')).toHaveLength(2);
    } finally {
      await service.stop();
      await cutter.stop();
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
    const service = await startServiceProcess(database, { env: { DATA_DIR: folder } });
    const client = clientOf(() => service.url, adminSecret);
    await client.put('/v1/locations/A1', { warehouse: 'W1' });
    await client.put('/v1/skus/STOP', { description: 'x' });
    let isRunning = true;
    const acknowledged: string[] = [];
    const load = Array.from({ length: 16 }, async () => {
      while (isRunning) {
        const answer = await client
          .move({ type: 'receive', sku: 'STOP', location: 'A1', quantity: 1 })
          .catch(() => undefined);
        if (answer?.status === 201) acknowledged.push(movementShape.parse(answer.body).actionId);
        else isRunning = false;
      }
    });
    while (acknowledged.length < 200) await new Promise(setImmediate);
    expect(await service.stop()).toBe(0);
    await Promise.all(load);
    const second = await startServiceProcess(database);
    try {
      const history = await readHistory(clientOf(() => second.url, adminSecret).get, 'STOP');
      const kept = new Set(history.map(({ actionId }) => actionId));
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      expect(history.length).toBeGreaterThanOrEqual(acknowledged.length);
    } finally {
      await second.stop();
    }
  });
});
