import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createUnderWay } from '../../src/http/under-way.ts';
import { outcomeOf } from '../support/http-client.ts';
import type { Script, StubService } from './stub-service.ts';
import { secret, startStub } from './stub-service.ts';

let running: StubService | undefined;
const sockets: Socket[] = [];

async function start(script: Script = {}): Promise<StubService> {
  const sku = () => Promise.resolve({ kind: 'not-found' } as const);
  running = await startStub({ inventory: { sku }, ...script });
  return running;
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await running?.http.stop();
  running = undefined;
});

/** A connection that has said so much and says no more. */
async function connection(http: StubService['http'], said = ''): Promise<Socket> {
  const socket = connect(http.address.port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  if (said !== '')
    await new Promise<void>((resolve) =>
      socket.write(said, () => {
        resolve();
      }),
    );
  return socket;
}

/** All that comes until the server closes it. */
async function restOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  await once(socket, 'close');
  return text;
}

const post = [
  'POST /v1/movements HTTP/1.1',
  'Host: a',
  `Authorization: Bearer ${secret}`,
  'Idempotency-Key: k',
  'Content-Type: application/json',
];
const unfinished = `${[...post, 'Content-Length: 99'].join('\r\n')}\r\n\r\n{`;
const endless = `${[...post, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n1\r\n{\r\n`;

describe('other callers are served', () => {
  it('beside 1,000 connections that are idle', { timeout: 60_000 }, async () => {
    const { http, client } = await start();
    for (let open = 0; open < 1_000; open += 100) {
      await Promise.all(Array.from({ length: 100 }, () => connection(http)));
    }
    for (let time = 0; time < 20; time += 1) {
      expect(outcomeOf(await client.get('/v1/skus/A'))).toBe('404 not-found');
    }
  });

  it.each([
    ['send a body bit by bit', unfinished],
    ['never end a body', endless],
    ['never end their headers', 'GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ])('beside more that %s than may be under way', async (_, said) => {
    const { http, client } = await start({ limits: { underWay: createUnderWay(10) } });
    await Promise.all(Array.from({ length: 50 }, () => connection(http, said)));
    for (let time = 0; time < 20; time += 1) {
      expect(outcomeOf(await client.get('/v1/skus/A'))).toBe('404 not-found');
    }
  });
});

describe('a caller who takes too long', () => {
  const timeLimits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };

  it.each([
    ['a body', unfinished],
    ['a body without a length', endless],
    ['headers', 'GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ])('to send %s is let go with 408', async (_, said) => {
    const { http, logged } = await start({ timeLimits });
    const socket = await connection(http, said);
    expect(await restOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
    expect(logged.join('')).not.toContain('"level":50');
  });
});

describe('a stop that drains', () => {
  it('lets requests in for a while, and sends their callers elsewhere', async () => {
    const { http, client } = await start({ drainMs: 1_500 });
    expect((await client.get('/livez')).headers.get('connection')).toBe('keep-alive');
    const stopped = http.stop();
    const answer = await client.get('/livez');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    await stopped;
    running = undefined;
    await expect(client.get('/livez')).rejects.toThrow();
  });
});
