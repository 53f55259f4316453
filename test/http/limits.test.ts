import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createUnderWay } from '../../src/http/under-way.ts';
import type { Inventory } from '../../src/inventory/inventory.ts';
import type { Client } from '../support/http-client.ts';
import { outcomeOf } from '../support/http-client.ts';
import { gate } from './gate.ts';
import type { Script, StubService } from './stub-service.ts';
import { secret, startStub } from './stub-service.ts';

let running: StubService | undefined;

async function start(script: Script): Promise<StubService> {
  running = await startStub({ inventory: unknownSku, ...script });
  return running;
}

afterEach(async () => {
  await running?.http.stop();
  running = undefined;
});

const unknownSku: Partial<Inventory> = { sku: () => Promise.resolve({ kind: 'not-found' }) };

/** What comes of one request after the other, from an address that a proxy names. */
async function ask(client: Client, times: number, from?: string): Promise<readonly string[]> {
  const outcomes: string[] = [];
  const headers = from === undefined ? {} : { 'X-Forwarded-For': from };
  for (let time = 0; time < times; time += 1) {
    outcomes.push(outcomeOf(await client.send('GET', '/v1/skus/A', { headers })));
  }
  return outcomes;
}

const passes = '404 not-found';
const held = '429 rate-limited';

describe('the share of a key', () => {
  it('is so many requests a minute; past it a caller is told when to come again', async () => {
    const { client } = await start({ limits: { perKey: 2 } });
    expect(await ask(client, 3)).toEqual([passes, passes, held]);
    const answer = await client.get('/v1/skus/A');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('is not used up by those who do not know the key', async () => {
    const { client } = await start({ limits: { perKey: 1 } });
    const headers = { Authorization: 'Bearer wrong' };
    for (let time = 0; time < 3; time += 1) {
      const answer = await client.send('GET', '/v1/skus/A', { headers });
      expect(outcomeOf(answer)).toBe('401 unauthorized');
    }
    expect(await ask(client, 2)).toEqual([passes, held]);
  });
});

describe('the share of an address', () => {
  it('holds up whoever guesses keys', async () => {
    const { client } = await start({ limits: { perAddress: 2 } });
    const headers = { Authorization: 'Bearer wrong' };
    const outcomes: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      outcomes.push(outcomeOf(await client.send('GET', '/v1/skus/A', { headers })));
    }
    expect(outcomes).toEqual(['401 unauthorized', '401 unauthorized', held]);
  });

  it('is that of the caller where the proxy is trusted, and that of the proxy where it is not', async () => {
    const trusting = await start({ limits: { perAddress: 1 }, trustProxy: 1 });
    expect(await ask(trusting.client, 2, '192.0.2.1')).toEqual([passes, held]);
    expect(await ask(trusting.client, 1, '192.0.2.2')).toEqual([passes]);
    // Whatever a caller claims stands left of what the proxy saw.
    expect(await ask(trusting.client, 1, '203.0.113.9, 192.0.2.1')).toEqual([held]);
    await trusting.http.stop();
    const wary = await start({ limits: { perAddress: 1 } });
    expect(await ask(wary.client, 1, '192.0.2.1')).toEqual([passes]);
    expect(await ask(wary.client, 1, '192.0.2.2')).toEqual([held]);
  });

  it('is one for a whole IPv6 network', async () => {
    const { client } = await start({ limits: { perAddress: 1 }, trustProxy: 1 });
    expect(await ask(client, 1, '2001:db8:1:2::1')).toEqual([passes]);
    expect(await ask(client, 1, '2001:db8:1:2:ffff::9')).toEqual([held]);
    expect(await ask(client, 1, '2001:db8:1:3::1')).toEqual([passes]);
  });

  it('does not touch the probes', async () => {
    const { client } = await start({ limits: { perAddress: 1 } });
    for (let time = 0; time < 3; time += 1) expect((await client.get('/livez')).status).toBe(200);
  });
});

describe('the bound on work under way', () => {
  it('turns away what is past it, never a probe, and lets in what comes after', async () => {
    const asked = gate();
    const letGo = gate();
    const sku = async () => {
      asked.open();
      await letGo.opened;
      return { kind: 'not-found' } as const;
    };
    const { client } = await start({
      inventory: { sku },
      limits: { underWay: createUnderWay(1) },
      metrics: () => Promise.resolve('up 1\n'),
    });
    const first = client.get('/v1/skus/A');
    await asked.opened;
    const second = await client.get('/v1/skus/A');
    expect(outcomeOf(second)).toBe('503 overloaded');
    expect(second.headers.get('retry-after')).toBe('1');
    for (const probe of ['/livez', '/readyz']) {
      expect((await client.get(probe)).status).toBe(200);
    }
    expect((await fetch(`${client.url}/metrics`)).status).toBe(200);
    letGo.open();
    expect(outcomeOf(await first)).toBe(passes);
    expect(await ask(client, 2)).toEqual([passes, passes]);
  });

  it('is not taken up by those who never end their bodies', async () => {
    const underWay = createUnderWay(1);
    const { client, http } = await start({ limits: { underWay } });
    const head = [
      'POST /v1/movements HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${secret}`,
      'Idempotency-Key: k',
      'Content-Type: application/json',
      'Content-Length: 99',
    ].join('\r\n');
    const slow = Array.from({ length: 3 }, () => connect(http.address.port, '127.0.0.1'));
    await Promise.all(
      slow.map(
        (socket) =>
          new Promise<void>((sent) =>
            socket.write(`${head}\r\n\r\n{`, () => {
              sent();
            }),
          ),
      ),
    );
    expect(await ask(client, 5)).toEqual(Array(5).fill(passes));
    for (const socket of slow) socket.destroy();
    expect(await ask(client, 1)).toEqual([passes]);
    expect(underWay.count()).toBe(0);
  });

  it('ends with a request that is turned away or fails', async () => {
    const underWay = createUnderWay(1);
    const { client } = await start({
      limits: { underWay },
      inventory: { sku: () => Promise.reject(new Error('a fault')) },
    });
    await client.send('GET', '/v1/skus/A', { headers: { Authorization: 'Bearer wrong' } });
    await client.get('/v1/skus/A');
    await client.move('{');
    await client.move('{"type":"receive"}');
    expect(underWay.count()).toBe(0);
  });
});
