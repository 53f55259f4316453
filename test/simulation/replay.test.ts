/** A seed is a proof that can be shown again, and made short. */
import { describe, expect, it } from 'vitest';
import { mutants } from './mutants.ts';
import { reportOf } from './report.ts';
import { shrink } from './shrink.ts';
import { playOf, simulate } from './simulate.ts';

describe('a seed', () => {
  it.each([3, 11, 42, 77, 1_234])('plays the same each time: %i', async (seed) => {
    const [one, other] = [
      await simulate(playOf(seed), {}, true),
      await simulate(playOf(seed), {}, true),
    ];
    expect(one.trace.length).toBeGreaterThan(10);
    expect(other).toEqual(one);
    const untraced = await simulate(playOf(seed));
    expect(untraced.steps).toBe(one.steps);
  });

  it('that fails is shrunk to what it takes, and fails alike', async () => {
    const mutant = mutants.swapsWithoutVersion;
    let seed = 1;
    while ((await simulate(playOf(seed, 'stock'), mutant)).faults.length === 0) seed += 1;
    const small = await shrink(playOf(seed, 'stock'), mutant);
    expect(small.scenario.plots.length).toBeLessThanOrEqual(2);
    expect((await simulate(small, mutant)).faults).not.toEqual([]);
    const report = await reportOf(playOf(seed, 'stock'), mutant);
    expect(report).toContain(`seed ${seed} breaks:`);
    expect(report.split('\n').length).toBeLessThan(60);
  });
});

describe('a seed that once found a mistake', () => {
  it.each([
    // A hold that was made between the reading of the document and of the ledger was told as lapsed.
    { seed: 929, kind: 'stock' },
    { seed: 919, kind: 'counting' },
    // A hold that was released once more had that release entered, and shown, with the second
    // request's note.
    { seed: 1_339, kind: 'stock' },
    { seed: 1_626, kind: 'stock' },
    // The key of that second request was not claimed, and another request could have it.
    { seed: 2_180, kind: 'stock' },
    { seed: 3_722, kind: 'stock' },
    // A definition whose answer was lost was written once more, over another's that had come since.
    { seed: 13_589, kind: 'endings' },
  ] as const)('finds none any more: $seed of $kind', async ({ seed, kind }) => {
    expect((await simulate(playOf(seed, kind))).faults).toEqual([]);
  });
});
