/** What the log says of the use of a key, and of what was denied to it. */
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Service } from '../../src/service.ts';
import { startService } from '../../src/service.ts';
import { useDatabase } from '../support/database.ts';
import type { Client, Reply } from '../support/http-client.ts';
import { clientOf, freshKey } from '../support/http-client.ts';
import { testSettings } from '../support/service.ts';
import type { Ground } from '../support/two-warehouses.ts';
import { idShown, layGround } from '../support/two-warehouses.ts';

const database = useDatabase();
const adminApiKey = 'a-key-for-tests-only';
const lines: string[] = [];
const running: { service?: Service; ground?: Ground } = {};
const url = (): string => running.service?.url ?? expect.fail('the service is started first');
const admin = clientOf(url, adminApiKey);

beforeAll(async () => {
  const sink = new PassThrough({ encoding: 'utf8' });
  sink.on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)));
  const logger = pino({ level: 'info' }, sink);
  running.service = await startService({ ...testSettings(database), adminApiKey }, logger);
  await running.service.prepared;
  running.ground = await layGround(admin);
});

afterAll(() => running.service?.stop());

const lineShape = z.looseObject({ requestId: z.string().optional() });

/** The line of the request that a reply answers; it is written once the answer is out. */
async function lineOf({ headers }: Reply): Promise<unknown> {
  const requestId = headers.get('x-request-id') ?? expect.fail('a reply names its request');
  const find = () =>
    lines.map((line) => lineShape.parse(JSON.parse(line))).find((l) => l.requestId === requestId);
  await expect.poll(find).toBeDefined();
  return find();
}

const keyShape = z.object({ id: z.string(), key: z.string() });

async function holder(name: string, role: string, warehouses?: readonly string[]) {
  const body = { name, role, ...(warehouses && { warehouses }) };
  const made = await admin.send('POST', '/v1/api-keys', { body });
  const { id, key } = keyShape.parse(made.body);
  return { keyId: id, client: clientOf(url, key) };
}

const receive = (location: string) => ({ type: 'receive', sku: 'BOTH', location, quantity: 1 });
const beyondFar = async (client: Client): Promise<Reply> => client.move(receive('FAR'));

describe('the line of a request', () => {
  it('says of use who, with which key, of which warehouses, touching which', async () => {
    const { client, keyId } = await holder('dock-1', 'scanner', ['W1']);
    expect(await lineOf(await client.move(receive('NEAR')))).toMatchObject({
      actor: 'dock-1',
      keyId,
      warehouses: ['W1'],
      touched: ['W1'],
      status: 201,
    });
  });

  it('says the same of what is denied for its warehouse, which it names', async () => {
    const { client, keyId } = await holder('dock-2', 'admin', ['W1']);
    const { far } = running.ground?.hold ?? expect.fail('the ground is laid');
    const who = { actor: 'dock-2', keyId, warehouses: ['W1'] };
    const beyond = { ...who, touched: ['W2'] };
    const hold = `/v1/skus/BOTH/reservations/${far}`;
    const replies: readonly (readonly [Reply, object])[] = [
      [await beyondFar(client), { ...beyond, status: 403, code: 'forbidden' }],
      [await client.get('/v1/movements?warehouse=W2'), { ...beyond, status: 403 }],
      [await client.get(hold), { ...beyond, status: 404 }],
      [
        await client.send('POST', `${hold}/commit`, { key: freshKey() }),
        { ...beyond, status: 404, code: 'unknown-reservation' },
      ],
      [
        await client.move({ type: 'transfer', sku: 'BOTH', from: 'NEAR', to: 'FAR', quantity: 1 }),
        { ...who, touched: ['W1', 'W2'], status: 403 },
      ],
      [
        await client.send('POST', '/v1/api-keys', {
          body: { name: 'dock-9', role: 'admin', warehouses: ['W2'] },
        }),
        { ...beyond, status: 403 },
      ],
    ];
    for (const [reply, line] of replies) expect(await lineOf(reply)).toMatchObject(line);
  });

  it('says the same of what is denied for its role', async () => {
    const { client, keyId } = await holder('looker', 'auditor', ['W1']);
    const line = await lineOf(await beyondFar(client));
    const who = { actor: 'looker', keyId, warehouses: ['W1'] };
    expect(line).toMatchObject({ ...who, status: 403, code: 'forbidden' });
  });

  it('names no warehouses for a key that has none of its own', async () => {
    const { client, keyId } = await holder('everywhere', 'scanner');
    const line = await lineOf(await beyondFar(client));
    expect(line).toMatchObject({ actor: 'everywhere', keyId, status: 201 });
    expect(line).not.toHaveProperty('warehouses');
    expect(line).not.toHaveProperty('touched');
  });

  it('names nobody where the key is none, and the key that made another', async () => {
    const nobody = clientOf(url, 'stk_none');
    const line = await lineOf(await nobody.get('/v1/skus'));
    expect(line).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(line).not.toHaveProperty('actor');
    const body = { name: 'made', role: 'scanner' };
    const made = await admin.send('POST', '/v1/api-keys', { body });
    idShown.parse(made.body);
    expect(await lineOf(made)).toMatchObject({ actor: 'admin', status: 201 });
  });
});
