/**
 * When a recurring reminder is due: by cron line, or so often after its first time.
 *
 * 1. Days, weeks, months and years are counted on the wall clock of the zone, hours, minutes and
 *    seconds on the time line. Every occurrence is counted from the first one, so that the 31st
 *    does not become the 28th for good.
 * 2. A wall-clock time that a zone leaves out is due at the first instant after the gap; one that
 *    comes twice is due at its first coming, once.
 */
import { Cron } from 'croner';
import { DateTime, Duration, IANAZone } from 'luxon';
import type { Instant } from '../domain/ids.ts';
import { parseInstant } from '../domain/ids.ts';
import type { Recurrence } from '../domain/reminder.ts';
import type { Recurring } from './reminder-ports.ts';

export type ParsedRecurrence =
  | { readonly kind: 'recurrence'; readonly startingAt: (first: Instant) => Recurrence }
  | { readonly kind: 'invalid'; readonly member: 'every' | 'timeZone'; readonly message: string };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const longestMs = 100 * 366 * dayMs;

/** A cron line has its own times; a duration counts from the first occurrence. */
export function parseRecurrence({ every, timeZone = 'UTC' }: Recurring): ParsedRecurrence {
  if (!IANAZone.isValidZone(timeZone)) {
    const message = 'must be a zone of the tz database, such as Europe/Amsterdam';
    return { kind: 'invalid', member: 'timeZone', message };
  }
  return every.startsWith('P') ? byDuration(every, timeZone) : byCronLine(every, timeZone);
}

export function isCronLine({ every }: Recurring): boolean {
  return !every.startsWith('P');
}

function invalid(message: string): ParsedRecurrence {
  return { kind: 'invalid', member: 'every', message };
}

// Cron lines

const emptyWindowLimitMs = 100 * 366 * dayMs;

function byCronLine(line: string, timeZone: string): ParsedRecurrence {
  let cron: Cron;
  try {
    cron = new Cron(line, {
      timezone: timeZone,
      mode: '5-part',
      fixedTimeRule: 'no-wildcard',
      paused: true,
    });
  } catch {
    return invalid(
      'must be a cron line of five fields or an ISO 8601 duration of a minute or more',
    );
  }
  const after = (instant: Instant): Instant | undefined => {
    const next = cron.nextRun(new Date(instant));
    return next === null ? undefined : parseInstant(next.getTime());
  };
  const epoch = parseInstant(0);
  if (epoch === undefined || after(epoch) === undefined) return invalid('must come at some time');
  return {
    kind: 'recurrence',
    startingAt: () => ({
      after,
      newest: (from, through, count) => newestByEnumeration(after, from, through, count),
    }),
  };
}

/** Looks back from the end in windows that grow, so that a long outage costs no more than it must. */
function newestByEnumeration(
  after: (instant: Instant) => Instant | undefined,
  from: Instant,
  through: Instant,
  count: number,
): Instant {
  for (let window = count * minuteMs; window < emptyWindowLimitMs; window *= 8) {
    const start = parseInstant(Math.max(from, through - window)) ?? from;
    const found = start === from ? [from] : [];
    for (let next = after(start); next !== undefined && next <= through; next = after(next)) {
      found.push(next);
    }
    if (found.length >= count || start === from) return found.at(-count) ?? found[0] ?? from;
  }
  return from;
}

// Durations

interface Step {
  readonly calendar: Readonly<Record<'years' | 'months' | 'weeks' | 'days', number>>;
  readonly exactMs: number;
  readonly hasCalendar: boolean;
  /** About how long it is. */
  readonly lengthMs: number;
}

const isoDuration =
  /^P(?=.)(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}W)?(?:\d{1,9}D)?(?:T(?=.)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?$/;

function byDuration(text: string, timeZone: string): ParsedRecurrence {
  const duration = Duration.fromISO(text);
  if (!isoDuration.test(text) || !duration.isValid) {
    return invalid('must be an ISO 8601 duration in whole numbers, such as P1D or PT90M');
  }
  const step = stepOf(duration);
  if (step.lengthMs < minuteMs || step.lengthMs > longestMs) {
    return invalid('must be from a minute to a hundred years');
  }
  return { kind: 'recurrence', startingAt: (first) => counted(first, step, timeZone) };
}

function stepOf({ years, months, weeks, days, hours, minutes, seconds }: Duration): Step {
  const exactMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  const calendarMs = (years * 365.2425 + months * 30.436875 + weeks * 7 + days) * dayMs;
  return {
    calendar: { years, months, weeks, days },
    exactMs,
    hasCalendar: calendarMs > 0,
    lengthMs: calendarMs + exactMs,
  };
}

function counted(first: Instant, step: Step, timeZone: string): Recurrence {
  const zone = IANAZone.create(timeZone);
  const nth = (n: number): Instant | undefined =>
    n === 0 ? first : parseInstant(Math.round(instantOfNth(first, step, zone, n)));
  /** How many occurrences, from the first on, are no later than this. */
  const countThrough = (instant: Instant): number => {
    if (instant < first) return 0;
    // The estimate is off by less than a few days' worth of steps; from below it is exact.
    const estimate = Math.floor((instant - first - 4 * dayMs) / step.lengthMs);
    let n = Math.max(
      1,
      step.hasCalendar ? estimate : Math.floor((instant - first) / step.lengthMs),
    );
    for (let next = nth(n); next !== undefined && next <= instant; next = nth(n)) n += 1;
    return n;
  };
  return {
    after: (instant) => nth(countThrough(instant)),
    newest: (from, through, count) => {
      const n = Math.max(countThrough(through) - count, countThrough(from) - 1);
      return nth(n) ?? from;
    },
  };
}

function instantOfNth(first: Instant, step: Step, zone: IANAZone, n: number): number {
  if (!step.hasCalendar) return first + n * step.exactMs;
  const { years, months, weeks, days } = step.calendar;
  // The wall clock of the zone, written as if it were UTC's: there every day has 24 hours.
  const wall = DateTime.fromMillis(first + zone.offset(first) * minuteMs, { zone: 'utc' }).plus({
    years: years * n,
    months: months * n,
    weeks: weeks * n,
    days: days * n,
  });
  return firstInstantOn(wall.toMillis(), zone) + n * step.exactMs;
}

/** The first instant at which the zone's wall clock shows this, or passes over it (2). */
function firstInstantOn(wall: number, zone: IANAZone): number {
  const offsets = [zone.offset(wall - dayMs), zone.offset(wall + dayMs)].map((m) => m * minuteMs);
  const candidates = offsets.map((offset) => wall - offset).toSorted((one, other) => one - other);
  const shown = candidates.find((at) => at + zone.offset(at) * minuteMs === wall);
  if (shown !== undefined) return shown;
  let [low = wall, high = wall] = candidates;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle + zone.offset(middle) * minuteMs < wall) low = middle;
    else high = middle;
  }
  return high;
}
