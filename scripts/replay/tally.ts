/** What became of the requests of one step, counted. */
import type { Reply } from './service-client.ts';

export interface Tally {
  readonly sent: number;
  readonly applied: number;
  readonly replayed: number;
  readonly refused: number;
  /** Sendings beyond the first of each request. */
  readonly retries: number;
}

export const emptyTally: Tally = { sent: 0, applied: 0, replayed: 0, refused: 0, retries: 0 };

export function count(tally: Tally, reply: Reply): Tally {
  const replayed = reply.kind === 'done' && reply.replayed;
  return {
    sent: tally.sent + 1,
    applied: tally.applied + (reply.kind === 'done' && !replayed ? 1 : 0),
    replayed: tally.replayed + (replayed ? 1 : 0),
    refused: tally.refused + (reply.kind === 'refused' ? 1 : 0),
    retries: tally.retries + reply.retries,
  };
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (all, tally) => ({
      sent: all.sent + tally.sent,
      applied: all.applied + tally.applied,
      replayed: all.replayed + tally.replayed,
      refused: all.refused + tally.refused,
      retries: all.retries + tally.retries,
    }),
    emptyTally,
  );
}
