/** A whole run of the service with secrets wherever a caller or an operator can put one. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useDatabase } from '../support/database.ts';
import type { Client } from '../support/http-client.ts';
import { clientOf, freshKey } from '../support/http-client.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';

const database = useDatabase();
const planted = (where: string) => `planted-${where}-0123456789`;

/** The address of the database, with credentials that it does not know. */
function withCredentials(uri: string): string {
  return uri.replace('mongodb://', `mongodb://keeper:${planted('password')}@`);
}

const lineShape = z.looseObject({
  level: z.number(),
  msg: z.string(),
  route: z.string().optional(),
});

function linesOf(log: string): readonly z.output<typeof lineShape>[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => lineShape.parse(JSON.parse(line)));
}

const keyShape = z.object({ id: z.string(), key: z.string() });

/** The two secrets that a key has after it was rotated; both hold. */
async function madeSecrets(send: Client['send']): Promise<readonly string[]> {
  const body = { name: 'dock', role: 'scanner', warehouses: ['W1'] };
  const { id, key } = keyShape.parse((await send('POST', '/v1/api-keys', { body })).body);
  const rotated = await send('POST', `/v1/api-keys/${id}/rotate`, { body: { graceSeconds: 600 } });
  return [key, keyShape.parse(rotated.body).key];
}

/** Uses the key, and sends its secret wherever somebody may paste it. */
async function spread({ get, send, move }: Client, secret: string): Promise<void> {
  const ship = { type: 'ship', sku: secret, location: 'FAR', quantity: 1, note: secret };
  expect((await get('/v1/session')).status).toBe(200);
  expect((await get('/v1/api-keys')).status).toBe(403);
  expect((await move(ship, secret)).status).toBe(403);
  await get(`/v1/skus/${secret}?key=${secret}`);
  await send('POST', '/v1/movements', { body: `{"${secret}":`, key: secret });
  await send('GET', '/v1/skus', { headers: { Authorization: `Basic ${secret}` } });
  await send('GET', '/v1/skus', { headers: { 'X-Request-Id': secret } });
}

describe('the log of a whole run', () => {
  it('shows no secret of the service or of a caller', async () => {
    const made: string[] = [];
    const service = await startServiceProcess(database, {
      env: {
        LOG_LEVEL: 'trace',
        WEBHOOK_URL: `http://127.0.0.1:1/hook?token=${planted('webhook-url')}`,
        WEBHOOK_SECRET: planted('webhook-secret'),
      },
    });
    try {
      const { send, put, move, get } = clientOf(() => service.url, adminSecret);
      const secrets = await madeSecrets(send);
      for (const secret of secrets) {
        await spread(
          clientOf(() => service.url, secret),
          secret,
        );
        made.push(secret);
      }
      const headers = {
        'X-Api-Key': planted('header'),
        Cookie: `session=${planted('cookie')}`,
        'X-Request-Id': `\t${planted('request-id')} <script>`,
      };
      await put('/v1/locations/A1', { warehouse: 'W1', name: planted('name') });
      await put('/v1/skus/S', { description: planted('description') });
      const note = {
        type: 'receive',
        sku: 'S',
        location: 'A1',
        quantity: 1,
        note: planted('note'),
      };
      await move(note, planted('idempotency-key') + freshKey());
      await send('GET', `/v1/skus/${planted('path')}?token=${planted('query')}`, { headers });
      await send('GET', `/v1/skus/S?password=${planted('parameter')}`, { headers });
      await send('POST', '/v1/movements', {
        body: `{"secret":"${planted('body')}"`,
        key: 'k',
        headers,
      });
      await send('POST', '/v1/movements', { body: { key: planted('field') }, key: 'k', headers });
      const wrong = { Authorization: `Bearer ${planted('wrong-key')}` };
      await send('GET', '/v1/skus', { headers: wrong });
      await send('GET', '/v1/skus', { headers: { Authorization: `Basic ${planted('basic')}` } });
      await put('/v1/reminders/me/due', {
        at: new Date(0).toISOString(),
        missed: 'latest',
        payload: { secret: planted('payload') },
      });
      await expect.poll(service.log, { timeout: 20_000 }).toContain('reminder-failed');
      await expect.poll(async () => (await get('/v1/skus/S')).status).toBe(200);
    } finally {
      await service.stop();
    }
    const log = service.log();
    const routes = new Set(linesOf(log).map(({ route }) => route));
    expect(routes.size).toBeGreaterThan(4);
    expect(log).not.toContain('planted-');
    expect(log).not.toContain(adminSecret);
    expect(made).toHaveLength(2);
    for (const secret of made) expect(log).not.toContain(secret.slice(0, 12));
    expect(log).toContain('"actor":"dock"');
  });

  it('shows no password of the database, while the database refuses it', async () => {
    const refused = { uri: withCredentials(database.uri), name: database.name };
    const service = await startServiceProcess(refused, { awaitReady: false });
    try {
      await expect.poll(service.log, { timeout: 20_000 }).toContain('not prepared yet');
    } finally {
      await service.stop();
    }
    expect(linesOf(service.log()).length).toBeGreaterThan(0);
    expect(service.log()).not.toContain('planted-');
  });
});
