/** What the webhook gets, and what counts as delivered, with real receivers on loopback. */
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Delivery } from '../../src/inventory/reminder-delivery.ts';
import { webhookDeliverer } from '../../src/inventory/webhook.ts';
import { instant } from '../support/actions.ts';
import { reminderId } from '../support/reminders.ts';
import type { Received, WebhookReceiver } from '../support/webhook-receiver.ts';
import { startWebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts';
import { parseReminderActor } from '../../src/domain/reminder.ts';

const delivery: Delivery = {
  deliveryId: '7c1b3f56-2d0a-5f55-8a43-0e2f4f0c9d11',
  id: reminderId('orders/late:PO-1'),
  actor: parseReminderActor('orders') ?? expect.fail('it is an actor'),
  name: 'late',
  key: 'PO-1',
  dueAt: instant(Date.parse('2030-01-31T12:00:00Z')),
  attempt: 3,
  payload: '{"note":"ü","__proto__":1}',
  sentAt: instant(1_900_000_000_999),
};

let hook: WebhookReceiver | undefined;
afterEach(() => hook?.stop());

const never = new AbortController().signal;

async function send(
  answer?: (received: Received, response: ServerResponse) => void,
  { timeoutMilliseconds = 5_000, signal = never } = {},
) {
  hook = await startWebhookReceiver(answer);
  const { url } = hook;
  return webhookDeliverer({ url, secret: webhookSecret, timeoutMilliseconds })(delivery, signal);
}

describe('the webhook', () => {
  it('gets the reminder as JSON, with its delivery id and a signature over time and body', async () => {
    expect(await send()).toEqual({ kind: 'done' });
    const [received] = hook?.received ?? [];
    if (received === undefined) throw new Error('nothing came');
    expect(received.text).toBe(
      '{"deliveryId":"7c1b3f56-2d0a-5f55-8a43-0e2f4f0c9d11","actor":"orders","name":"late",' +
        '"key":"PO-1","dueAt":"2030-01-31T12:00:00.000Z","attempt":3,' +
        '"payload":{"note":"ü","__proto__":1}}',
    );
    const signed = createHmac('sha256', webhookSecret).update(`1900000000.${received.text}`);
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'delivery-id': delivery.deliveryId,
      'stockroom-timestamp': '1900000000',
      'stockroom-signature': `v1=${signed.digest('hex')}`,
    });
  });

  it.each([200, 201, 202, 204, 299])('has it after %i', async (status) => {
    expect(await send((_, response) => response.writeHead(status).end())).toEqual({ kind: 'done' });
  });

  it.each([301, 302, 307, 400, 404, 410, 429, 500, 503])('has it not after %i', async (status) => {
    const headers = { Location: '/elsewhere' };
    const answer = await send((_, response) => response.writeHead(status, headers).end('no'));
    expect(answer).toEqual({ kind: 'failed', cause: `the webhook answered ${status}` });
    expect(hook?.received).toHaveLength(1);
  });

  it('has it not where no answer comes in time', async () => {
    const answer = await send(() => undefined, { timeoutMilliseconds: 50 });
    expect(answer).toEqual({ kind: 'failed', cause: 'no answer within 50 ms' });
  });

  it('has it where the answer breaks off, or does not end, after its status', async () => {
    const endless = await send(
      (_, response) => {
        const more = setInterval(() => response.write('x'.repeat(1_024)), 1);
        response.on('close', () => {
          clearInterval(more);
        });
        response.writeHead(200).write('some');
      },
      { timeoutMilliseconds: 2_000 },
    );
    expect(endless).toEqual({ kind: 'done' });
    await hook?.stop();
    const broken = await send((_, response) => {
      response.writeHead(200).write('some', () => response.destroy());
    });
    expect(broken).toEqual({ kind: 'done' });
  });

  it('has it not where the connection breaks, or nobody listens', async () => {
    expect(await send((_, response) => response.destroy())).toMatchObject({ kind: 'failed' });
    const url = hook?.url ?? '';
    await hook?.stop();
    const answer = await webhookDeliverer({ url, secret: webhookSecret })(delivery, never);
    expect(answer).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(answer)).toMatch(/ECONNREFUSED/);
  });

  it('is let go when the delivery is called off', async () => {
    const callOff = new AbortController();
    const answer = send(
      () => {
        callOff.abort();
      },
      { signal: callOff.signal },
    );
    expect(await answer).toMatchObject({ kind: 'failed', cause: 'the delivery was called off' });
    const late = await webhookDeliverer({ url: hook?.url ?? '', secret: webhookSecret })(
      delivery,
      callOff.signal,
    );
    expect(late).toMatchObject({ kind: 'failed' });
  });
});
