/**
 * Services that are killed under load, without warning: two processes, 32 persistent clients.
 * Whatever was answered holds, whatever was not is asked again, and the history explains it all.
 *
 * STOCKROOM_KILLS says how many kills; 5 with every run of the tests.
 */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { clientOf } from '../support/http-client.ts';
import { startPersistentLoad } from '../support/persistent-load.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';

const kills = Number(process.env['STOCKROOM_KILLS'] ?? 5);
const movementsBetweenKills = 150;
const skus = ['KILLED-0', 'KILLED-1', 'KILLED-2'];

const database = useDatabase();
const services: ServiceProcess[] = [];

beforeAll(async () => {
  services.push(
    ...(await Promise.all([startServiceProcess(database), startServiceProcess(database)])),
  );
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

async function kill(place: number): Promise<void> {
  const victim = services[place];
  if (victim === undefined) throw new Error('nobody stands there');
  const gone = once(victim.process, 'exit');
  victim.process.kill('SIGKILL');
  await gone;
  services[place] = await startServiceProcess(database);
}

describe('services that are killed under load', () => {
  const timeout = 60_000 + kills * 15_000;

  it('lose nothing that was answered, and do nothing twice', { timeout }, async () => {
    // Whichever process stands at the place by then.
    const through = (attempt: number) =>
      clientOf(() => services[attempt % services.length]?.url ?? '', adminSecret);
    const load = await startPersistentLoad(through, { clients: 32, skus });
    for (let count = 0; count < kills; count += 1) {
      await load.reaches((count + 1) * movementsBetweenKills);
      await kill(count % services.length);
    }
    await load.reaches(load.answered() + movementsBetweenKills);
    await load.end();
    expect(load.unanswered()).toBeGreaterThan(0);
    expect(await load.check()).toEqual([]);
  });
});
