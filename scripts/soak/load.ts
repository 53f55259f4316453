/**
 * The callers of a soak: movements of every kind, holds, receipts, counts and reads, each asked for
 * until it is answered, and all of it on record for the check of histories.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../test/support/http-client.ts';
import { persistence } from '../../test/support/persistence.ts';
import { recordMoves } from '../../test/support/recorded-moves.ts';
import type { Breach } from '../history/history.ts';
import type { Met } from './samples.ts';
import { skus } from './desk.ts';
import { createTasks } from './tasks.ts';

export interface MixedLoad {
  readonly answered: () => number;
  readonly unanswered: () => number;
  readonly inexcusable: () => readonly string[];
  /** What was met since the last call. */
  readonly takeMet: () => Met;
  /** Nothing new begins; resolves when everything that was asked for is answered. */
  readonly end: () => Promise<void>;
  readonly check: () => Promise<readonly Breach[]>;
}

/** On average half of it lies between two tasks of a caller. */
const longestPauseMs = 100;

/** What is begun is not finished yet; the same request shows how it stands. */
const accepted = 202;
const betweenLooksMs = 100;

/** @param through the client of an attempt: the same request may go through another process. */
export async function startMixedLoad(
  through: (attempt: number) => Client,
  clients: number,
): Promise<MixedLoad> {
  const record = recordMoves();
  let milliseconds: number[] = [];
  let seen = 0;
  const { ask, ...counts } = persistence(record, through, (took) => milliseconds.push(took));
  const run = randomUUID();
  let [keys, isOver] = [0, false];
  const tasks = createTasks({
    ask: async (sent, asked) => {
      keys += 1;
      const keyed = { ...sent, key: `${run}-${keys}` };
      for (let first = keys; ; first += 1) {
        const reply = await ask(first, keyed, asked);
        if (reply.status !== accepted) return reply;
        await pause(betweenLooksMs);
      }
    },
    name: record.name,
  });
  await tasks.setUp();

  async function work(): Promise<void> {
    while (!isOver) {
      await tasks.doOne();
      await pause(randomInt(longestPauseMs));
    }
  }

  const workers = Promise.all(Array.from({ length: clients }, work));
  // Heard by whoever ends the load, at the latest.
  workers.catch(() => undefined);
  return {
    ...counts,
    takeMet: () => {
      const met = { milliseconds, unanswered: counts.unanswered() - seen };
      milliseconds = [];
      seen = counts.unanswered();
      return met;
    },
    end: async () => {
      isOver = true;
      await workers;
    },
    check: () => record.check(through(0), skus),
  };
}
