import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../src/domain/reservation.ts';
import { reservationLimit } from '../../src/domain/reservation.ts';
import type { SkuState } from '../../src/domain/sku.ts';
import { noHindsight } from '../../src/inventory/hindsight.ts';
import type { Plan } from '../../src/inventory/plan.ts';
import { movementsLimit, planBatch } from '../../src/inventory/plan.ts';
import type { Ticket } from '../../src/inventory/ticket.ts';
import {
  action,
  given,
  instant,
  location,
  place,
  quantity,
  reservationId,
  reserve,
  ship,
  stocked,
} from '../support/actions.ts';

function ticket(change: Parameters<typeof action>[0]): Ticket {
  return {
    action: action(change),
    settle: () => undefined,
    fail: () => undefined,
    settled: () => false,
    claim: { kind: 'none' },
    absentThrough: 0,
    mayHaveWritten: false,
    isEntering: false,
  };
}

/** So many holds of one unit, of which so many lapsed long ago. */
function holding(count: number, lapsedCount: number): SkuState {
  const { digest } = action(ship('A1', 1));
  const reservations = Array.from({ length: count }, (_, index): Reservation => ({
    id: reservationId(`h${index}`),
    location: place('A1'),
    quantity: quantity(1),
    expiresAt: index < lapsedCount ? instant(lapsedCount - index) : null,
    changedAt: 1,
    digest,
  }));
  return { ...stocked({ A1: 1_000_000 }), reservations };
}

function plan(state: SkuState, tickets: readonly Ticket[]): Plan {
  return planBatch(state, tickets, new Map(), { ...noHindsight, ...given(location('A1')) });
}

describe('a plan', () => {
  it('carries at most 100 movements, those of requests first, then lapsed holds, the earliest first', () => {
    const { accepted, expired, after } = plan(
      holding(500, 200),
      Array.from({ length: 30 }, () => ticket(ship('A1', 1))),
    );
    expect(accepted).toHaveLength(30);
    expect(expired).toHaveLength(movementsLimit - 30);
    const ordinals = [...accepted.map(({ movement }) => movement), ...expired].map(
      ({ ordinal }) => ordinal,
    );
    expect(ordinals).toEqual(Array.from({ length: 100 }, (_, index) => 8 + index));
    const gone = expired.map(({ reservation }) => reservation?.expiresAt);
    expect(gone).toEqual(Array.from({ length: 70 }, (_, index) => index + 1));
    expect(after?.reservations).toHaveLength(500 - 70);
  });

  it('keeps a full document within its bound: a new hold brings a lapsed one out', () => {
    const tickets = Array.from({ length: movementsLimit }, () => ticket(reserve('A1', 1)));
    const { accepted, expired, refused, after } = plan(holding(reservationLimit, 400), tickets);
    expect(accepted.length + expired.length).toBe(movementsLimit);
    expect(accepted).toHaveLength(movementsLimit / 2);
    expect(refused).toEqual([]);
    expect(after?.reservations).toHaveLength(reservationLimit);
  });

  it('takes out nothing where nothing else is written', () => {
    const { expired, after } = plan(holding(500, 200), [ticket(ship('A1', 2_000_000))]);
    expect(expired).toEqual([]);
    expect(after?.reservations).toHaveLength(500);
  });

  it('decides each request against the state that the one before left', () => {
    const { accepted, refused } = plan(
      stocked({ A1: 5 }),
      [3, 3, 2].map((amount) => ticket(ship('A1', amount))),
    );
    expect(accepted.map(({ movement }) => movement.lines[0]?.onHand)).toEqual([2, 0]);
    expect(refused.map(({ refusal }) => refusal)).toMatchObject([{ available: 2, requested: 3 }]);
  });
});
