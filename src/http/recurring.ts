/** What is due again and again: what requests may say of it, and how it stands. */
import { z } from 'zod';
import type { Instant } from '../domain/ids.ts';
import type { Recurring, StampedReminder } from '../inventory/reminder-ports.ts';
import { isCronLine, parseRecurrence } from '../inventory/schedule.ts';
import type { ReminderShown } from './answers/reminder.ts';
import { instantText } from './instant-text.ts';

export const every = z.string().max(200, 'must be at most 200 characters');
export const timeZone = z.string().max(64, 'must be at most 64 characters');

/** Something has to say when it is first due. */
export function refuseUnlessDue(
  at: Instant | undefined,
  recurring: Recurring | undefined,
  refuse: (member: string, message: string) => void,
): void {
  const parsed = recurring === undefined ? undefined : parseRecurrence(recurring);
  if (parsed?.kind === 'invalid') refuse(parsed.member, parsed.message);
  else if (at === undefined && (recurring === undefined || !isCronLine(recurring))) {
    refuse('at', 'is required, except with a cron line');
  }
}

/**
 * `at` is when the occurrence is due that comes next. `due` is shown as long as it is not
 * delivered: under way, failing, or waiting for a service that has a webhook.
 */
export function dueView({
  reminder,
  now,
}: StampedReminder): Pick<ReminderShown, 'at' | 'state' | 'attempts' | 'lastFailure'> {
  const { dueAt, state, attempts, lastFailure } = reminder;
  return {
    at: instantText(dueAt),
    state: state === 'suspended' ? state : dueAt <= now ? 'due' : 'scheduled',
    attempts,
    ...(lastFailure !== undefined && { lastFailure }),
  };
}
