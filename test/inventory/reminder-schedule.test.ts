/** Calendars and zones with the zone data of this machine: the changes of 2026 in the Netherlands. */
import { describe, expect, it } from 'vitest';
import type { Recurrence } from '../../src/domain/reminder.ts';
import { isCronLine, parseRecurrence } from '../../src/inventory/schedule.ts';
import { instant } from '../support/actions.ts';

const at = (text: string) => instant(Date.parse(text));
const text = (value: number | undefined) => (value === undefined ? undefined : iso(value));
const iso = (value: number) => new Date(value).toISOString().replace(':00.000Z', 'Z');

function recurrence(every: string, timeZone: string | undefined, first: string): Recurrence {
  const parsed = parseRecurrence({ every, ...(timeZone !== undefined && { timeZone }) });
  if (parsed.kind === 'invalid') throw new Error(`${parsed.member} ${parsed.message}`);
  return parsed.startingAt(at(first));
}

/** So many occurrences after this. */
function next(from: Recurrence, after: string, count: number): readonly (string | undefined)[] {
  const found: (string | undefined)[] = [];
  let last = at(after);
  for (let n = 0; n < count; n += 1) {
    const instant = from.after(last);
    found.push(text(instant));
    last = instant ?? last;
  }
  return found;
}

const amsterdam = 'Europe/Amsterdam';

describe.each([
  ['by a cron line', '30 2 * * *'],
  ['a day after a day', 'P1D'],
])('every day at 02:30 in Amsterdam, %s', (_, every) => {
  const daily = recurrence(every, amsterdam, '2026-03-01T01:30:00Z');

  it('is due at the first instant after the gap in spring', () => {
    expect(next(daily, '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-29T01:00Z',
      '2026-03-30T00:30Z',
    ]);
  });

  it('is due once in autumn, at the first 02:30', () => {
    expect(next(daily, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ]);
  });

  it.each(['2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z', '2026-10-25T01:29:59.999Z'])(
    'does not come a second time after %s',
    (after) => {
      expect(next(daily, after, 1)).toEqual(['2026-10-26T01:30Z']);
    },
  );

  it('is the latest of those missed across both changes', () => {
    const due = at('2026-03-01T01:30:00Z');
    const newest = (through: string, count: number) => text(daily.newest(due, at(through), count));
    expect(newest('2026-03-29T00:59:59Z', 1)).toBe('2026-03-28T01:30Z');
    expect(newest('2026-03-29T01:00:00Z', 1)).toBe('2026-03-29T01:00Z');
    expect(newest('2026-10-25T01:45:00Z', 1)).toBe('2026-10-25T00:30Z');
    expect(newest('2026-10-26T12:00:00Z', 3)).toBe('2026-10-24T00:30Z');
    expect(newest('2026-03-03T12:00:00Z', 1_000)).toBe('2026-03-01T01:30Z');
  });
});

describe('a cron line', () => {
  it('with lists of times holds to the same rules', () => {
    const twice = recurrence('0,30 2 * * *', amsterdam, '2026-03-01T00:00:00Z');
    expect(next(twice, '2026-03-28T12:00:00Z', 3)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-30T00:00Z',
      '2026-03-30T00:30Z',
    ]);
  });

  it('that is due every hour is due in both hours of an autumn night', () => {
    const hourly = recurrence('0 * * * *', amsterdam, '2026-03-01T00:00:00Z');
    expect(next(hourly, '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00Z',
      '2026-10-25T01:00Z',
      '2026-10-25T02:00Z',
    ]);
  });

  it('is due in 60 days and in four years', () => {
    const monthly = recurrence('0 9 29 2 *', 'UTC', '2026-03-01T00:00:00Z');
    expect(next(monthly, '2026-03-01T00:00:00Z', 1)).toEqual(['2028-02-29T09:00Z']);
  });

  it('finds the newest of many years quickly', () => {
    const everyMinute = recurrence('* * * * *', 'UTC', '2000-01-01T00:00:00Z');
    const from = at('2000-01-01T00:00:00Z');
    const newest = everyMinute.newest(from, at('2026-01-01T00:00:00Z'), 1_000);
    expect(text(newest)).toBe('2025-12-31T07:21Z');
    const yearly = recurrence('0 0 1 1 *', 'UTC', '2000-01-01T00:00:00Z');
    expect(text(yearly.newest(from, at('2025-06-01T00:00:00Z'), 2))).toBe('2024-01-01T00:00Z');
  });
});

describe('a duration', () => {
  it('counts months from the first time, so that the 31st comes back', () => {
    const monthly = recurrence('P1M', undefined, '2026-01-31T08:00:00Z');
    expect(next(monthly, '2026-01-31T08:00:00Z', 3)).toEqual([
      '2026-02-28T08:00Z',
      '2026-03-31T08:00Z',
      '2026-04-30T08:00Z',
    ]);
  });

  it('counts hours on the time line', () => {
    const daily = recurrence('PT24H', amsterdam, '2026-03-28T01:30:00Z');
    expect(next(daily, '2026-03-28T01:30:00Z', 2)).toEqual([
      '2026-03-29T01:30Z',
      '2026-03-30T01:30Z',
    ]);
  });

  it('mixes both: the calendar first, then the clock', () => {
    const mixed = recurrence('P1DT1H', amsterdam, '2026-03-28T01:00:00Z');
    expect(next(mixed, '2026-03-28T01:00:00Z', 2)).toEqual([
      '2026-03-29T02:00Z',
      '2026-03-30T02:00Z',
    ]);
  });

  it('begins with its first time, however early it is asked', () => {
    const hourly = recurrence('PT1H', undefined, '2026-03-01T00:00:00Z');
    expect(next(hourly, '2020-01-01T00:00:00Z', 2)).toEqual([
      '2026-03-01T00:00Z',
      '2026-03-01T01:00Z',
    ]);
  });

  it.each(['P1D', 'P1W', 'P1M', 'P1Y', 'P3M15D', 'PT61S'])(
    '%s names each of its times once, from every instant before it',
    (every) => {
      const some = recurrence(every, amsterdam, '2020-02-29T01:30:00Z');
      let last = at('2020-02-29T01:30:00Z');
      for (let n = 0; n < 300; n += 1) {
        const following = some.after(last) ?? expect.fail('it comes again');
        expect(following).toBeGreaterThan(last);
        expect(some.after(instant(following - 1))).toBe(following);
        expect(some.newest(last, following, 1)).toBe(following);
        expect(some.newest(last, instant(following - 1), 1)).toBe(last);
        last = following;
      }
    },
  );

  it('ends where dates end', () => {
    const yearly = recurrence('P100Y', undefined, '2026-01-01T00:00:00Z');
    expect(yearly.after(instant(8.64e15 - 1))).toBeUndefined();
  });
});

describe('what comes again and again', () => {
  it.each([
    ['PT1M', undefined],
    ['P1DT12H', 'Asia/Kathmandu'],
    ['0 9 * * MON-FRI', 'America/New_York'],
    ['@daily', undefined],
  ])('may be every %s', (every, timeZone) => {
    const parsed = parseRecurrence({ every, ...(timeZone !== undefined && { timeZone }) });
    expect(parsed.kind).toBe('recurrence');
    expect(isCronLine({ every })).toBe(!every.startsWith('P'));
  });

  it.each([
    ['PT59S', undefined, 'every'],
    ['PT0S', undefined, 'every'],
    ['P', undefined, 'every'],
    ['P1.5D', undefined, 'every'],
    ['P-1D', undefined, 'every'],
    ['-P1D', undefined, 'every'],
    ['P101Y', undefined, 'every'],
    ['P999999999Y', undefined, 'every'],
    ['P1D', 'Europe/Utrecht', 'timeZone'],
    ['P1D', '', 'timeZone'],
    ['', undefined, 'every'],
    ['often', undefined, 'every'],
    ['* * * * * *', undefined, 'every'],
    ['60 * * * *', undefined, 'every'],
    ['0 0 30 2 *', undefined, 'every'],
  ])('may not be %j in %j', (every, timeZone, member) => {
    const parsed = parseRecurrence({ every, ...(timeZone !== undefined && { timeZone }) });
    expect(parsed).toMatchObject({ kind: 'invalid', member });
  });
});
