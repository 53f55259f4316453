/** Declares that seeds hold, some thousand a test. */
import { describe, expect, it } from 'vitest';
import { firstFailing, reportOf } from './report.ts';
import type { Kind } from './scenario.ts';
import { playOf } from './simulate.ts';

const seedsATest = 1_000;

export function expectSeedsToHold({
  from,
  runs,
  only,
}: {
  readonly from: number;
  readonly runs: number;
  readonly only?: Kind;
}): void {
  describe('one key has one effect, and stock, ledger, orders and counts agree, for', () => {
    for (let first = from; first < from + runs; first += seedsATest) {
      it(`seeds ${first} to ${first + seedsATest - 1}`, async () => {
        const failing = await firstFailing(first, seedsATest, only);
        expect(failing === undefined ? 'all is well' : await reportOf(playOf(failing, only))).toBe(
          'all is well',
        );
      });
    }
  });
}
