/** Random numbers that a seed decides: the same on every machine and in every run. */

export interface Random {
  /** 0 ≤ x < 1 */
  readonly next: () => number;
  /** A whole number, 0 ≤ x < limit. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(among: readonly [T, ...T[]]) => T;
}

/** Mulberry32, from a seed whose neighbours begin far apart. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ (seed >>> 13);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (among) => among[below(among.length)] ?? among[0],
  };
}
