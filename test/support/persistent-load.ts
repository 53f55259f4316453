/** Movements by callers who ask for one after the other, each until it is answered. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Asked, Breach } from '../../scripts/history/history.ts';
import type { Client } from './http-client.ts';
import type { Persistence } from './persistence.ts';
import { persistence } from './persistence.ts';
import { recordMoves } from './recorded-moves.ts';

export interface PersistentLoad extends Omit<Persistence, 'ask'> {
  /** Resolves once so many requests have their answers. */
  readonly reaches: (count: number) => Promise<void>;
  /** Resolves once so many more sendings have ended, by an answer or without. */
  readonly tries: (more: number) => Promise<void>;
  /** No new request begins; resolves when the ones under way have their answers. */
  readonly end: () => Promise<void>;
  /** What the histories say against what the callers were told. */
  readonly check: () => Promise<readonly Breach[]>;
}

/** @param through the client of an attempt: the same request may go through another process. */
export async function startPersistentLoad(
  through: (attempt: number) => Client,
  { clients, skus }: { readonly clients: number; readonly skus: readonly string[] },
): Promise<PersistentLoad> {
  const setUp = through(0);
  for (const location of ['A1', 'B1']) {
    await setUp.put(`/v1/locations/${location}`, { warehouse: 'W1' });
  }
  for (const sku of skus) {
    await setUp.put(`/v1/skus/${encodeURIComponent(sku)}`, { description: sku });
  }
  const record = recordMoves();
  const { ask, ...counts } = persistence(record, through);
  const run = randomUUID();
  let [next, isOver] = [0, false];

  async function work(client: number): Promise<void> {
    while (!isOver) {
      const index = (next += 1);
      const { asked, body } = wishOf(index, skus);
      const key = `${run}-${index}`;
      await ask(client, { method: 'POST', path: '/v1/movements', body, key }, asked);
    }
  }

  const workers = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  const until = async (isSo: () => boolean): Promise<void> => {
    // A client that ends before it is told to has failed, and is to be heard.
    while (!isSo()) await Promise.race([pause(10), workers]);
  };
  const tried = (): number => counts.answered() + counts.unanswered();
  return {
    ...counts,
    reaches: (count) => until(() => counts.answered() >= count),
    tries: (more) => {
      const count = tried() + more;
      return until(() => tried() >= count);
    },
    end: async () => {
      isOver = true;
      await workers;
    },
    check: () => record.check(through(0), skus),
  };
}

interface Wish {
  readonly asked: Asked;
  readonly body: object;
}

/** Receipts, ships and transfers in turn, of which many find too little. */
function wishOf(index: number, skus: readonly string[]): Wish {
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
