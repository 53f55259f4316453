import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/http-client.ts';
import { gate } from './gate.ts';
import type { StubService } from './stub-service.ts';
import { startHttp } from '../../src/http/server.ts';
import { secret, startStub } from './stub-service.ts';

let running: StubService | undefined;

afterEach(async () => {
  await running?.http.stop();
  running = undefined;
});

/** A service whose SKU query waits until it is let go. */
async function startWaiting(stopWithinMs = 5_000) {
  const asked = gate();
  const letGo = gate();
  running = await startStub({
    stopWithinMs,
    inventory: {
      sku: async () => {
        asked.open();
        await letGo.opened;
        return { kind: 'not-found' };
      },
    },
  });
  return { ...running, asked: asked.opened, letGo: letGo.open };
}

describe('a stop', () => {
  it('waits for what is under way, and lets nothing new in', async () => {
    const { http, client, asked, letGo } = await startWaiting(60_000);
    const answer = client.get('/v1/skus/A');
    await asked;
    const stopped = http.stop();
    await expect(client.get('/livez')).rejects.toThrow();
    letGo();
    expect((await answer).status).toBe(404);
    await stopped;
  });

  it('does not wait for connections that are idle', async () => {
    const { http, client } = await startWaiting(60_000);
    await client.get('/livez');
    await http.stop();
  });

  it('ends what is not done in time', async () => {
    const { http, client, asked, letGo } = await startWaiting(1);
    const answer = client.get('/v1/skus/A');
    const cut = expect(answer).rejects.toThrow();
    await asked;
    await http.stop();
    await cut;
    letGo();
  });
});

describe('a port that is taken', () => {
  it('is told with the setting that chooses another', async () => {
    const { http } = await startWaiting();
    const { port } = http.address;
    const second = startHttp({ app: () => undefined, host: '127.0.0.1', port });
    await expect(second).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use: set PORT`);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['no request line', 'HELLO\r\n\r\n', 400],
    ['a control character', 'GET /livez HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n', 400],
    ['no Host', 'GET /livez HTTP/1.1\r\n\r\n', 400],
    [
      'too long a header',
      `GET /livez HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    [
      'a length that is no number',
      'POST /v1/movements HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      400,
    ],
  ])('is refused plainly: %s', async (_, bytes, status) => {
    const { client } = await startWaiting();
    expect(await sendRaw(client.url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('does not hurt when a caller leaves in the middle of a body', async () => {
    const { client, logged } = await startWaiting();
    const { hostname, port } = new URL(client.url);
    const head = `POST /v1/movements HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n`;
    const rest =
      'Idempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
    const socket = connect(Number(port), hostname, () => {
      socket.write(head + rest, () => socket.destroy());
    });
    await expect.poll(() => logged.join('')).toContain('"cutShort":true');
    expect(logged.join('')).not.toContain('"level":50');
    expect((await client.get('/livez')).status).toBe(200);
  });
});
