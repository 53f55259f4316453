/** Two service processes on one database, and 32 clients that do not know of each other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import type { Client, Reply } from '../support/http-client.ts';
import { clientOf } from '../support/http-client.ts';
import { movementShape, readHistory } from '../support/http-history.ts';
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

  it('leave levels that equal what was acknowledged, ordinals without a gap, and no 500', async () => {
    const [first] = clients;
    if (first === undefined) throw new Error('no client');
    await first.put('/v1/locations/A1', { warehouse: 'W1' });
    await first.put('/v1/locations/B1', { warehouse: 'W2' });
    for (const sku of skus) {
      await first.put(`/v1/skus/${sku}`, { description: sku });
      expect(
        (await first.move({ type: 'receive', sku, location: 'A1', quantity: opening })).status,
      ).toBe(201);
    }
    const answers = await sendAll(2_000);
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    const acknowledged = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => movementShape.parse(body));
    for (const sku of skus) {
      const own = acknowledged.filter((movement) => movement.sku === sku);
      const history = await readHistory(first.get, sku);
      expect(history.map(({ ordinal }) => ordinal)).toEqual(
        Array.from({ length: own.length + 1 }, (_, index) => index + 1),
      );
      const byOrdinal = own.toSorted((one, other) => one.ordinal - other.ordinal);
      expect(history.slice(1)).toEqual(byOrdinal);
      expect(await levels(first, sku)).toEqual(replayed(history));
    }
  });

  /** Each client sends one request after the other; half of all ships ask for more than there is. */
  async function sendAll(total: number): Promise<readonly Reply[]> {
    let sent = 0;
    const answers: Reply[] = [];
    await Promise.all(
      clients.map(async (client) => {
        for (let index = (sent += 1); index <= total; index = sent += 1) {
          answers.push(await client.move(requestAt(index)));
        }
      }),
    );
    return answers;
  }

  function requestAt(index: number): unknown {
    const sku = skus[index % skus.length];
    switch (index % 4) {
      case 0:
        return { type: 'receive', sku, location: 'A1', quantity: 1 };
      case 1:
        return { type: 'transfer', sku, from: 'A1', to: 'B1', quantity: 2 };
      default:
        return { type: 'ship', sku, location: index % 8 < 4 ? 'A1' : 'B1', quantity: 2 };
    }
  }
});

async function levels(client: Client, sku: string): Promise<ReadonlyMap<string, number>> {
  const { body } = await client.get(`/v1/skus/${sku}`);
  const shown = movementShape.shape.lines.element.omit({ delta: true }).array();
  if (typeof body !== 'object' || body === null || !('levels' in body))
    throw new Error('no levels');
  return new Map(shown.parse(body.levels).map(({ location, onHand }) => [location, onHand]));
}

function replayed(
  history: readonly { readonly lines: readonly { location: string; delta: number }[] }[],
): ReadonlyMap<string, number> {
  const stand = new Map<string, number>();
  for (const { location, delta } of history.flatMap(({ lines }) => lines)) {
    stand.set(location, (stand.get(location) ?? 0) + delta);
  }
  return stand;
}

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
