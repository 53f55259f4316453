/**
 * What a receipt costs beside the movements that it consists of: one request with 50 lines over 50
 * SKUs, and one batch of 50 movements over the same, in turn, through one service.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { z } from 'zod';
import { startService } from './processes.ts';
import { median } from './statistics.ts';
import { required } from './stock.ts';
import type { SectionResult } from './targets.ts';
import { judged } from './targets.ts';

const lines = 50;
const rounds = 15;
const skus = Array.from({ length: lines }, (_, index) => `RECEIVED-${index}`);

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** @param uri of the engine; the database that is made on it goes again. */
export async function measureReceipts(uri: string): Promise<SectionResult> {
  const database = `bench_receipts_${randomUUID().slice(0, 8)}`;
  const secret = randomBytes(16).toString('hex');
  const client = new MongoClient(uri);
  try {
    const service = await startService({ uri, database, secret });
    const send = sender(service.url, secret);
    await arrange(send);
    // The first round warms both up.
    await receive(send);
    await move(send);
    const receipts: number[] = [];
    const movements: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      receipts.push(await millisecondsOf(() => receive(send)));
      movements.push(await millisecondsOf(() => move(send)));
    }
    await expectConserved(send, 2 * (rounds + 1));
    await service.stop();
    return resultOf(receipts, movements);
  } finally {
    await client.db(database).dropDatabase();
    await client.close();
  }
}

function sender(url: string, secret: string): Send {
  return async (method, path, body) => {
    for (;;) {
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${secret}`,
          'Idempotency-Key': randomUUID(),
          'Content-Type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer: unknown = await reply.json();
      if (reply.status === 503 && method === 'PUT') continue;
      if (!reply.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      return answer;
    }
  };
}

async function arrange(send: Send): Promise<void> {
  await send('PUT', '/v1/locations/DOCK', { warehouse: 'BENCH' });
  for (const sku of skus) await send('PUT', `/v1/skus/${sku}`, { description: 'x' });
  await send('POST', '/v1/purchase-orders', {
    number: 'BENCH',
    supplier: 'BENCH',
    lines: skus.map((sku, index) => ({ line: index + 1, sku, ordered: 1_000_000 })),
  });
}

const received = z.object({ status: z.literal('completed') });

async function receive(send: Send): Promise<void> {
  const asked = skus.map((_, index) => ({ line: index + 1, location: 'DOCK', quantity: 1 }));
  received.parse(await send('POST', '/v1/purchase-orders/BENCH/receipts', { lines: asked }));
}

const batch = z.object({ results: z.array(z.object({ status: z.literal(201) })).length(lines) });

async function move(send: Send): Promise<void> {
  const items = skus.map((sku) => ({
    idempotencyKey: randomUUID(),
    type: 'receive',
    sku,
    location: 'DOCK',
    quantity: 1,
  }));
  batch.parse(await send('POST', '/v1/movements/batch', { items }));
}

const standing = z.object({ movementCount: z.number(), totals: z.object({ onHand: z.number() }) });

/** @throws where anything was lost or made. */
async function expectConserved(send: Send, each: number): Promise<void> {
  for (const sku of skus) {
    const { movementCount, totals } = standing.parse(await send('GET', `/v1/skus/${sku}`));
    if (movementCount !== each || totals.onHand !== each) {
      throw new Error(`${sku}: ${totals.onHand} in ${movementCount} movements, not ${each}`);
    }
  }
}

async function millisecondsOf(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function resultOf(receipts: readonly number[], movements: readonly number[]): SectionResult {
  const ratio = required(
    median(receipts.map((ms, index) => ms / (movements[index] ?? Number.NaN))),
  );
  const [one, other] = [required(median(receipts)), required(median(movements))];
  return {
    targets: [judged('r1  a receipt of 50 lines / a batch of 50 movements', { atMost: 3 }, ratio)],
    text:
      `Receipts: 50 lines over 50 SKUs take ${one.toFixed(0)} ms, a batch of 50 movements over ` +
      `them ${other.toFixed(0)} ms (medians of ${receipts.length} in turn); stock conserved`,
  };
}
