/** Case 46, from end to end: reminders of callers, told to a webhook by services of their own. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signatureOf } from '../../src/inventory/webhook.ts';
import { useDatabase } from '../support/database.ts';
import type { Client } from '../support/http-client.ts';
import { clientOf } from '../support/http-client.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';
import type { Received, WebhookReceiver } from '../support/webhook-receiver.ts';
import { startWebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts';

const database = useDatabase();
const running: ServiceProcess[] = [];
let hook: WebhookReceiver;
/** How the webhook answers: a test may change it. */
let isSilent: (received: Received) => boolean = () => false;

beforeAll(async () => {
  hook = await startWebhookReceiver((received, response) => {
    if (!isSilent(received)) response.end();
  });
});
afterEach(async () => {
  isSilent = () => false;
  await Promise.all(running.splice(0).map((service) => service.stop()));
});
afterAll(() => hook.stop());

async function start(env: NodeJS.ProcessEnv = {}, preload?: string): Promise<ServiceProcess> {
  const webhook = { WEBHOOK_URL: hook.url, WEBHOOK_SECRET: webhookSecret };
  const service = await startServiceProcess(database, {
    env: { ...webhook, ...env },
    ...(preload === undefined ? {} : { preload }),
  });
  running.push(service);
  return service;
}

const clientTo = (service: ServiceProcess): Client => clientOf(() => service.url, adminSecret);
const named =
  (name: string) =>
  ({ body }: Received): boolean =>
    body.name === name;

describe('46: a reminder', () => {
  it('set and moved is told to the webhook once, at its last time, signed', async () => {
    const service = await start({ LOG_LEVEL: 'info' });
    const client = clientTo(service);
    const at = new Date(Date.now() + 600_000).toISOString();
    const soon = new Date(Date.now() + 500).toISOString();
    expect((await client.put('/v1/reminders/a/moved', { at })).status).toBe(201);
    const said = { at: soon, payload: { of: 1 } };
    expect((await client.put('/v1/reminders/a/moved', said)).status).toBe(200);
    await client.put('/v1/reminders/a/off', { at: soon });
    await client.send('DELETE', '/v1/reminders/a/off');
    const [received] = await hook.until(named('moved'));
    if (received === undefined) throw new Error('nothing came');
    expect(received.body).toMatchObject({
      actor: 'a',
      dueAt: soon,
      attempt: 1,
      payload: { of: 1 },
    });
    const { headers, text } = received;
    const timestamp = String(headers['stockroom-timestamp']);
    expect(headers['stockroom-signature']).toBe(signatureOf(webhookSecret, timestamp, text));
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(30);
    await client.put('/v1/reminders/a/sign', { at: new Date().toISOString() });
    await hook.until(named('sign'));
    expect(hook.received.filter(named('moved'))).toHaveLength(1);
    expect(hook.received.filter(named('off'))).toHaveLength(0);
    expect((await client.get('/v1/reminders/a/moved')).status).toBe(404);
    expect(service.log()).toMatch(/"msg":"reminder-replaced"/);
  });

  it.each([1, -1])('is never early for a service whose clock is off by %i h', async (hours) => {
    const preload = new URL('../support/shifted-clock.ts', import.meta.url).href;
    const service = await start({ CLOCK_SHIFT_MS: String(hours * 3_600_000) }, preload);
    const name = `shifted-${hours}`;
    const at = Date.now() + 1_500;
    const said = { at: new Date(at).toISOString() };
    expect((await clientTo(service).put(`/v1/reminders/a/${name}`, said)).body).toMatchObject({
      state: 'scheduled',
    });
    const [received] = await hook.until(named(name));
    // The database runs on this machine, by this clock.
    expect(Date.now()).toBeGreaterThanOrEqual(at);
    const sent = Number(received?.headers['stockroom-timestamp']);
    expect(Math.abs(sent - Date.now() / 1_000)).toBeLessThan(30);
  });

  it('whose process is killed while it tells is told by another, under the same id', async () => {
    const first = await start();
    const client = clientTo(first);
    isSilent = named('killed');
    await client.put('/v1/reminders/a/killed', { at: new Date().toISOString() });
    const [begun] = await hook.until(named('killed'));
    first.process.kill('SIGKILL');
    isSilent = () => false;
    const second = await start();
    const [, again] = await hook.until(named('killed'), 2);
    expect(again?.headers['delivery-id']).toBe(begun?.headers['delivery-id']);
    expect(again?.body.dueAt).toBe(begun?.body.dueAt);
    await clientTo(second).put('/v1/reminders/a/alive', { at: new Date().toISOString() });
    await hook.until(named('alive'));
    expect((await clientTo(second).get('/v1/reminders/a/killed')).status).toBe(404);
  });

  it('that waited for a webhook is told as soon as a service has one', async () => {
    const deaf = await start({ WEBHOOK_URL: '' });
    const client = clientTo(deaf);
    await client.put('/v1/reminders/a/waited', { at: '2026-01-01T00:00:00Z' });
    expect((await client.get('/v1/reminders/a/waited')).body).toMatchObject({ state: 'due' });
    await start();
    const [received] = await hook.until(named('waited'));
    expect(received?.body.dueAt).toBe('2026-01-01T00:00:00.000Z');
  });
});

describe('a service that stops', () => {
  it('waits for the webhook that it is telling', async () => {
    const service = await start();
    let answer: () => void = () => undefined;
    const slow = await startWebhookReceiver((_, response) => {
      answer = () => response.end();
    });
    const telling = await start({ WEBHOOK_URL: slow.url });
    await service.stop();
    const at = new Date().toISOString();
    await clientTo(telling).put('/v1/reminders/a/slow', { at });
    await slow.until(named('slow'));
    const stopped = telling.stop();
    answer();
    expect(await stopped).toBe(0);
    expect(slow.received).toHaveLength(1);
    const other = await start();
    expect((await clientTo(other).get('/v1/reminders/a/slow')).status).toBe(404);
    await slow.stop();
  });
});
