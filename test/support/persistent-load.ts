/**
 * Clients that keep the key of a request before they send it, and send it again under that key until
 * it is answered, whatever happens to the service and its database.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Asked, Breach } from '../../scripts/history/history.ts';
import type { Client } from './http-client.ts';
import { recordMoves } from './recorded-moves.ts';

const betweenAttemptsMs = 50;

export interface PersistentLoad {
  /** Resolves once so many requests have their answers. */
  readonly reaches: (count: number) => Promise<void>;
  readonly answered: () => number;
  /** Sendings that got no answer, or 5xx. */
  readonly unanswered: () => number;
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
  for (const sku of skus) await setUp.put(`/v1/skus/${sku}`, { description: sku });
  const record = recordMoves();
  let [next, answered, unanswered] = [0, 0, 0];
  let isOver = false;

  async function work(client: number): Promise<void> {
    while (!isOver) {
      const index = (next += 1);
      const { asked, body } = wishOf(index, skus);
      for (let attempt = client; ; attempt += 1) {
        const reply = await record.move(through(attempt), asked, body, `persistent-${index}`);
        if (reply !== undefined && reply.status < 500) break;
        unanswered += 1;
        await pause(betweenAttemptsMs);
      }
      answered += 1;
    }
  }

  const workers = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  return {
    reaches: async (count) => {
      while (answered < count) await pause(10);
    },
    answered: () => answered,
    unanswered: () => unanswered,
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
