import { describe, expect, it } from 'vitest';
import { parseStat } from '../../../scripts/bench/cpu-time.ts';

describe("a process's times", () => {
  it('are read behind a name that holds spaces and parentheses', () => {
    const stat = '71 (node (a b) c) S 42 71 1 0 -1 4194304 10 20 30 40 100 20 3 4 20 0 1 0 99 1 1';
    expect(parseStat(stat)).toEqual({ parent: 42, milliseconds: 1_270 });
  });

  it('are nothing for a process that is gone', () => {
    expect(parseStat('')).toBeUndefined();
  });
});
