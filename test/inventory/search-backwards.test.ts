/** Slices of time: whatever their lengths, a search gives what one sorted look at everything would. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Movement } from '../../src/domain/movement.ts';
import type { Ledger, MovementPlace, MovementSearch, Timer } from '../../src/inventory/ports.ts';
import { firstStride, searchBackwards } from '../../src/inventory/search-backwards.ts';
import { actionId, actor, instant, sku } from '../support/actions.ts';

function movementAt(at: number, index: number): Movement {
  return {
    actionId: actionId(`a${index}`),
    sku: sku(`S${index % 3}`),
    ordinal: index + 1,
    type: 'receive',
    lines: [],
    actor,
    at: instant(at),
  };
}

function newestFirst(one: MovementPlace, other: MovementPlace): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.sku !== other.sku) return one.sku < other.sku ? 1 : -1;
  return other.ordinal - one.ordinal;
}

/** A ledger in memory that takes its time: so many milliseconds a movement it spans. */
function ledgerOf(movements: readonly Movement[], costOfEach: number, tooDear = Infinity) {
  let now = 0;
  let asked = 0;
  const search: Ledger['search'] = ({ from, to, after, limit }) => {
    asked += 1;
    const spanned = movements.filter(({ at }) => at <= to && (from === undefined || at >= from));
    const cost = 3 + spanned.length * costOfEach;
    now += Math.min(cost, tooDear);
    if (cost > tooDear) return Promise.resolve({ kind: 'unknown', cause: 'it took too long' });
    const value = spanned
      .filter((movement) => after === undefined || newestFirst(after, movement) < 0)
      .toSorted(newestFirst)
      .slice(0, limit);
    return Promise.resolve({ kind: 'found', value });
  };
  const unused = (): never => {
    throw new Error('a search only searches');
  };
  const ledger: Ledger = {
    search,
    record: unused,
    ordinals: unused,
    byAction: unused,
    ofAction: unused,
    byReservation: unused,
    undoing: unused,
    entries: unused,
    netByLocation: unused,
    reservedUnder: unused,
    history: unused,
  };
  const timer: Timer = { monotonic: () => now, pause: unused, after: unused, random: unused };
  return { ports: { ledger, timer }, asked: () => asked };
}

const now = Date.UTC(2030, 0, 1);

async function wholeSearch(
  ports: ReturnType<typeof ledgerOf>['ports'],
  query: Omit<MovementSearch, 'after'>,
): Promise<readonly Movement[]> {
  const stride = firstStride();
  const all: Movement[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last === undefined ? {} : { after: last };
    const page = await searchBackwards(ports, { ...query, ...after }, stride);
    if (page.kind === 'unknown') throw new Error(page.cause);
    all.push(...page.value);
    if (page.value.length < query.limit) return all;
  }
}

describe('a search by slices', () => {
  it('gives each movement once, in order, whatever lies between them', async () => {
    const gap = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 20 }).map((days) => days * 86_400_000),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(gap, { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(0, 1, 40, 400),
        fc.option(fc.integer({ min: 0, max: 90 * 86_400_000 })),
        async (gaps, limit, cost, reach) => {
          let at = now;
          const movements = gaps.map((before, index) => movementAt((at -= before), index));
          const { ports } = ledgerOf(movements, cost);
          const from = reach === null ? {} : { from: instant(now - reach) };
          const found = await wholeSearch(ports, { ...from, to: instant(now), limit });
          const oldest = reach === null ? 0 : now - reach;
          expect(found).toEqual(
            movements.filter((movement) => movement.at >= oldest).toSorted(newestFirst),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('comes to an end in an empty ledger within a few questions', async () => {
    const { ports, asked } = ledgerOf([], 0);
    expect(await wholeSearch(ports, { to: instant(now), limit: 50 })).toEqual([]);
    expect(asked()).toBeLessThan(15);
  });

  it('never spans much more than it needs', async () => {
    const movements = Array.from({ length: 20_000 }, (_, index) =>
      movementAt(now - index * 100, index),
    );
    const { ports, asked } = ledgerOf(movements, 0.005, 30);
    const found = await wholeSearch(ports, { to: instant(now), limit: 1_000 });
    expect(found).toHaveLength(20_000);
    expect(asked()).toBeLessThan(60);
  });

  it('asks again for less where the answer does not come, and gives up where that does not help', async () => {
    const movements = Array.from({ length: 500 }, (_, index) =>
      movementAt(now - 9_000 - index, index),
    );
    const query = { to: instant(now), limit: 10 };
    const patient = ledgerOf(movements, 1, 400);
    expect((await searchBackwards(patient.ports, query, firstStride())).kind).toBe('unknown');
    const able = ledgerOf(movements, 1, 600);
    expect((await searchBackwards(able.ports, query, firstStride())).kind).toBe('found');
  });
});
