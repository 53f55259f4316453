/** What reminders need from the world. Types only; src/store fills them. */
import type { Actor, Instant } from '../domain/ids.ts';
import type { Missed, ReminderId } from '../domain/reminder.ts';
import type { Lookup, Read, Recorded, Timer, Unknown } from './ports.ts';

/** Who is told when a reminder is due: the webhook, or a service actor's own handler. */
export type Receiver = 'webhook' | Actor;

export interface Recurring {
  /** An ISO 8601 duration or a cron line. */
  readonly every: string;
  readonly timeZone?: string;
}

/** A reminder as it is set: from then on it is due, whatever stood under its name before. */
export interface ReminderSetting {
  readonly id: ReminderId;
  /** Names this setting; the same one again changes nothing. */
  readonly armedBy: string;
  readonly receiver: Receiver;
  /** By the database's clock: an instant of it, or so long after the write. */
  readonly due: { readonly at: Instant } | { readonly afterMilliseconds: number };
  readonly recurring?: Recurring;
  readonly missed: Missed;
  /** JSON text. */
  readonly payload?: string;
}

export interface Reminder extends Omit<ReminderSetting, 'due'> {
  /** The first occurrence, from which a recurrence by duration counts. */
  readonly firstDueAt: Instant;
  readonly dueAt: Instant;
  readonly catchingUpThrough?: Instant;
  readonly state: 'armed' | 'suspended';
  /** Failed attempts at the occurrence that is due. */
  readonly attempts: number;
  readonly lastFailure?: string;
  /** When it is next tried, or when the lease of whoever tries it ends; none while suspended. */
  readonly nextAt?: Instant;
}

export interface StampedReminder {
  readonly reminder: Reminder;
  /** The database's clock at the read. */
  readonly now: Instant;
}

export type Armed =
  | (StampedReminder & {
      readonly kind: 'armed';
      /** When the reminder was due that stood there before. */
      readonly replaced?: Instant;
      /** This very setting stood there already. */
      readonly repeated: boolean;
    })
  | Unknown;

/** A reminder under a lease: until it ends, nobody else delivers it. */
export interface TakenReminder extends Reminder {
  readonly lease: string;
  readonly begunAt: Instant;
}

export interface Holding {
  readonly id: ReminderId;
  readonly lease: string;
}

/** How a lease ends; without effect where it had ended before. */
export type Settlement = Holding &
  (
    | { readonly kind: 'finished' }
    | {
        readonly kind: 'advanced';
        readonly dueAt: Instant;
        readonly catchingUpThrough?: Instant;
      }
    | {
        readonly kind: 'retry';
        readonly attempts: number;
        readonly afterMilliseconds: number;
        readonly cause: string;
      }
    | { readonly kind: 'suspended'; readonly attempts: number; readonly cause: string }
    /** Given back untried, or cut short by a stop. */
    | { readonly kind: 'released' }
  );

export interface ReminderQuery {
  readonly state?: 'suspended';
  readonly actor?: Actor;
  /** None of the service's own. */
  readonly callersOnly?: true;
  readonly after?: ReminderId;
  readonly limit: number;
}

/** A due reminder that may be taken. */
export interface Candidate {
  readonly id: ReminderId;
  readonly receiver: Receiver;
}

export interface ReminderStore {
  readonly arm: (setting: ReminderSetting) => Promise<Armed>;
  /** @returns whether one was there. */
  /** @param armedBy only as this setting left it, where it is given. */
  readonly disarm: (id: ReminderId, armedBy?: ReminderSetting['armedBy']) => Promise<Read<boolean>>;
  /** @returns how many there were. */
  readonly disarmAll: (actor: Actor) => Promise<Read<number>>;
  /** Makes a suspended one due at once; any other stays as it is. */
  readonly resume: (id: ReminderId) => Promise<Lookup<StampedReminder>>;
  readonly find: (id: ReminderId) => Promise<Lookup<StampedReminder>>;
  /** In the order of their ids. */
  readonly list: (query: ReminderQuery) => Promise<Read<readonly StampedReminder[]>>;
  readonly countSuspended: () => Promise<Read<number>>;

  /** The database's clock. */
  readonly clock: () => Promise<Read<Instant>>;
  /**
   * What is due, earliest first. It costs no more than what was due by `before`, which is to lie
   * a little after the database's now.
   */
  readonly due: (query: {
    readonly receivers: readonly Receiver[];
    readonly before: Instant;
    readonly limit: number;
  }) => Promise<Read<{ readonly candidates: readonly Candidate[]; readonly now?: Instant }>>;
  /** Takes those that are still due, under a lease for so long. */
  readonly take: (query: {
    readonly ids: readonly ReminderId[];
    readonly lease: string;
    readonly forMilliseconds: number;
  }) => Promise<Read<{ readonly taken: readonly TakenReminder[]; readonly now?: Instant }>>;
  /** Lets leases last so long from now on. @returns those that stand. */
  readonly renew: (
    holdings: readonly Holding[],
    forMilliseconds: number,
  ) => Promise<Read<ReadonlySet<ReminderId>>>;
  readonly settle: (settlements: readonly Settlement[]) => Promise<Recorded>;
}

export interface ReminderPorts {
  readonly reminders: ReminderStore;
  readonly timer: Timer;
}
