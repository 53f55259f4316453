/**
 * Callers who keep the key of a request before they send it, and send it again under that key until
 * it is answered, whatever happens to the service and its database.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Asked } from '../../scripts/history/history.ts';
import type { Client, Reply } from './http-client.ts';
import type { Keyed, RecordedMoves } from './recorded-moves.ts';

const betweenAttemptsMs = 50;

export interface Persistence {
  /** @param first the number of the first attempt, which says where it goes. */
  readonly ask: (first: number, sent: Keyed, asked?: Asked) => Promise<Reply>;
  readonly answered: () => number;
  /** Sendings that got no answer, or 5xx. */
  readonly unanswered: () => number;
  /** Answers that no fault excuses: 5xx other than 503, or one that does not say when to come again. */
  readonly inexcusable: () => readonly string[];
}

/**
 * @param through the client of an attempt: the same request may go through another process.
 * @param onAnswer is told how long each answer took.
 */
export function persistence(
  record: Pick<RecordedMoves, 'send'>,
  through: (attempt: number) => Client,
  onAnswer: (milliseconds: number) => void = () => undefined,
): Persistence {
  const inexcusable: string[] = [];
  let [answered, unanswered] = [0, 0];
  return {
    ask: async (first, sent, asked) => {
      for (let attempt = first; ; attempt += 1) {
        const sentAt = performance.now();
        const reply = await record.send(through(attempt), sent, asked);
        if (reply !== undefined && reply.status < 500) {
          onAnswer(performance.now() - sentAt);
          answered += 1;
          return reply;
        }
        unanswered += 1;
        if (reply !== undefined && !saysWhenToComeAgain(reply)) {
          inexcusable.push(`${reply.status} ${JSON.stringify(reply.body)}`);
        }
        await pause(betweenAttemptsMs);
      }
    },
    answered: () => answered,
    unanswered: () => unanswered,
    inexcusable: () => inexcusable,
  };
}

function saysWhenToComeAgain({ status, headers }: Reply): boolean {
  return status === 503 && /^\d+$/.test(headers.get('retry-after') ?? '');
}
