import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginningOn, endOf, weekOf } from '../../src/console/dock/week.ts';

const days = (week: readonly Date[]): readonly string[] =>
  week.map((day) => day.toString().slice(0, 21));

describe('a week in the viewer’s zone', () => {
  const before = process.env['TZ'];
  beforeAll(() => {
    process.env['TZ'] = 'Europe/Berlin';
  });
  afterAll(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  it.each(['2026-10-19T00:00', '2026-10-22T12:00', '2026-10-25T23:59'])(
    'begins on the Monday of %s, whatever the clock does that week',
    (instant) => {
      const week = weekOf(new Date(instant));
      expect(days(week)).toEqual([
        'Mon Oct 19 2026 00:00',
        'Tue Oct 20 2026 00:00',
        'Wed Oct 21 2026 00:00',
        'Thu Oct 22 2026 00:00',
        'Fri Oct 23 2026 00:00',
        'Sat Oct 24 2026 00:00',
        'Sun Oct 25 2026 00:00',
      ]);
      // The last day has 25 hours.
      expect(endOf(week).toISOString()).toBe('2026-10-25T22:59:59.999Z');
    },
  );

  it('goes on from week to week, over the end of a year as well', () => {
    expect(days(weekOf(new Date('2026-12-31T12:00'), 1))[0]).toBe('Mon Jan 04 2027 00:00');
    expect(days(weekOf(new Date('2027-01-05T12:00'), -1))[0]).toBe('Mon Dec 28 2026 00:00');
  });

  it('has on a day what begins on it by the clock on the wall, the earliest first', () => {
    const slots = [
      { startsAt: '2026-10-20T21:59:59.999Z' },
      { startsAt: '2026-10-20T22:00:00.000Z' },
      { startsAt: '2026-10-19T22:00:00.000Z' },
    ];
    expect(beginningOn(new Date('2026-10-20T00:00'), slots)).toEqual([slots[2], slots[0]]);
  });
});
