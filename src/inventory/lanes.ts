/**
 * One lane a key: work for one key goes through one after the other, and what arrives while a
 * batch is under way goes together in the next.
 *
 * 1. At most one batch of a key is under way in this process.
 * 2. A batch keeps the order of arrival; work that may not share a batch waits for a later one.
 * 3. A lane is bounded: past the bound, work is turned away at once.
 * 4. An idle key costs nothing: its lane is gone.
 */

import type { Load } from './observed.ts';

export interface LaneRules<T> {
  /** The most work that may wait for one key. */
  readonly waitingLimit: number;
  /** Whether `next` may join the batch that has been taken so far. */
  readonly mayJoin: (batch: readonly T[], next: T) => boolean;
}

/** Takes the next batch; an empty one when nothing waits, which ends the lane. */
export type Take<T> = () => readonly T[];

export interface Lanes<K, T> {
  /** @returns false when the lane is full. */
  readonly enter: (key: K, work: T) => boolean;
  /** Resolves when every lane is empty. */
  readonly idle: () => Promise<void>;
  /** How many lanes there are, and how much waits in them. */
  readonly load: () => Load;
}

/**
 * @param serve works through one lane until `take` gives an empty batch; it answers for its
 *   failures itself and never rejects. `waiting` tells how much the next batch could take.
 */
export function createLanes<K, T>(
  rules: LaneRules<T>,
  serve: (key: K, take: Take<T>, waiting: () => number) => Promise<void>,
): Lanes<K, T> {
  const waiting = new Map<K, T[]>();
  const serving = new Set<Promise<void>>();

  function take(key: K): readonly T[] {
    const lane = waiting.get(key) ?? [];
    if (lane.length === 0) {
      waiting.delete(key);
      return [];
    }
    const batch: T[] = [];
    const rest: T[] = [];
    for (const work of lane) (rules.mayJoin(batch, work) ? batch : rest).push(work);
    waiting.set(key, rest);
    return batch;
  }

  function enter(key: K, work: T): boolean {
    const lane = waiting.get(key);
    if (lane) {
      if (lane.length >= rules.waitingLimit) return false;
      lane.push(work);
      return true;
    }
    waiting.set(key, [work]);
    const served = serve(
      key,
      () => take(key),
      () => waiting.get(key)?.length ?? 0,
    ).finally(() => serving.delete(served));
    serving.add(served);
    return true;
  }

  async function idle(): Promise<void> {
    while (serving.size > 0) await Promise.all(serving);
  }

  function load(): Load {
    const lengths = Array.from(waiting.values(), ({ length }) => length);
    return {
      lanes: lengths.length,
      waiting: lengths.reduce((sum, length) => sum + length, 0),
      longest: lengths.reduce((longest, length) => Math.max(longest, length), 0),
    };
  }

  return { enter, idle, load };
}
