/** Reminders, as answers show them. */
import { z } from 'zod';
import { missedRules } from '../../domain/reminder.ts';
import type { Shown } from './shown.ts';

const name = {
  actor: z.string(),
  name: z.string(),
  key: z.string().exactOptional(),
};

export const reminderShown = z
  .strictObject({
    ...name,
    at: z.iso.datetime({ precision: 3 }).meta({ description: 'When it is due next.' }),
    every: z.string().exactOptional(),
    timeZone: z.string().exactOptional(),
    missed: z.enum(missedRules),
    payload: z.unknown().exactOptional(),
    state: z.enum(['scheduled', 'due', 'suspended']),
    attempts: z.int().min(0),
    lastFailure: z.string().exactOptional(),
  })
  .meta({
    id: 'Reminder',
    examples: [
      {
        actor: 'nightly',
        name: 'reorder',
        at: '2030-01-31T12:00:00.000Z',
        every: 'P1D',
        timeZone: 'Europe/Vienna',
        missed: 'latest',
        state: 'scheduled',
        attempts: 0,
      },
    ],
  });
export type ReminderShown = Shown<typeof reminderShown>;

export const removedReminderShown = z.strictObject({ ...name, state: z.literal('removed') });
export const removedRemindersShown = z.strictObject({
  actor: z.string(),
  removed: z.int().min(0),
});
