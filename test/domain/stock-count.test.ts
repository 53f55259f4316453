import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/domain/decide.ts';
import type { LocationId, Sku } from '../../src/domain/ids.ts';
import type { OnHand } from '../../src/domain/quantity.ts';
import { onHandLimit, parseOnHand, variance } from '../../src/domain/quantity.ts';
import { onHandAt } from '../../src/domain/sku.ts';
import type {
  CountLine,
  CountScope,
  Standing,
  StockCount,
  Tally,
} from '../../src/domain/stock-count.ts';
import {
  afterClosing,
  closingOf,
  closingStep,
  countLinesLimit,
  linesToOpen,
  mayBeFound,
  outcomeOf,
  pairText,
  parseCountId,
  refuseUnlessOpen,
  showsExpectation,
  varianceOf,
} from '../../src/domain/stock-count.ts';
import {
  action,
  actor,
  given,
  instant,
  location,
  place,
  reserve,
  ship,
  sku,
  stocked,
} from '../support/actions.ts';

function onHand(value: number): OnHand {
  return parseOnHand(value) ?? expect.fail(`${value} is no level`);
}

function standing(stock: Readonly<Record<string, Readonly<Record<string, number>>>>): Standing {
  return new Map<Sku, ReadonlyMap<LocationId, OnHand>>(
    Object.entries(stock).map(([id, levels]) => [
      sku(id),
      new Map(Object.entries(levels).map(([at, amount]) => [place(at), onHand(amount)])),
    ]),
  );
}

const known = new Map(['A1', 'B1'].map((id) => [place(id), location(id)]));
const both: CountScope = { locations: [place('A1'), place('B1')] };

function tally(counted: number, stood: number, asOfOrdinal = 7): Tally {
  return { counted: onHand(counted), asOfOrdinal, onHand: onHand(stood), by: actor };
}

function line(counted: Tally | null): CountLine {
  return { sku: sku('A'), location: place('A1'), expected: onHand(3), tally: counted };
}

describe('opening', () => {
  it('covers what stands at the locations, location by location', () => {
    const stock = standing({ W: { B1: 2, A1: 5 }, X: { A1: 0 }, Y: { B1: 1 } });
    expect(linesToOpen(both, known, stock)).toEqual([
      { sku: 'W', location: 'A1', expected: 5, tally: null },
      { sku: 'W', location: 'B1', expected: 2, tally: null },
      { sku: 'Y', location: 'B1', expected: 1, tally: null },
    ]);
  });

  it('covers named SKUs at every location, standing there or not', () => {
    const scope = { ...both, skus: [sku('Y'), sku('W')] };
    expect(linesToOpen(scope, known, standing({ W: { A1: 5 }, Y: {} }))).toEqual([
      { sku: 'Y', location: 'A1', expected: 0, tally: null },
      { sku: 'W', location: 'A1', expected: 5, tally: null },
      { sku: 'Y', location: 'B1', expected: 0, tally: null },
      { sku: 'W', location: 'B1', expected: 0, tally: null },
    ]);
  });

  it('needs locations and SKUs that exist', () => {
    expect(linesToOpen({ locations: [place('Z1')] }, known, standing({}))).toEqual({
      code: 'unknown-location',
      location: 'Z1',
    });
    expect(linesToOpen({ ...both, skus: [sku('NO')] }, known, standing({}))).toEqual({
      code: 'unknown-sku',
      sku: 'NO',
    });
  });

  it('takes 2,000 lines and not one more', () => {
    const stock = (count: number): Standing =>
      standing(Object.fromEntries(Array.from({ length: count }, (_, n) => [`S${n}`, { A1: 1 }])));
    expect(linesToOpen(both, known, stock(countLinesLimit))).toHaveLength(countLinesLimit);
    expect(linesToOpen(both, known, stock(countLinesLimit + 1))).toEqual({ code: 'count-limit' });
  });

  it('names each pair once: no two pairs make one text', () => {
    const pair = fc.record({
      sku: fc.constantFrom('A', 'A/B', 'B', '/', '/A', 'B1/A').map(sku),
      location: fc.constantFrom('A', 'B1', 'B').map(place),
    });
    fc.assert(
      fc.property(pair, pair, (one, other) => {
        const same = one.sku === other.sku && one.location === other.location;
        expect(pairText(one) === pairText(other)).toBe(same);
      }),
    );
  });
});

describe('a find', () => {
  it('is for a counted location, unless the count names its SKUs', () => {
    const at = (id: string) => ({ sku: sku('NEW'), location: place(id) });
    expect(mayBeFound(both, at('A1'))).toBe(true);
    expect(mayBeFound(both, at('C1'))).toBe(false);
    expect(mayBeFound({ ...both, skus: [sku('W')] }, at('A1'))).toBe(false);
  });
});

describe('a variance', () => {
  it('is counted less on hand, exactly, over the whole range of a level', () => {
    const level = fc.oneof(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: onHandLimit }),
      fc.constant(onHandLimit),
    );
    fc.assert(
      fc.property(level, level, (counted, stood) => {
        expect(varianceOf(line(tally(counted, stood)))).toBe(counted - stood);
        const closing = closingOf(line(tally(counted, stood)));
        if (counted === stood) {
          expect(closing).toEqual({ kind: 'settled', outcome: { kind: 'unchanged' } });
        } else {
          expect(closing).toEqual({ kind: 'post', delta: counted - stood });
        }
      }),
    );
  });

  it('is none where nothing was counted; nothing found is a count', () => {
    expect(varianceOf(line(null))).toBeNull();
    expect(closingOf(line(null))).toEqual({ kind: 'settled', outcome: { kind: 'uncounted' } });
    expect(closingOf(line(tally(0, 3)))).toEqual({ kind: 'post', delta: -3 });
    expect(variance(onHand(0), onHand(0))).toBeUndefined();
  });
});

const opened: StockCount = {
  id: parseCountId('a-count-of-the-tests-0') ?? expect.fail('22 characters'),
  status: 'open',
  isBlind: false,
  locations: [place('A1')],
  lines: [line(null)],
  openedWith: 1,
  openedBy: actor,
  openedAt: instant(1),
};

/** Posts a variance as the closing of a count does. */
function post(state: Parameters<typeof decide>[0], by: ReturnType<typeof variance>) {
  const delta = by ?? expect.fail('there is a variance');
  const lines = [{ location: place('A1'), delta }];
  const change = { type: 'adjust', lines, reason: 'count_variance' } as const;
  return decide(state, { ...action(change), orVoid: true }, given(location('A1')));
}

describe('posting a variance', () => {
  it('leaves in place what moved since, or takes nothing at all', () => {
    const amount = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(amount, amount, amount, (stood, counted, asked) => {
        fc.pre(stood !== counted);
        const shipped = Math.min(asked, stood);
        const before = stocked({ A1: stood });
        const after =
          shipped === 0
            ? undefined
            : decide(before, action(ship('A1', shipped)), given(location('A1')));
        const state = after?.kind === 'moved' ? after.state : before;
        const posted = post(state, variance(onHand(counted), onHand(stood)));
        if (posted.kind !== 'moved') return expect.fail('a step always leaves a movement');
        const outcome = outcomeOf({ ...posted.movement, at: instant(1) });
        if (counted >= shipped) {
          expect(outcome).toMatchObject({ kind: 'adjusted' });
          expect(onHandAt(posted.state, place('A1'))).toBe(counted - shipped);
        } else {
          expect(outcome).toMatchObject({ kind: 'recount', refused: 'insufficient-stock' });
          expect(posted.state.levels).toEqual(state.levels);
        }
      }),
    );
  });

  it('may go below what is reserved: 20 on hand, 19 reserved, 5 counted', () => {
    const held = decide(stocked({ A1: 20 }), action(reserve('A1', 19)), given(location('A1')));
    if (held.kind !== 'moved') return expect.fail('19 of 20 can be reserved');
    const posted = post(held.state, variance(onHand(5), onHand(20)));
    if (posted.kind !== 'moved') return expect.fail('a count states what is so');
    expect(onHandAt(posted.state, place('A1'))).toBe(5);
    const more = decide(posted.state, action(reserve('A1', 1)), given(location('A1')));
    expect(more).toMatchObject({
      kind: 'refused',
      refusal: { code: 'insufficient-stock', available: -14 },
    });
  });
});

describe('closing, step by step', () => {
  const anyTally = fc.option(
    fc.record({ counted: fc.integer({ min: 0, max: 3 }), stood: fc.integer({ min: 0, max: 3 }) }),
  );
  const anyCount = fc.array(anyTally, { maxLength: 180 }).map((tallies): StockCount => {
    const lines = tallies.map((found, n) => ({
      ...line(found && tally(found.counted, found.stood)),
      sku: sku(`S${n}`),
    }));
    return { ...opened, status: 'closing', lines };
  });

  it('posts each variance once, 50 at a time, and ends when every line has its outcome', () => {
    fc.assert(
      fc.property(anyCount, (count) => {
        let after = count;
        const posted: number[] = [];
        for (let step = closingStep(after); step !== undefined; step = closingStep(after)) {
          expect(step.post.size).toBeLessThanOrEqual(50);
          posted.push(...step.post.keys());
          const outcomes = new Map(step.settled);
          for (const index of step.post.keys()) {
            outcomes.set(index, { kind: 'adjusted', ordinal: index + 1 });
          }
          after = afterClosing(after, outcomes);
        }
        expect(after.status).toBe('closed');
        const different = count.lines.flatMap((one, index) => (varianceOf(one) ? [index] : []));
        expect(posted).toEqual(different);
        expect(after.lines.every(({ outcome }) => outcome !== undefined)).toBe(true);
        expect(after.lines).toMatchObject(count.lines);
      }),
    );
  });

  it('keeps an outcome that is recorded, whatever is found for it later', () => {
    const count: StockCount = { ...opened, status: 'closing', lines: [line(tally(1, 3))] };
    const first = afterClosing(count, new Map([[0, { kind: 'adjusted', ordinal: 8 }]]));
    const later = { kind: 'recount', ordinal: 9, refused: 'insufficient-stock' } as const;
    expect(afterClosing(first, new Map([[0, later]]))).toEqual(first);
  });

  it('waits for nothing unless the count is closing', () => {
    for (const status of ['open', 'closed', 'cancelled'] as const) {
      expect(closingStep({ ...opened, status })).toBeUndefined();
    }
    const empty = closingStep({ ...opened, status: 'closing', lines: [] });
    expect(empty).toEqual({ settled: new Map(), post: new Map() });
  });
});

describe('the life of a count', () => {
  it('changes only while it is open, and says what it is otherwise', () => {
    expect(refuseUnlessOpen('open')).toBeUndefined();
    expect(refuseUnlessOpen('closing')).toEqual({ code: 'count-closed' });
    expect(refuseUnlessOpen('closed')).toEqual({ code: 'count-closed' });
    expect(refuseUnlessOpen('cancelled')).toEqual({ code: 'count-cancelled' });
  });

  it('hides the expectation from whoever counts blind, and from nobody else', () => {
    expect(showsExpectation({ isBlind: true }, 'counter')).toBe(false);
    expect(showsExpectation({ isBlind: true }, 'office')).toBe(true);
    expect(showsExpectation({ isBlind: false }, 'counter')).toBe(true);
  });

  it('has an id of 22 characters that a URL takes as they are', () => {
    expect(parseCountId('abcdefghijklmnopqrs_-0')).toBe('abcdefghijklmnopqrs_-0');
    for (const text of ['', 'short', 'abcdefghijklmnopqrs/-0', 'abcdefghijklmnopqrs_-01']) {
      expect(parseCountId(text)).toBeUndefined();
    }
  });
});
