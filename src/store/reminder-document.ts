/** A reminder as MongoDB holds it. */
import type { Missed, ReminderId } from '../domain/reminder.ts';
import type { Receiver } from '../inventory/reminder-ports.ts';

export interface ReminderDocument {
  readonly _id: ReminderId;
  readonly armedBy: string;
  /** The settings before this one, the newest first; the oldest are forgotten. */
  readonly formerly?: readonly string[];
  readonly receiver: Receiver;
  readonly every?: string;
  readonly timeZone?: string;
  readonly missed: Missed;
  readonly payload?: string;
  readonly firstDueAt: Date;
  readonly dueAt: Date;
  readonly catchingUpThrough?: Date;
  readonly state: 'armed' | 'suspended';
  readonly attempts: number;
  readonly lastFailure?: string;
  /** Due from here on; under a lease, the lease's end. */
  readonly nextAt?: Date;
  readonly lease?: string;
  readonly begunAt?: Date;
  /** When the reminder was due that this setting took the place of. */
  readonly replacedDueAt?: Date;
  /** This setting was sent again. */
  readonly repeated?: true;
  /** The database's clock; only in answers that project it, never stored. */
  readonly now?: Date;
}
