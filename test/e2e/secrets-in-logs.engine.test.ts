/** A whole run of the service with secrets wherever a caller or an operator can put one. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useDatabase } from '../support/database.ts';
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

describe('the log of a whole run', () => {
  it('shows no secret of the service or of a caller', async () => {
    const service = await startServiceProcess(database, {
      env: {
        LOG_LEVEL: 'trace',
        WEBHOOK_URL: `http://127.0.0.1:1/hook?token=${planted('webhook-url')}`,
        WEBHOOK_SECRET: planted('webhook-secret'),
      },
    });
    try {
      const { send, put, move, get } = clientOf(() => service.url, adminSecret);
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
