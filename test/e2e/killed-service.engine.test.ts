/**
 * Services that are killed under load: two processes, 32 clients that keep the key of a request
 * before they send it, and kills without warning. Whatever was answered holds, whatever was not is
 * asked again under its key, and the history explains it all.
 *
 * STOCKROOM_KILLS says how many kills; 5 with every run of the tests.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asked } from '../../scripts/history/history.ts';
import { useDatabase } from '../support/database.ts';
import { clientOf } from '../support/http-client.ts';
import { recordMoves } from '../support/recorded-moves.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';

const kills = Number(process.env['STOCKROOM_KILLS'] ?? 5);
const clientCount = 32;
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

/** Calls whichever process stands at the place now. */
const at = (index: number) => clientOf(() => services[index]?.url ?? '', adminSecret);

interface Wish {
  readonly asked: Asked;
  readonly body: object;
}

function wishOf(index: number): Wish {
  const sku = skus[index % skus.length] ?? '';
  const [from, to] = index % 2 === 0 ? (['A1', 'B1'] as const) : (['B1', 'A1'] as const);
  const needs = { location: from, quantity: 2, of: 'available' } as const;
  switch (index % 4) {
    case 0:
      return {
        asked: { sku, lines: [{ location: from, delta: 3 }] },
        body: { type: 'receive', sku, location: from, quantity: 3 },
      };
    case 1: {
      const lines = [
        { location: from, delta: -2 },
        { location: to, delta: 2 },
      ];
      return {
        asked: { sku, lines, needs },
        body: { type: 'transfer', sku, from, to, quantity: 2 },
      };
    }
    default:
      return {
        asked: { sku, lines: [{ location: from, delta: -2 }], needs },
        body: { type: 'ship', sku, location: from, quantity: 2 },
      };
  }
}

describe('services that are killed under load', () => {
  it(
    'lose nothing that was answered, and do nothing twice',
    { timeout: 60_000 + kills * 15_000 },
    async () => {
      const setUp = at(0);
      for (const location of ['A1', 'B1']) {
        await setUp.put(`/v1/locations/${location}`, { warehouse: 'W1' });
      }
      for (const sku of skus) await setUp.put(`/v1/skus/${sku}`, { description: sku });
      const record = recordMoves();
      let [next, answered, unanswered] = [0, 0, 0];
      let isOver = false;

      /** Sends one wish after the other, each until it is answered. */
      async function work(client: number): Promise<void> {
        while (!isOver) {
          const index = (next += 1);
          const { asked, body } = wishOf(index);
          for (let attempt = 0; ; attempt += 1) {
            const through = at((client + attempt) % services.length);
            const reply = await record.move(through, asked, body, `killed-${index}`);
            if (reply !== undefined && reply.status < 500) break;
            unanswered += 1;
            await pause(50);
          }
          answered += 1;
        }
      }

      const reaches = async (count: number): Promise<void> => {
        while (answered < count) await pause(10);
      };

      async function killAll(): Promise<void> {
        for (let kill = 0; kill < kills; kill += 1) {
          await reaches((kill + 1) * movementsBetweenKills);
          const place = kill % services.length;
          const victim = services[place];
          if (victim === undefined) throw new Error('nobody stands there');
          const gone = once(victim.process, 'exit');
          victim.process.kill('SIGKILL');
          await gone;
          services[place] = await startServiceProcess(database);
        }
        await reaches(answered + movementsBetweenKills);
        isOver = true;
      }

      const workers = Array.from({ length: clientCount }, (_, client) => work(client));
      await Promise.all([killAll(), ...workers]);
      expect(unanswered).toBeGreaterThan(0);
      expect(await record.check(setUp, skus)).toEqual([]);
    },
  );
});
