/** Weeks in the viewer's zone: each day from its midnight, a Monday first. */

/** @returns the midnights of the seven days around an instant, `weeks` later. */
export function weekOf(instant: Date, weeks = 0): readonly Date[] {
  const sinceMonday = (instant.getDay() + 6) % 7;
  const monday = instant.getDate() - sinceMonday + 7 * weeks;
  // Days are counted by the calendar: one with a change of the clock has 23 or 25 hours.
  return Array.from(
    { length: 7 },
    (_, day) => new Date(instant.getFullYear(), instant.getMonth(), monday + day),
  );
}

/** The last millisecond of a week. */
export function endOf(week: readonly Date[]): Date {
  const [monday = new Date()] = week;
  const next = new Date(monday.getFullYear(), monday.getMonth(), monday.getDate() + 7);
  return new Date(next.getTime() - 1);
}

/** What begins on the day that has this midnight, the earliest first. */
export function beginningOn<T extends { readonly startsAt: string }>(
  day: Date,
  slots: readonly T[],
): readonly T[] {
  return slots
    .filter(({ startsAt }) => new Date(startsAt).toDateString() === day.toDateString())
    .toSorted((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
}
