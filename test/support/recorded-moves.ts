/** Movements over HTTP, recorded as the check of histories wants them. */
import { z } from 'zod';
import { checkHistory } from '../../scripts/history/check.ts';
import type { Answer, Asked, Breach, Exchange } from '../../scripts/history/history.ts';
import type { Client, Reply } from './http-client.ts';
import { problemOf } from './http-client.ts';
import { movementShape, readHistory } from './http-history.ts';

const documentShape = z.object({
  sku: z.string(),
  movementCount: z.number(),
  levels: z.array(z.object({ location: z.string(), onHand: z.number(), reserved: z.number() })),
  reservations: z.array(
    z.object({
      id: z.string(),
      location: z.string(),
      quantity: z.number(),
      expiresAt: z.string().nullable(),
    }),
  ),
  asOf: z.string(),
});

export interface RecordedMoves {
  /** Sends a movement; without an answer it is on record as unanswered, and undefined. */
  readonly move: (
    client: Client,
    asked: Asked,
    body: unknown,
    key: string,
  ) => Promise<Reply | undefined>;
  /** Reads what became of the SKUs, all of whose movements are on record, and checks it. */
  readonly check: (client: Client, skus: readonly string[]) => Promise<readonly Breach[]>;
}

export function recordMoves(): RecordedMoves {
  const exchanges: Exchange[] = [];
  return {
    move: async (client, asked, body, key) => {
      const sentAt = performance.now();
      const reply = await client.move(body, key).catch(() => undefined);
      const answeredAt = reply === undefined ? Infinity : performance.now();
      const answer = answerOf(reply);
      exchanges.push({ actionId: `admin/${key}`, asked, sentAt, answeredAt, answer });
      return reply;
    },
    check: async (client, skus) => {
      const histories = await Promise.all(
        skus.map(async (sku) => [sku, await readHistory(client.get, sku)] as const),
      );
      const documents = await Promise.all(
        skus.map(async (sku) =>
          documentShape.parse((await client.get(`/v1/skus/${encodeURIComponent(sku)}`)).body),
        ),
      );
      return checkHistory({ exchanges, histories: new Map(histories), documents });
    },
  };
}

function answerOf(reply: Reply | undefined): Answer {
  if (reply === undefined || reply.status >= 500 || reply.status === 429) return { kind: 'open' };
  if (reply.status >= 400) return { kind: 'refused', code: problemOf(reply).code };
  const movement = movementShape.parse(reply.body);
  return { kind: 'done', text: JSON.stringify(reply.body), movement };
}
