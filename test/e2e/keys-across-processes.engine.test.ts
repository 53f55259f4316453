/** Keys in two processes of their own, whose clocks are an hour ahead and an hour behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useDatabase } from '../support/database.ts';
import type { Client } from '../support/http-client.ts';
import { clientOf } from '../support/http-client.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';

const database = useDatabase();
const services: ServiceProcess[] = [];
const hour = 3_600_000;

beforeAll(async () => {
  const preload = new URL('../support/shifted-clock.ts', import.meta.url).href;
  const started = [hour, -hour].map((shift) =>
    startServiceProcess(database, { preload, env: { CLOCK_SHIFT_MS: String(shift) } }),
  );
  services.push(...(await Promise.all(started)));
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

const calling =
  (index: number) =>
  (secret: string): Client =>
    clientOf(() => services[index]?.url ?? expect.fail('two services run'), secret);
const [ahead, behind] = [calling(0), calling(1)];
const made = z.object({ id: z.string(), key: z.string() });

let names = 0;

async function makeKey(expiresAt?: number): Promise<z.output<typeof made>> {
  names += 1;
  const expiry = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
  const body = { name: `key-${names}`, role: 'scanner', ...expiry };
  return made.parse((await ahead(adminSecret).send('POST', '/v1/api-keys', { body })).body);
}

const statuses = (secret: string): Promise<readonly number[]> =>
  Promise.all([ahead, behind].map(async (call) => (await call(secret).get('/v1/session')).status));

describe('a key', () => {
  // The database runs on this machine, by this clock.
  it('expires by the clock of the database, not of the process', async () => {
    expect(await statuses((await makeKey(Date.now() + hour / 2)).key)).toEqual([200, 200]);
    expect(await statuses((await makeKey(Date.now() - hour / 2)).key)).toEqual([401, 401]);
  });

  it('keeps its former secret for a grace by that clock', async () => {
    const { id, key } = await makeKey();
    const path = `/v1/api-keys/${id}/rotate`;
    await behind(adminSecret).send('POST', path, { body: { graceSeconds: 1_800 } });
    expect(await statuses(key)).toEqual([200, 200]);
  });

  it('that is revoked in one process opens nothing in the other within five seconds', async () => {
    const { id, key } = await makeKey();
    expect(await statuses(key)).toEqual([200, 200]);
    await ahead(adminSecret).send('DELETE', `/v1/api-keys/${id}`);
    await expect.poll(() => statuses(key), { timeout: 5_000 }).toEqual([401, 401]);
  });
});
