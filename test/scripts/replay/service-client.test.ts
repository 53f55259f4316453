import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pauseMs } from '../../../scripts/replay/retry.ts';
import { probe, serviceClient } from '../../../scripts/replay/service-client.ts';
import { ReplayStopped } from '../../../scripts/replay/stopped.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const status =
  (code: number, headers: Record<string, string> = {}, body: unknown = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end(JSON.stringify(body));
  };
/** The connection breaks before an answer: whether the request was applied is unknown. */
const hangUp: Answer = (request) => request.socket.destroy();

const open = new Set<() => Promise<void>>();
afterEach(async () => {
  for (const close of open) await close();
  open.clear();
});

/** A server that gives the answers in turn, the last one for ever, and keeps the keys it saw. */
async function serving(...answers: readonly Answer[]) {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(keys.length, answers.length - 1)];
    keys.push(z.string().optional().parse(request.headers['idempotency-key']));
    request.resume().once('end', () => answer?.(request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  open.add(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${port}`, keys };
}

const { signal } = new AbortController();
const request = { method: 'POST', path: '/v1/movements', body: { n: 1 }, key: 'k:1' } as const;

describe('the client of a replay', () => {
  it('sends again, under the same key, until the answer is definite', async () => {
    const server = await serving(
      status(503, { 'retry-after': '0' }),
      hangUp,
      status(429),
      status(200, { 'idempotent-replayed': 'true' }, { ordinal: 3 }),
    );
    const reply = await serviceClient(server.url, 'secret').send(request, signal);
    expect(reply).toEqual({
      kind: 'done',
      status: 200,
      body: { ordinal: 3 },
      replayed: true,
      retries: 3,
    });
    expect(server.keys).toEqual(['k:1', 'k:1', 'k:1', 'k:1']);
  });

  it('takes a refusal as the answer', async () => {
    const server = await serving(status(409, {}, { code: 'insufficient-stock', detail: 'short' }));
    const reply = await serviceClient(server.url, 'secret').send(request, signal);
    expect(reply).toMatchObject({ kind: 'refused', status: 409, code: 'insufficient-stock' });
    expect(server.keys).toHaveLength(1);
  });

  it('stops when its patience is at an end', async () => {
    const server = await serving(status(503, {}, { code: 'unavailable', detail: 'no database' }));
    const stopped = serviceClient(server.url, 'secret', 250).send(request, signal);
    await expect(stopped).rejects.toThrow(
      /no answer after \d attempts; the last: status 503 unavailable no database/,
    );
  });

  it('stops at once when the key is turned away, and does not show it', async () => {
    const server = await serving(status(401, {}, { code: 'unauthorized' }));
    const stopped = serviceClient(server.url, 'secret').send(request, signal);
    await expect(stopped).rejects.toThrow(ReplayStopped);
    await expect(stopped).rejects.not.toThrow(/secret/);
  });

  it('does not follow a redirect with the key', async () => {
    const elsewhere = await serving(status(200));
    const server = await serving(status(307, { location: elsewhere.url }));
    const reply = await serviceClient(server.url, 'secret').send(request, signal);
    expect(reply).toMatchObject({ kind: 'refused', status: 307, retries: 0 });
    expect(elsewhere.keys).toEqual([]);
  });

  it('says what to do where nobody listens', async () => {
    const gone = await serving(status(200));
    for (const close of open) await close();
    open.clear();
    await expect(probe(gone.url, signal)).rejects.toThrow(/No service answers at .*\n.*npm start/);
  });

  it('ends when it is interrupted', async () => {
    const server = await serving(status(503, { 'retry-after': '30' }));
    const interrupt = new AbortController();
    const sent = serviceClient(server.url, 'secret').send(request, interrupt.signal);
    setTimeout(() => {
      interrupt.abort();
    }, 50);
    await expect(sent).rejects.toThrow(/abort/i);
  });
});

describe('the pause before sending again', () => {
  it('grows to five seconds and leaves half to chance', () => {
    expect(pauseMs(1, null, 0, 0)).toBe(50);
    expect(pauseMs(1, null, 0.5, 0)).toBe(75);
    expect(pauseMs(3, null, 0, 0)).toBe(200);
    expect(pauseMs(50, null, 0, 0)).toBe(2_500);
  });

  it('is at least what the service asks for, in seconds or as a date, within half a minute', () => {
    expect(pauseMs(1, '2', 0, 0)).toBe(2_000);
    expect(pauseMs(1, 'Thu, 01 Jan 1970 00:00:03 GMT', 0, 1_000)).toBe(2_000);
    expect(pauseMs(1, '86400', 0, 0)).toBe(30_000);
    expect(pauseMs(1, 'soon', 0, 0)).toBe(50);
  });
});
