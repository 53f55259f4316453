import { afterEach, describe, expect, it } from 'vitest';
import type { Inventory } from '../../src/inventory/inventory.ts';
import { outcomeOf, problemOf, rawRequest, sendRaw } from '../support/http-client.ts';
import type { Script, StubService } from './stub-service.ts';
import { secret, startStub } from './stub-service.ts';

let running: StubService | undefined;

async function start(script: Script = {}): Promise<StubService> {
  running = await startStub(script);
  return running;
}

afterEach(async () => {
  await running?.http.stop();
  running = undefined;
});

const unknownSku: Partial<Inventory> = { sku: () => Promise.resolve({ kind: 'not-found' }) };

describe('routes', () => {
  it.each([
    ['/livez', 'GET, HEAD, OPTIONS'],
    ['/v1/skus', 'GET, HEAD, OPTIONS'],
    ['/v1/skus/A', 'GET, HEAD, OPTIONS, PUT'],
    ['/v1/skus/A/movements', 'GET, HEAD, OPTIONS'],
    ['/v1/locations/A', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['/v1/movements', 'GET, HEAD, OPTIONS, POST'],
    ['/v1/movements/batch', 'OPTIONS, POST'],
  ])('%s allows %s', async (path, allow) => {
    const { client } = await start();
    const refused = await client.send('PATCH', path);
    expect(outcomeOf(refused)).toBe('405 method-not-allowed');
    expect(refused.headers.get('allow')).toBe(allow);
    const options = await client.send('OPTIONS', path);
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  });

  it.each([
    '/',
    '/v1',
    '/v1/nothing',
    '/v1/skus/',
    '/V1/skus',
    '/v1/skus/A/',
    '/v1/skus/A/B',
    '//',
  ])('%s is not found', async (path) => {
    const { client } = await start();
    expect(outcomeOf(await client.get(path))).toBe('404 not-found');
  });

  it('answers a target that is no URL', async () => {
    const { client } = await start();
    const answer = await sendRaw(client.url, rawRequest(['GET http://[::1/ HTTP/1.1'], secret));
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"not-found"');
  });

  it('shows HEAD what GET has, without its body', async () => {
    const { client } = await start();
    const head = await client.send('HEAD', '/livez');
    const get = await client.get('/livez');
    expect(head).toMatchObject({ status: 200, body: undefined });
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  it('refuses a path that is not percent-encoded UTF-8', async () => {
    const { client } = await start();
    expect(outcomeOf(await client.get('/v1/skus/%E0%A4%A'))).toBe('400 malformed-path');
    expect(outcomeOf(await client.get('/v1/skus/%FF'))).toBe('400 malformed-path');
  });

  it.each(['A%2FB', 'a.b', '%24x', '__proto__', 'constructor', '0017', '%F0%9F%93%A6', 'a%20b'])(
    'hands the SKU %s on as it is meant',
    async (segment) => {
      const asked: string[] = [];
      const { client } = await start({
        inventory: {
          sku: (sku) => {
            asked.push(sku);
            return Promise.resolve({ kind: 'not-found' });
          },
        },
      });
      expect(outcomeOf(await client.get(`/v1/skus/${segment}`))).toBe('404 not-found');
      expect(asked).toEqual([decodeURIComponent(segment)]);
    },
  );
});

describe('the probes', () => {
  it('need no key', async () => {
    const { client } = await start();
    const anonymous = { headers: { Authorization: '' } };
    expect(await client.send('GET', '/livez', anonymous)).toMatchObject({ status: 200 });
    expect(await client.send('GET', '/readyz', anonymous)).toMatchObject({ status: 200 });
  });

  it('say 503 while the service cannot work, and log the cause', async () => {
    const { client, logged } = await start({
      readiness: { ready: () => Promise.resolve({ kind: 'not-ready', cause: 'no index' }) },
    });
    const answer = await client.get('/readyz');
    expect(outcomeOf(answer)).toBe('503 unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(JSON.stringify(answer.body)).not.toContain('no index');
    await expect.poll(() => logged.join('')).toContain('"cause":"no index"');
  });
});

describe('the key', () => {
  it('is judged before anything of the body', async () => {
    const { client } = await start();
    const headers = { Authorization: 'Bearer wrong', 'Content-Type': 'text/plain' };
    const answer = await client.send('POST', '/v1/movements', {
      headers,
      body: 'x'.repeat(99_999),
    });
    expect(outcomeOf(answer)).toBe('401 unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('gets one answer, whether it is missing or unknown', async () => {
    const { client } = await start();
    const headers = { 'X-Request-Id': 'one' };
    const missing = await client.send('GET', '/v1/skus', {
      headers: { ...headers, Authorization: '' },
    });
    const unknown = await client.send('GET', '/v1/skus', {
      headers: { ...headers, Authorization: `Bearer ${secret}x` },
    });
    expect(missing.status).toBe(401);
    expect(unknown.body).toEqual(missing.body);
  });
});

describe('every answer', () => {
  it('carries the id of its request, the caller’s own where it is well-formed', async () => {
    const { client } = await start();
    const ask = (id: string) => client.send('GET', '/livez', { headers: { 'X-Request-Id': id } });
    expect((await ask('scan_7.a-B')).headers.get('x-request-id')).toBe('scan_7.a-B');
    for (const id of ['', 'a b', 'x'.repeat(129), '<b>']) {
      expect((await ask(id)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    const problem = await client.send('GET', '/v1/x', { headers: { 'X-Request-Id': 'mine' } });
    expect(problemOf(problem).instance).toBe('mine');
  });

  it('is not stored, not sniffed, and does not name its maker', async () => {
    const { client } = await start();
    for (const path of ['/livez', '/v1/nothing']) {
      const { headers } = await client.get(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('leaves one line in the log, without the secret', async () => {
    const { client, logged } = await start({ inventory: unknownSku });
    await client.send('GET', '/v1/skus/A', { headers: { 'X-Request-Id': 'mine' } });
    await expect.poll(() => logged.length).toBe(1);
    expect(JSON.parse(logged.join(''))).toMatchObject({
      level: 30,
      method: 'GET',
      route: '/v1/skus/{sku}',
      status: 404,
      requestId: 'mine',
      actor: 'admin',
      code: 'not-found',
    });
    expect(logged.join('')).not.toContain(secret);
  });
});

describe('a fault of the service', () => {
  it('is answered 500 and logged, and tells the caller nothing of it', async () => {
    const { client, logged } = await start({
      inventory: { sku: () => Promise.reject(new Error('a detail of ours')) },
    });
    const answer = await client.get('/v1/skus/A');
    expect(outcomeOf(answer)).toBe('500 internal');
    expect(JSON.stringify(answer.body)).not.toContain('a detail of ours');
    await expect.poll(() => logged.join('')).toContain('a detail of ours');
  });

  it('that leaves the outcome unknown is answered 503, to be sent again', async () => {
    const { client } = await start({
      inventory: {
        post: () => Promise.resolve({ kind: 'unavailable', retryAfterSeconds: 1.2, cause: 'lost' }),
      },
    });
    const answer = await client.move({ type: 'receive', sku: 'S', location: 'A', quantity: 1 });
    expect(outcomeOf(answer)).toBe('503 unavailable');
    expect(answer.headers.get('retry-after')).toBe('2');
  });
});

describe('If-Match: *', () => {
  it('refuses to make what is not there', async () => {
    const { client } = await start({ inventory: unknownSku });
    const answer = await client.put('/v1/skus/A', { description: 'd' }, { 'If-Match': '*' });
    expect(outcomeOf(answer)).toBe('412 version-mismatch');
  });
});
