import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/domain/action.ts';
import type { Circumstances, Decision } from '../../src/domain/circumstances.ts';
import { decide } from '../../src/domain/decide.ts';
import { expire } from '../../src/domain/decide-reservation.ts';
import { parseWarehouseId } from '../../src/domain/ids.ts';
import type { Reservation } from '../../src/domain/reservation.ts';
import {
  isLive,
  lapsed,
  parseHoldSeconds,
  reservationLimit,
} from '../../src/domain/reservation.ts';
import type { SkuState } from '../../src/domain/sku.ts';
import {
  action,
  given,
  holdId,
  instant,
  location,
  place,
  quantity,
  reservationId,
  reserve,
  ship,
  stocked,
} from '../support/actions.ts';

const now = 1_000_000;
const shelves = given(
  location('A1'),
  location('B1'),
  location('Q1', 'quarantine'),
  location('R1', 'storage', true),
);

function seconds(value: number) {
  const parsed = parseHoldSeconds(value);
  if (parsed === undefined) throw new Error('no such time');
  return parsed;
}

function hold(amount: number, expiresAt: number | null, id = holdId): Reservation {
  return {
    id,
    location: place('A1'),
    quantity: quantity(amount),
    expiresAt: expiresAt === null ? null : instant(expiresAt),
    changedAt: 7,
    digest: action(ship('A1', 1)).digest,
  };
}

function holding(onHand: number, ...reservations: readonly Reservation[]): SkuState {
  return { ...stocked({ A1: onHand }), reservations };
}

function decided(
  state: SkuState,
  change: Change,
  circumstances: Circumstances = shelves,
): Decision {
  return decide(state, action(change), circumstances);
}

function moved(state: SkuState, change: Change, circumstances: Circumstances = shelves) {
  const decision = decided(state, change, circumstances);
  if (decision.kind !== 'moved')
    throw new Error(`expected a movement: ${JSON.stringify(decision)}`);
  return decision;
}

function refused(state: SkuState, change: Change, circumstances: Circumstances = shelves): unknown {
  const decision = decided(state, change, circumstances);
  return decision.kind === 'refused' ? decision.refusal : decision.kind;
}

describe('a hold', () => {
  it('is live until the millisecond of its end, and not at it', () => {
    expect(isLive(hold(1, now + 1), instant(now))).toBe(true);
    expect(isLive(hold(1, now), instant(now))).toBe(false);
    expect(isLive(hold(1, null), instant(8.64e15))).toBe(true);
  });

  it('promises what is available and not one more', () => {
    const state = holding(5, hold(2, null));
    expect(moved(state, reserve('A1', 3)).movement).toMatchObject({
      type: 'reserve',
      lines: [],
      reservation: { quantity: 3, state: 'held', expiresAt: null },
    });
    expect(refused(state, reserve('A1', 4))).toMatchObject({
      code: 'insufficient-stock',
      available: 3,
      requested: 4,
    });
  });

  it('ends so many seconds after the clock of the decision, and carries its digest', () => {
    const request = action(reserve('A1', 1, 60));
    const decision = decide(holding(5), request, shelves);
    if (decision.kind !== 'moved') throw new Error('expected a movement');
    expect(decision.state.reservations).toMatchObject([
      { expiresAt: now + 60_000, digest: request.digest, changedAt: 8 },
    ]);
  });

  it('takes nothing where nothing is available: in quarantine, or in a retired location', () => {
    const everywhere = stocked({ Q1: 5, R1: 5 });
    expect(refused(everywhere, reserve('Q1', 1))).toMatchObject({ available: 0 });
    expect(refused(everywhere, reserve('R1', 1))).toMatchObject({ code: 'location-retired' });
  });

  it('is refused beyond 1,000 live ones, and not for lapsed ones', () => {
    const many = Array.from({ length: reservationLimit }, (_, index) =>
      hold(1, null, reservationId(`h${index}`)),
    );
    expect(refused(holding(5_000, ...many), reserve('A1', 1))).toEqual({
      code: 'reservation-limit',
    });
    const oneLapsed = [hold(1, now, reservationId('h0')), ...many.slice(1)];
    expect(moved(holding(5_000, ...oneLapsed), reserve('A1', 1)).state.reservations).toHaveLength(
      1_001,
    );
  });
});

describe('a commit', () => {
  const commit = (amount?: number): Change => ({
    type: 'commit',
    reservation: holdId,
    ...(amount === undefined ? {} : { quantity: quantity(amount) }),
  });

  it('ships all that is held and ends the hold, only while it lives', () => {
    const { state, movement, until } = moved(holding(10, hold(10, now + 5)), commit());
    expect(movement).toMatchObject({
      type: 'ship',
      lines: [{ location: 'A1', delta: -10, onHand: 0 }],
      reservation: { id: holdId, state: 'committed', quantity: 10 },
    });
    expect(state.reservations).toEqual([]);
    expect(until).toBe(now + 5);
  });

  it('of less than all keeps the rest held', () => {
    const { state, movement } = moved(holding(10, hold(10, null)), commit(2));
    expect(state).toMatchObject({ levels: [{ onHand: 8 }], reservations: [{ quantity: 8 }] });
    expect(movement.reservation).toMatchObject({ state: 'held', quantity: 8 });
  });

  it('of more than is held, or than is on hand, is refused', () => {
    expect(refused(holding(10, hold(5, null)), commit(6))).toEqual({
      code: 'reservation-exceeded',
      held: 5,
      requested: 6,
    });
    expect(refused(holding(3, hold(5, null)), commit())).toMatchObject({
      code: 'insufficient-stock',
      available: 3,
    });
  });

  it('needs nothing of what others hold: its own units are set aside', () => {
    const state = holding(5, hold(3, null), hold(2, null, reservationId('other')));
    expect(moved(state, commit()).state.levels).toEqual([{ location: 'A1', onHand: 2 }]);
  });

  it('of a hold that has lapsed is refused by that name, at its very end too', () => {
    expect(refused(holding(10, hold(5, now)), commit())).toMatchObject({
      code: 'reservation-expired',
    });
  });
});

describe('a hold that is gone from the document', () => {
  it.each([
    ['committed', 'reservation-committed'],
    ['released', 'reservation-released'],
    ['expired', 'reservation-expired'],
  ] as const)('is known by the history to be %s', (state, code) => {
    const last = {
      ...moved(holding(5, hold(1, null)), { type: 'release', reservation: holdId }).movement,
      at: instant(1),
    };
    const reservation = { ...last.reservation, state } as NonNullable<typeof last.reservation>;
    const ended = new Map([[holdId, { ...last, reservation }]]);
    expect(
      refused(holding(5), { type: 'commit', reservation: holdId }, { ...shelves, ended }),
    ).toEqual({
      code,
      reservation: holdId,
    });
  });

  it('is unknown where the history never had it', () => {
    expect(refused(holding(5), { type: 'release', reservation: holdId })).toEqual({
      code: 'unknown-reservation',
      reservation: holdId,
    });
  });

  it('is released again with the answer that the first release had', () => {
    const first = moved(holding(5, hold(1, null)), { type: 'release', reservation: holdId });
    const last = { ...first.movement, at: instant(1) };
    const again = decided(
      first.state,
      { type: 'release', reservation: holdId },
      {
        ...shelves,
        ended: new Map([[holdId, last]]),
      },
    );
    expect(again).toEqual({ kind: 'already-applied', movement: last });
  });
});

describe('a change of a hold', () => {
  const change = (
    parts: Omit<Extract<Change, { type: 'change' }>, 'type' | 'reservation'>,
  ): Change => ({
    type: 'change',
    reservation: holdId,
    ...parts,
  });

  it('is guarded only in what it takes more', () => {
    // A count has gone below what is promised: 5 on hand, 8 held.
    const short = holding(5, hold(8, null));
    expect(moved(short, change({ quantity: quantity(7) })).state.reservations[0]?.quantity).toBe(7);
    expect(moved(short, change({ seconds: seconds(1) })).state.reservations[0]?.expiresAt).toBe(
      now + 1_000,
    );
    expect(refused(short, change({ quantity: quantity(9) }))).toMatchObject({
      code: 'insufficient-stock',
      requested: 1,
      available: -3,
    });
  });

  it('to another location takes all of it there', () => {
    const state = { ...holding(5, hold(4, null)), levels: stocked({ A1: 5, B1: 3 }).levels };
    expect(refused(state, change({ location: place('B1') }))).toMatchObject({
      available: 3,
      requested: 4,
    });
    const fitting = moved(state, change({ location: place('B1'), quantity: quantity(3) }));
    expect(fitting.state.reservations).toMatchObject([{ location: 'B1', quantity: 3 }]);
  });

  it('that is refused leaves the expiry as it was, and one that is stale is told', () => {
    const state = holding(5, hold(4, now + 9));
    expect(refused(state, change({ quantity: quantity(6), seconds: seconds(60) }))).toMatchObject({
      code: 'insufficient-stock',
    });
    expect(refused(state, change({ quantity: quantity(1), ifChangedAt: 6 }))).toEqual({
      code: 'version-mismatch',
      version: 7,
    });
  });
});

describe('a lapsed hold', () => {
  it('goes with a movement that tells so, the first to lapse before the others', () => {
    const late = hold(1, now - 1, reservationId('late'));
    const early = hold(2, now - 9, reservationId('early'));
    const state = holding(5, late, early, hold(1, null, reservationId('stays')));
    expect(lapsed(state.reservations, instant(now)).map(({ id }) => id)).toEqual([
      early.id,
      late.id,
    ]);
    const { state: after, movement } = expire(state, early);
    expect(after.reservations.map(({ id }) => id)).not.toContain(early.id);
    expect(movement).toMatchObject({
      actionId: `~expire/${early.id}`,
      type: 'expire',
      lines: [],
      reservation: { id: early.id, state: 'expired' },
    });
  });
});

describe('a reversal', () => {
  it('undoes a movement by its opposite, once', () => {
    const original = { ...moved(stocked({ A1: 5 }), ship('A1', 2)).movement, at: instant(1) };
    const reversal: Change = { type: 'reverse', original };
    const { movement, state } = moved(stocked({ A1: 3 }), reversal);
    expect(movement).toMatchObject({ type: 'receive', reverses: original.actionId });
    expect(state.levels).toEqual([{ location: 'A1', onHand: 5 }]);
    const reversals = new Map([[original.actionId, movement.actionId]]);
    expect(refused(state, reversal, { ...shelves, reversals })).toEqual({
      code: 'movement-reversed',
      by: movement.actionId,
    });
  });

  it('is refused where the stock is gone, and where nothing moved', () => {
    const received = moved(stocked({}), {
      type: 'receive',
      lines: [{ location: place('A1'), quantity: quantity(5) }],
    });
    const original = { ...received.movement, at: instant(1) };
    expect(refused(stocked({ A1: 4 }), { type: 'reverse', original })).toMatchObject({
      code: 'insufficient-stock',
    });
    const made = { ...moved(stocked({ A1: 5 }), reserve('A1', 1)).movement, at: instant(1) };
    expect(refused(stocked({ A1: 5 }), { type: 'reverse', original: made })).toEqual({
      code: 'not-reversible',
      type: 'reserve',
    });
  });
});

describe('a hold beyond the warehouses of the key that asks', () => {
  const elsewhere = parseWarehouseId('W2') ?? expect.fail('W2 is a warehouse');
  const asking = (change: Change) => ({ ...action(change), warehouses: [elsewhere] });
  const changes: readonly Change[] = [
    { type: 'change', reservation: holdId, quantity: quantity(1) },
    { type: 'commit', reservation: holdId },
    { type: 'release', reservation: holdId },
  ];
  const unknown = {
    kind: 'refused',
    refusal: { code: 'unknown-reservation', reservation: holdId },
  };

  it.each(changes)('is unknown, whether it is live or has lapsed: $type', (change) => {
    for (const state of [holding(5, hold(2, null)), holding(5, hold(2, now))]) {
      expect(decide(state, asking(change), shelves)).toEqual(unknown);
      expect(decide(state, action(change), shelves)).not.toEqual(unknown);
    }
  });

  it.each(changes)('is unknown where only the history has it: $type', (change) => {
    const { state, movement } = expire(holding(5, hold(2, now)), hold(2, now));
    const ended = new Map([[holdId, { ...movement, at: instant(now) }]]);
    expect(decide(state, asking(change), { ...shelves, ended })).toEqual(unknown);
    expect(decide(state, action(change), { ...shelves, ended })).not.toEqual(unknown);
  });

  it.each(changes)('is changed where it lies within: $type', (change) => {
    const own = { ...action(change), warehouses: [elsewhere, location('A1').warehouse] };
    expect(decide(holding(5, hold(2, null)), own, shelves).kind).toBe('moved');
  });

  it('keeps the answer of a change that was made before it was moved away', () => {
    const applied = {
      ...expire(holding(5, hold(2, now)), hold(2, now)).movement,
      at: instant(now),
    };
    for (const change of changes) {
      const decision = decide(holding(5), asking(change), { ...shelves, applied });
      expect(decision).toEqual({ kind: 'already-applied', movement: applied });
    }
  });
});
