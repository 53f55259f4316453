/**
 * Sagas over the real mutation path whose calls go wrong one by one, each in every way, and whose
 * process dies at every pair of calls, recovery included.
 */
import { describe, expect, it } from 'vitest';
import type { Mutation } from './process.ts';
import { mutants } from './mutants.ts';
import type { Asked, Plot, Scenario } from './scenario.ts';
import type { Play } from './simulate.ts';
import { simulate } from './simulate.ts';
import type { Fate } from './stage.ts';

type Step = readonly [key: string, asked: Asked];

function scenario(...steps: readonly Step[]): Scenario {
  return {
    processes: 1,
    windowLimit: 1,
    opening: { A: 5, B: 5 },
    unproven: 0,
    missing: 0,
    faults: 0,
    faultRate: 0,
    leaps: 0,
    plots: steps.map(([key, asked]): Plot => ({ client: 0, key, copies: 1, asked })),
  };
}

/** The second line cannot be stocked: its place is retired. */
const receipt: Asked = {
  kind: 'receive',
  lines: [
    [1, 'A1', 6],
    [2, 'R1', 2],
  ],
};
const opening: Asked = { kind: 'open-count', skus: ['A', 'B'], places: ['A1'] };
const counted = (sku: string, units: number): Asked => ({
  kind: 'count-line',
  of: 'count',
  sku,
  place: 'A1',
  counted: units,
});

const receiptScene = scenario(['receipt', receipt]);
const closingScene = scenario(
  ['count', opening],
  ['more', counted('A', 9)],
  ['less', counted('B', 2)],
  ['close', { kind: 'close-count', of: 'count' }],
);

const works: Readonly<Record<string, Scenario>> = {
  'a receipt': receiptScene,
  'a receipt that is sent back': scenario(
    ['receipt', receipt],
    ['back', { kind: 'send-back', of: 'receipt' }],
  ),
  'the closing of a count': closingScene,
};

const deaths = ['crash-before', 'crash-after'] as const satisfies readonly Fate[];
const mishaps = [...deaths, 'fail-before', 'fail-after', 'apply-late', 'slow'] as const;

function playOf(scene: Scenario, ...fates: readonly (readonly [call: number, fate: Fate])[]): Play {
  return { seed: 1, scenario: scene, fates: new Map(fates) };
}

describe.each(Object.entries(works))('%s', (_, scene) => {
  it('comes to one end, whichever of its calls goes wrong and however', async () => {
    const { calls } = await simulate(playOf(scene));
    expect(calls).toBeGreaterThan(25);
    for (let call = 1; call <= calls; call += 1) {
      for (const fate of mishaps) {
        const { faults } = await simulate(playOf(scene, [call, fate]));
        expect(faults, `call ${call}: ${fate}`).toEqual([]);
      }
    }
  });
});

describe.each([
  ['a receipt', receiptScene],
  ['the closing of a count', closingScene],
])('%s', (_, scene) => {
  it('comes to one end, wherever its process and the next one die', async () => {
    const { calls } = await simulate(playOf(scene));
    let pairs = 0;
    for (let first = 1; first <= calls; first += 1) {
      const { calls: withDeath } = await simulate(playOf(scene, [first, 'crash-after']));
      for (let second = first + 1; second <= withDeath; second += 1) {
        // Before the next call is after this one, but for what this one did.
        const fate = deaths[(first + second) % 2] ?? 'crash-after';
        const play = playOf(scene, [first, 'crash-after'], [second, fate]);
        expect((await simulate(play)).faults, `calls ${first} and ${second}`).toEqual([]);
        pairs += 1;
      }
    }
    expect(pairs).toBeGreaterThan(300);
  });
});

describe('the deaths above find out a saga', () => {
  async function isFound(scene: Scenario, mutation: Mutation): Promise<boolean> {
    const { calls } = await simulate(playOf(scene), mutation);
    for (let call = 1; call <= calls; call += 1) {
      const { faults } = await simulate(playOf(scene, [call, 'crash-after']), mutation);
      if (faults.length > 0) return true;
    }
    return false;
  }

  it.each([
    ['recordsReceiptBeforeStock', receiptScene],
    ['recordsVarianceBeforeStock', closingScene],
  ] as const)('that %s', async (name, scene) => {
    expect(await isFound(scene, mutants[name])).toBe(true);
  });
});
