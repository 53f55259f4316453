/** Two service processes on one database, and 32 clients that do not know of each other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asked } from '../../scripts/history/history.ts';
import { useDatabase } from '../support/database.ts';
import type { Client } from '../support/http-client.ts';
import { clientOf } from '../support/http-client.ts';
import { readHistory } from '../support/http-history.ts';
import type { RecordedMoves } from '../support/recorded-moves.ts';
import { recordMoves } from '../support/recorded-moves.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { adminSecret, startServiceProcess } from '../support/service-process.ts';

const database = useDatabase();
const services: ServiceProcess[] = [];
const clients: Client[] = [];

beforeAll(async () => {
  services.push(
    ...(await Promise.all([startServiceProcess(database), startServiceProcess(database)])),
  );
  for (let count = 0; count < 32; count += 1) {
    clients.push(clientOf(() => services[count % 2]?.url ?? '', adminSecret));
  }
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

describe('2,000 movements on 5 SKUs by 32 clients through two processes', () => {
  const skus = ['HOT-0', 'HOT-1', 'HOT-2', 'HOT-3', 'HOT-4'];
  const opening = 150;

  it('leave histories that explain every answer, and no 500', async () => {
    const [first] = clients;
    if (first === undefined) throw new Error('no client');
    const record = recordMoves();
    await first.put('/v1/locations/A1', { warehouse: 'W1' });
    await first.put('/v1/locations/B1', { warehouse: 'W2' });
    for (const sku of skus) {
      await first.put(`/v1/skus/${sku}`, { description: sku });
      const { asked, body } = received(sku, opening);
      expect((await record.move(first, asked, body, `opening-${sku}`))?.status).toBe(201);
    }
    const statuses = await sendAll(record, 2_000);
    expect(statuses.filter((status) => ![201, 409].includes(status ?? 0))).toEqual([]);
    expect(await record.check(first, skus)).toEqual([]);
  });

  /** Each client sends one request after the other; half of all ships ask for more than there is. */
  async function sendAll(
    record: RecordedMoves,
    total: number,
  ): Promise<readonly (number | undefined)[]> {
    let sent = 0;
    const statuses: (number | undefined)[] = [];
    await Promise.all(
      clients.map(async (client) => {
        for (let index = (sent += 1); index <= total; index = sent += 1) {
          const { asked, body } = requestAt(index);
          statuses.push((await record.move(client, asked, body, `hot-${index}`))?.status);
        }
      }),
    );
    return statuses;
  }

  interface Wish {
    readonly asked: Asked;
    readonly body: object;
  }

  function received(sku: string, quantity: number): Wish {
    return {
      asked: { sku, lines: [{ location: 'A1', delta: quantity }] },
      body: { type: 'receive', sku, location: 'A1', quantity },
    };
  }

  function requestAt(index: number): Wish {
    const sku = skus[index % skus.length] ?? '';
    const [quantity, delta] = [2, -2];
    const location = index % 8 < 4 ? 'A1' : 'B1';
    switch (index % 4) {
      case 0:
        return received(sku, 1);
      case 1: {
        const [from, to] = ['A1', 'B1'];
        const lines = [
          { location: from, delta },
          { location: to, delta: quantity },
        ];
        const needs = { location: from, quantity, of: 'available' } as const;
        return {
          asked: { sku, lines, needs },
          body: { type: 'transfer', sku, from, to, quantity },
        };
      }
      default:
        return {
          asked: {
            sku,
            lines: [{ location, delta }],
            needs: { location, quantity, of: 'available' },
          },
          body: { type: 'ship', sku, location, quantity },
        };
    }
  }
});

describe('one key sent 50 times at once at two processes', () => {
  it('has one effect, and every answer shows the same movement', async () => {
    const [first] = clients;
    if (first === undefined) throw new Error('no client');
    const [sku, location, quantity] = ['ONE-KEY', 'A1', 7];
    await first.put('/v1/locations/A1', { warehouse: 'W1' });
    await first.put(`/v1/skus/${sku}`, { description: sku });
    const record = recordMoves();
    const asked = { sku, lines: [{ location, delta: quantity }] };
    const request = { type: 'receive', sku, location, quantity };
    const sent = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        record.move(clients[index % 32] ?? first, asked, request, 'one-key'),
      ),
    );
    const answers = sent.filter((answer) => answer !== undefined);
    expect(
      answers
        .map(({ status }) => status)
        .toSorted()
        .at(-1),
    ).toBe(201);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(await readHistory(first.get, sku)).toHaveLength(1);
    expect(await record.check(first, [sku])).toEqual([]);
  });
});
