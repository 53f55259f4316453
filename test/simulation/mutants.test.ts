/** What the simulation is worth: of each mistake, how many seeds find it. */
import { describe, expect, it } from 'vitest';
import type { Mutant } from './mutants.ts';
import { mutants } from './mutants.ts';
import { playOf, simulate } from './simulate.ts';

const seeds = 120;
const seedsOfRareOnes = 1_500;

interface Catch {
  readonly caught: number;
  readonly played: number;
}

/** So many seeds, and more of them only until one finds the mistake. */
async function hunt(mutant: Mutant): Promise<Catch> {
  let caught = 0;
  let played = 0;
  while (played < seeds || (caught === 0 && played < seedsOfRareOnes)) {
    played += 1;
    const { seed, scenario } = playOf(played, mutant.kind);
    const play = { seed, scenario: mutant.scenario?.(scenario) ?? scenario };
    const { faults } = await simulate(play, mutant);
    if (faults.length > 0) caught += 1;
  }
  return { caught, played };
}

describe('the simulation finds out a service', () => {
  for (const [name, mutant] of Object.entries<Mutant>(mutants)) {
    it(`that ${inWords(name)}`, async ({ annotate }) => {
      const { caught, played } = await hunt(mutant);
      const share = `${((100 * caught) / played).toFixed(1)} % of ${played} seeds`;
      await annotate(share);
      console.log(`${inWords(name)}: ${share}`);
      expect(caught).toBeGreaterThan(0);
    });
  }
});

function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
