/** What the tasks of a soak have in common: the goods, the places, and a way to ask. */
import { randomInt } from 'node:crypto';
import type { Reply } from '../../test/support/http-client.ts';
import type { Keyed } from '../../test/support/recorded-moves.ts';
import type { Asked, NamedLine } from '../history/history.ts';

export interface Desk {
  /** Asks under a fresh key until there is an answer that is not about to change. */
  readonly ask: (sent: Omit<Keyed, 'key'>, asked?: Asked) => Promise<Reply>;
  /** Takes down movements of the service's own that an answer named. */
  readonly name: (lines: readonly NamedLine[]) => void;
}

export const locations = ['S1', 'S2', 'S3', 'S4'] as const;
export const skus: readonly string[] = Array.from({ length: 16 }, (_, index) => `SOAK-${index}`);

export function anyOf<T>(items: readonly T[]): T {
  const item = items[randomInt(items.length)];
  if (item === undefined) throw new TypeError('there is nothing to choose from');
  return item;
}
