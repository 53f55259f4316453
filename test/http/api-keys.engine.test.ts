import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Settings } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { useDatabase } from '../support/database.ts';
import type { Client } from '../support/http-client.ts';
import { clientOf, freshKey } from '../support/http-client.ts';
import { testSettings, useService } from '../support/service.ts';

const made = z.object({ id: z.string(), key: z.string(), name: z.string() });

describe('API keys', () => {
  const service = useService();
  const other = useService({
    mongodbUri: service.database.uri,
    mongodbDatabase: service.database.name,
  });
  let names = 0;

  async function make(body: object = {}): Promise<z.output<typeof made> & { client: Client }> {
    names += 1;
    const whole = { name: `key-${names}`, role: 'back_office', ...body };
    const reply = await service.client.send('POST', '/v1/api-keys', { body: whole });
    expect(reply.status).toBe(201);
    const key = made.parse(reply.body);
    return { ...key, client: clientOf(() => service.client.url, key.key) };
  }

  const elsewhere = (secret: string): Client => clientOf(() => other.client.url, secret);

  it('are made with a secret that is shown this once', async () => {
    const { id, key, client } = await make({ name: 'once', role: 'scanner' });
    expect(key).toMatch(/^stk_[A-Za-z0-9_-]{49}$/);
    const shown = await service.client.get(`/v1/api-keys/${id}`);
    expect(shown.body).toMatchObject({ id, name: 'once', role: 'scanner', createdBy: 'admin' });
    expect(JSON.stringify(shown.body)).not.toContain(key);
    expect((await client.get('/v1/session')).body).toEqual({ name: 'once', role: 'scanner' });
    const listed = await service.client.get('/v1/api-keys?limit=200');
    expect(JSON.stringify(listed.body)).toContain(id);
    expect(JSON.stringify(listed.body)).not.toContain('stk_');
  });

  it('have names that are not used again, not even after revocation, and never the admin’s', async () => {
    const { id } = await make({ name: 'unique' });
    await service.client.send('DELETE', `/v1/api-keys/${id}`);
    for (const name of ['unique', 'admin']) {
      const body = { name, role: 'scanner' };
      const reply = await service.client.send('POST', '/v1/api-keys', { body });
      expect(reply).toMatchObject({ status: 409, body: { code: 'api-key-exists' } });
    }
  });

  it('are refused in every process within five seconds of their revocation', async () => {
    const { id, key, client } = await make();
    expect((await elsewhere(key).get('/v1/session')).status).toBe(200);
    const revoked = await service.client.send('DELETE', `/v1/api-keys/${id}`);
    expect(revoked).toMatchObject({ status: 200, body: { id } });
    const status = async () => (await elsewhere(key).get('/v1/session')).status;
    await expect.poll(status, { timeout: 5_000 }).toBe(401);
    await expect
      .poll(async () => (await client.get('/v1/session')).status, { timeout: 5_000 })
      .toBe(401);
    expect((await service.client.send('DELETE', `/v1/api-keys/${id}`)).body).toEqual(revoked.body);
  });

  it('that are rotated have a new secret at once, and keep the old one for its grace', async () => {
    const { id, key, name } = await make();
    const rotated = await service.client.send('POST', `/v1/api-keys/${id}/rotate`, {
      body: { graceSeconds: 3_600 },
    });
    const next = made.parse(rotated.body);
    expect(next.name).toBe(name);
    expect((await elsewhere(next.key).get('/v1/session')).status).toBe(200);
    expect((await elsewhere(key).get('/v1/session')).status).toBe(200);
    const again = await service.client.send('POST', `/v1/api-keys/${id}/rotate`);
    const last = made.parse(again.body);
    const status = async (secret: string) => (await elsewhere(secret).get('/v1/session')).status;
    // Without grace the second goes at once; the first keeps what it was promised at most.
    await expect.poll(() => status(next.key), { timeout: 5_000 }).toBe(401);
    expect(await status(last.key)).toBe(200);
  });

  it('let nobody in once they have expired by the database’s clock', async () => {
    const past = await make({ expiresAt: '2020-01-01T00:00:00Z' });
    expect((await past.client.get('/v1/session')).status).toBe(401);
    const future = await make({ expiresAt: '2099-01-01T00:00:00Z' });
    expect((await future.client.get('/v1/session')).status).toBe(200);
  });

  it('keep the keys of actions of different names apart', async () => {
    const [one, two] = [await make(), await make()];
    await service.client.put('/v1/locations/A1', { warehouse: 'W1' });
    await service.client.put('/v1/skus/SHARED', { description: 'shared' });
    const receive = { type: 'receive', sku: 'SHARED', location: 'A1', quantity: 1 };
    const key = freshKey();
    expect((await one.client.move(receive, key)).status).toBe(201);
    expect((await two.client.move(receive, key)).status).toBe(201);
    expect((await one.client.move(receive, key)).status).toBe(200);
    const { body } = await service.client.get('/v1/skus/SHARED');
    expect(body).toMatchObject({ totals: { onHand: 2 } });
  });

  it('deny what their role may not do, and say so', async () => {
    const { client } = await make({ role: 'auditor' });
    const receive = { type: 'receive', sku: 'X', location: 'A1', quantity: 1 };
    expect(await client.move(receive)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await client.get('/v1/api-keys')).status).toBe(403);
    expect((await client.get('/v1/skus')).status).toBe(200);
  });

  it('hide from scanners what a blind count expects', async () => {
    const { client } = await make({ role: 'scanner' });
    await service.client.put('/v1/locations/B1', { warehouse: 'W1' });
    await service.client.put('/v1/skus/BLIND', { description: 'blind' });
    await service.client.move({ type: 'receive', sku: 'BLIND', location: 'B1', quantity: 5 });
    const opened = await service.client.send('POST', '/v1/stock-counts', {
      body: { locations: ['B1'], skus: ['BLIND'], blind: true },
      key: freshKey(),
    });
    expect(opened.body).toMatchObject({ lines: [{ expected: 5 }] });
    const { id } = z.object({ id: z.string() }).parse(opened.body);
    const seen = await client.get(`/v1/stock-counts/${id}`);
    expect(seen.status).toBe(200);
    expect(JSON.stringify(seen.body)).not.toContain('expected');
  });
});

describe('a service without any key', () => {
  const database = useDatabase();

  const start = (settings: Partial<Settings>) =>
    startService(
      { ...testSettings(database), adminApiKey: undefined, ...settings },
      pino({ level: 'silent' }),
    );

  it('listens on loopback alone', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow('there is no API key');
    const service = await start({ host: '127.0.0.1' });
    await service.stop();
  });

  it('does not take a database that is away for one that has keys', async () => {
    const settings = { host: '0.0.0.0', mongodbUri: 'mongodb://127.0.0.1:9/' };
    await expect(start(settings)).rejects.toThrow('cannot be asked');
  });
});
