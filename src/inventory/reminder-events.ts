/** What is worth a line in the log, as it happens to reminders. */
import type { Instant } from '../domain/ids.ts';
import type { ReminderId } from '../domain/reminder.ts';

export type ReminderEvent =
  | {
      readonly kind: 'reminder-replaced';
      readonly reminder: ReminderId;
      readonly wasDueAt: Instant;
      readonly dueAt: Instant;
    }
  | {
      readonly kind: 'reminder-failed';
      readonly reminder: ReminderId;
      readonly attempts: number;
      readonly cause: string;
    }
  /** Nobody tries again until somebody resumes it. */
  | {
      readonly kind: 'reminder-suspended';
      readonly reminder: ReminderId;
      readonly attempts: number;
      readonly cause: string;
    }
  /** An open count covers something of what is to be counted again: this time it is left out. */
  | {
      readonly kind: 'cycle-count-skipped';
      readonly reminder: ReminderId;
      readonly dueAt: Instant;
      readonly openCount: string;
    }
  /** The database does not say what is due; told once, until it does again. */
  | { readonly kind: 'reminders-stalled'; readonly cause: string }
  /** The service itself did something that must not happen. */
  | { readonly kind: 'reminders-defect'; readonly cause: string };

export type Report = (event: ReminderEvent) => void;

export function defectOf(error: unknown): ReminderEvent {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'reminders-defect', cause };
}
