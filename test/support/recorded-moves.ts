/** Requests over HTTP that change stock, recorded as the check of histories wants them. */
import { z } from 'zod';
import { checkHistory } from '../../scripts/history/check.ts';
import type { Answer, Asked, Breach, Exchange, NamedLine } from '../../scripts/history/history.ts';
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

/** A request under a key. */
export interface Keyed {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key: string;
}

export interface RecordedMoves {
  /**
   * Sends a request; without an answer it is on record as unanswered, and undefined.
   * @param asked what it is to do to a SKU; without it nothing goes on record.
   */
  readonly send: (client: Client, sent: Keyed, asked?: Asked) => Promise<Reply | undefined>;
  /** Sends a movement. */
  readonly move: (
    client: Client,
    asked: Asked,
    body: unknown,
    key: string,
  ) => Promise<Reply | undefined>;
  /** Takes down movements of the service's own, which a receipt or a count named in its answer. */
  readonly name: (lines: readonly NamedLine[]) => void;
  /** Reads what became of the SKUs, all of whose movements are on record, and checks it. */
  readonly check: (client: Client, skus: readonly string[]) => Promise<readonly Breach[]>;
}

export function recordMoves(): RecordedMoves {
  const exchanges: Exchange[] = [];
  const named: NamedLine[] = [];
  const send: RecordedMoves['send'] = async (client, { method, path, body, key }, asked) => {
    const sentAt = performance.now();
    const reply = await client.send(method, path, { body, key }).catch(() => undefined);
    const answeredAt = reply === undefined ? Infinity : performance.now();
    if (asked !== undefined) {
      const answer = answerOf(reply);
      exchanges.push({ actionId: `admin/${key}`, asked, sentAt, answeredAt, answer });
    }
    return reply;
  };
  return {
    send,
    move: (client, asked, body, key) =>
      send(client, { method: 'POST', path: '/v1/movements', body, key }, asked),
    name: (lines) => {
      named.push(...lines);
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
      return checkHistory({ exchanges, named, histories: new Map(histories), documents });
    },
  };
}

const committed = z.object({ movement: movementShape });

/** A movement is shown as such, or within what it ended; the answer of a hold shows none. */
function answerOf(reply: Reply | undefined): Answer {
  if (reply === undefined || reply.status >= 500 || reply.status === 429) return { kind: 'open' };
  if (reply.status >= 400) return { kind: 'refused', code: problemOf(reply).code };
  const shown = movementShape.safeParse(reply.body).data;
  const movement = shown ?? committed.safeParse(reply.body).data?.movement;
  return { kind: 'done', text: JSON.stringify(reply.body), ...(movement && { movement }) };
}
