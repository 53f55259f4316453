/**
 * The webhook: a due reminder is POSTed as JSON, and any 2xx means that it has arrived.
 *
 * Its headers: `Delivery-Id`, the same for every attempt at one occurrence; `Stockroom-Timestamp`,
 * the seconds since 1970 at which this attempt was sent; `Stockroom-Signature`, `v1=` and the
 * hexadecimal HMAC-SHA256, under the shared secret, of the timestamp, a full stop and the body.
 */
import { createHmac } from 'node:crypto';
import type { Deliver, Delivered, Delivery } from './reminder-delivery.ts';

export interface Webhook {
  readonly url: string;
  readonly secret: string;
  readonly timeoutMilliseconds?: number;
}

const usualTimeoutMs = 5_000;
/** An answer says nothing beyond its status; a short one is read so that its connection lives on. */
const answerLimitBytes = 64 * 1024;

export function webhookDeliverer(webhook: Webhook): Deliver {
  const { timeoutMilliseconds = usualTimeoutMs } = webhook;
  return async (delivery, stopped) => {
    const ended = new AbortController();
    const stop = (): void => {
      ended.abort(new Error('the delivery was called off'));
    };
    const timeout = setTimeout(() => {
      ended.abort(new Error(`no answer within ${timeoutMilliseconds} ms`));
    }, timeoutMilliseconds);
    stopped.addEventListener('abort', stop);
    try {
      if (stopped.aborted) stop();
      return await post(webhook, delivery, ended.signal);
    } catch (error) {
      return { kind: 'failed', cause: causeOf(error) };
    } finally {
      clearTimeout(timeout);
      stopped.removeEventListener('abort', stop);
    }
  };
}

async function post(
  { url, secret }: Webhook,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Delivered> {
  const body = bodyOf(delivery);
  const timestamp = String(Math.floor(delivery.sentAt / 1_000));
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      'Delivery-Id': delivery.deliveryId,
      'Stockroom-Timestamp': timestamp,
      'Stockroom-Signature': signatureOf(secret, timestamp, body),
    },
    // A redirected POST becomes a GET that says nothing.
    redirect: 'manual',
    signal,
  });
  await drain(response);
  return response.ok
    ? { kind: 'done' }
    : { kind: 'failed', cause: `the webhook answered ${response.status}` };
}

export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

function bodyOf({ deliveryId, actor, name, key, dueAt, attempt, payload }: Delivery): string {
  const said: unknown = payload === undefined ? undefined : JSON.parse(payload);
  return JSON.stringify({
    deliveryId,
    actor,
    name,
    key,
    dueAt: new Date(dueAt).toISOString(),
    attempt,
    payload: said,
  });
}

/** The status has been said by now, so whatever becomes of the rest changes nothing. */
async function drain({ body }: Response): Promise<void> {
  if (body === null) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    for (let bytes = 0; bytes <= answerLimitBytes;) {
      const piece = await reader.read();
      if (piece.done) return;
      bytes += piece.value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The answer broke off after its status.
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
