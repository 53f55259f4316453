import { describe, expect, it } from 'vitest';
import { topSelfTimes } from '../../../scripts/bench/cpu-profile.ts';

const frame = (functionName: string, url: string, lineNumber: number) => ({
  functionName,
  url,
  lineNumber,
});

describe('a CPU profile', () => {
  it('gives the functions with the most time of their own, called from wherever, idleness apart', () => {
    const profile = {
      nodes: [
        { id: 1, callFrame: frame('(idle)', '', -1) },
        { id: 2, callFrame: frame('decide', 'file:///somewhere/src/domain/decide.ts', 9) },
        { id: 3, callFrame: frame('decide', 'file:///somewhere/src/domain/decide.ts', 9) },
        { id: 4, callFrame: frame('', 'node:net', 3) },
      ],
      samples: [1, 2, 3, 4],
      timeDeltas: [500, 200, 250, 50],
    };
    expect(topSelfTimes(JSON.stringify(profile), 2)).toEqual([
      { where: 'decide src/domain/decide.ts:10', percent: 90 },
      { where: '(anonymous) node:net:4', percent: 10 },
    ]);
  });
});
