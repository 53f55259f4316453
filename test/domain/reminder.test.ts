import { describe, expect, it } from 'vitest';
import type { Progress, Recurrence } from '../../src/domain/reminder.ts';
import {
  afterFailure,
  catchUpLimit,
  occurrenceOf,
  onwardFrom,
  parseReminderId,
  reminderIdOf,
  reminderNameOf,
  usualPatience,
} from '../../src/domain/reminder.ts';
import { actor, instant } from '../support/actions.ts';

describe('the name of a reminder', () => {
  it.each([
    ['orders', 'late', { actor: 'orders', name: 'late' }],
    ['orders', 'late:PO-1', { actor: 'orders', name: 'late', key: 'PO-1' }],
    ['orders', 'late:PO:1', { actor: 'orders', name: 'late', key: 'PO:1' }],
    ['orders', 'a/b:c d', { actor: 'orders', name: 'a/b', key: 'c d' }],
    ['~saga', 'receipt:x', { actor: '~saga', name: 'receipt', key: 'x' }],
  ])('%s/%s is read and written again', (by, rest, name) => {
    const id = parseReminderId(by, rest) ?? expect.fail('it is a name');
    expect(reminderNameOf(id)).toEqual(name);
    expect(reminderIdOf(reminderNameOf(id))).toBe(id);
  });

  it.each([
    ['Orders', 'late'],
    ['', 'late'],
    ['~~x', 'late'],
    ['orders', ''],
    ['orders', ':key'],
    ['orders', 'late:'],
    ['orders', '.'],
    ['orders', '..'],
    ['orders', ' late'],
    ['orders', 'la\nte'],
    ['orders', 'la\ud800te'],
  ])('is not %j/%j', (by, rest) => {
    expect(parseReminderId(by, rest)).toBeUndefined();
  });

  it('has at most 191 characters, actor, name and key together', () => {
    expect(parseReminderId('orders', `late:${'k'.repeat(181)}`)).toBeDefined();
    expect(parseReminderId('orders', `late:${'k'.repeat(182)}`)).toBeUndefined();
    expect(parseReminderId('orders', '😀'.repeat(185))).toBeDefined();
    expect(parseReminderId('orders', '😀'.repeat(186))).toBeUndefined();
  });

  it('holds no colon but the one before its key', () => {
    expect(reminderIdOf({ actor, name: 'a:b' })).toBeUndefined();
  });
});

/** Due at every multiple of ten. */
const tens: Recurrence = {
  after: (now) => instant((Math.floor(now / 10) + 1) * 10),
  newest: (from, through, count) =>
    instant(Math.max(from, (Math.floor(through / 10) - count + 1) * 10)),
};

function progress(dueAt: number, begunAt: number, more: Partial<Progress> = {}): Progress {
  return { dueAt: instant(dueAt), begunAt: instant(begunAt), missed: 'latest', ...more };
}

describe('the occurrence that a delivery is for', () => {
  it('is the one that is due, where none was missed', () => {
    expect(occurrenceOf(progress(10, 19), tens)).toBe(10);
    expect(occurrenceOf(progress(10, 5_000), undefined)).toBe(10);
  });

  it('is the latest that came before its delivery first began', () => {
    expect(occurrenceOf(progress(10, 20), tens)).toBe(20);
    expect(occurrenceOf(progress(10, 59), tens)).toBe(50);
  });

  it('is the oldest missed one, where all are wanted, of the newest 1,000', () => {
    expect(occurrenceOf(progress(10, 59, { missed: 'all' }), tens)).toBe(10);
    const farOff = 10 * (catchUpLimit + 500);
    expect(occurrenceOf(progress(10, farOff, { missed: 'all' }), tens)).toBe(5_010);
  });

  it('is left out no more once the catching up has begun', () => {
    const behind = progress(10, 100_000, { missed: 'all', catchingUpThrough: instant(10) });
    expect(occurrenceOf(behind, tens)).toBe(10);
  });
});

describe('after a delivery', () => {
  it('a reminder that comes once is finished', () => {
    expect(onwardFrom(instant(10), progress(10, 12), undefined)).toEqual({ kind: 'finished' });
  });

  it('one that comes again is due at its next time', () => {
    expect(onwardFrom(instant(50), progress(10, 59), tens)).toEqual({
      kind: 'advanced',
      dueAt: 60,
    });
  });

  it('all missed ones follow, at most 1,000 of them', () => {
    const begunAt = 10 * (catchUpLimit + 500) + 5;
    let at = progress(10, begunAt, { missed: 'all' });
    const delivered: number[] = [];
    for (;;) {
      const occurrence = occurrenceOf(at, tens);
      delivered.push(occurrence);
      const onward = onwardFrom(occurrence, at, tens);
      if (onward.kind === 'finished') throw new Error('it comes again');
      if (onward.catchingUpThrough === undefined) break;
      // The clock goes on meanwhile, which brings new ones and takes none away.
      at = { ...progress(onward.dueAt, begunAt + delivered.length, { missed: 'all' }), ...onward };
    }
    expect(delivered).toHaveLength(catchUpLimit);
    expect(delivered.at(-1)).toBe(10 * (catchUpLimit + 500));
  });
});

describe('after a failure', () => {
  it('the wait doubles up to its cap, and half of it is spread out', () => {
    const waits = [0, 1, 2, 8].map((failed) => {
      const [least, most] = [0, 0.999].map((random) => afterFailure(failed, usualPatience, random));
      if (least?.kind !== 'retry' || most?.kind !== 'retry') throw new Error('no retry');
      return [least.afterMilliseconds, Math.round(most.afterMilliseconds / 100) * 100];
    });
    expect(waits).toEqual([
      [1_000, 2_000],
      [2_000, 4_000],
      [4_000, 8_000],
      [150_000, 299_900],
    ]);
  });

  it('the tenth one suspends', () => {
    expect(afterFailure(8, usualPatience, 0)).toMatchObject({ kind: 'retry', attempts: 9 });
    expect(afterFailure(9, usualPatience, 0)).toEqual({ kind: 'suspended', attempts: 10 });
  });
});
