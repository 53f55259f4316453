/**
 * Reminders: what becomes due when, and what follows from a delivery. Pure; the arithmetic of
 * calendars and zones comes in as a `Recurrence`.
 *
 * 1. Which occurrence a delivery is for follows from the reminder alone: from when it is due, when
 *    its delivery first began and what is to be done about missed ones. So whoever takes it over
 *    speaks of the same occurrence, and gives it the same delivery id.
 * 2. A failing reminder keeps its occurrence until it is delivered or somebody steps in.
 */
import type { Actor, Brand, Instant } from './ids.ts';
import { isWellFormed } from './ids.ts';

/** `actor/name` or `actor/name:key`; no actor holds a slash and no name a colon. */
export type ReminderId = Brand<string, 'ReminderId'>;

export interface ReminderName {
  readonly actor: Actor;
  readonly name: string;
  readonly key?: string;
}

/** What to do about occurrences that came and went undelivered. */
export const missedRules = ['latest', 'all'] as const;
export type Missed = (typeof missedRules)[number];

export const nameLimit = 191;
export const payloadByteLimit = 8 * 1024;
/** So many missed occurrences are caught up with at most, the newest ones. */
export const catchUpLimit = 1_000;

const reminderActor = /^~?[a-z0-9][a-z0-9._-]{0,63}$/;
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** An API key's name, or one of the service's own, which begins with `~`. */
export function parseReminderActor(text: string): Actor | undefined {
  return reminderActor.test(text) ? (text as Actor) : undefined;
}

/** The ids of the service's own reminders come from here on, behind those of all callers. */
export const serviceIdsFrom = '~' as ReminderId;

/** Only the service itself acts under such a name. */
export function isServiceActor(actor: Actor): boolean {
  return actor.startsWith('~');
}

/** @param rest `name` or `name:key`; the limit is on all three together, without their marks. */
export function parseReminderId(actor: string, rest: string): ReminderId | undefined {
  const by = parseReminderActor(actor);
  if (by === undefined || !isWellFormed(rest)) return undefined;
  const text = rest.normalize('NFC');
  if (text === '.' || text === '..' || text.trim() !== text || unprintable.test(text)) {
    return undefined;
  }
  const { name, key } = split(text);
  if (name === '' || key === '') return undefined;
  const length = [by, name, key ?? ''].reduce((sum, part) => sum + Array.from(part).length, 0);
  return length <= nameLimit ? (`${by}/${text}` as ReminderId) : undefined;
}

export function reminderIdOf({ actor, name, key }: ReminderName): ReminderId | undefined {
  if (name.includes(':')) return undefined;
  return parseReminderId(actor, key === undefined ? name : `${name}:${key}`);
}

export function reminderNameOf(id: ReminderId): ReminderName {
  const slash = id.indexOf('/');
  return { actor: id.slice(0, slash) as Actor, ...split(id.slice(slash + 1)) };
}

/** All ids of an actor: from the first bound on, before the other; 0 follows the slash. */
export function reminderIdBounds(actor: Actor): readonly [from: ReminderId, before: ReminderId] {
  return [`${actor}/` as ReminderId, `${actor}0` as ReminderId];
}

function split(text: string): { readonly name: string; readonly key?: string } {
  const colon = text.indexOf(':');
  return colon < 0 ? { name: text } : { name: text.slice(0, colon), key: text.slice(colon + 1) };
}

/** The instants of something that comes again and again. */
export interface Recurrence {
  /** The first one later than this; undefined where none comes any more. */
  readonly after: (instant: Instant) => Instant | undefined;
  /**
   * Of the last `count` ones up to and including `through`, the first; `from`, which is one of
   * them, where there are no more than that since.
   */
  readonly newest: (from: Instant, through: Instant, count: number) => Instant;
}

/** Where a reminder stands among its occurrences. */
export interface Progress {
  /** The next occurrence that nobody has delivered. */
  readonly dueAt: Instant;
  /** When its delivery first began, by the database's clock. */
  readonly begunAt: Instant;
  readonly missed: Missed;
  /** Occurrences up to here are being caught up with: none of them is left out any more. */
  readonly catchingUpThrough?: Instant;
}

/** The occurrence that a delivery is for (1). Without a recurrence it is the only one. */
export function occurrenceOf(progress: Progress, recurrence: Recurrence | undefined): Instant {
  const { dueAt, begunAt, missed, catchingUpThrough } = progress;
  if (recurrence === undefined) return dueAt;
  const next = recurrence.after(dueAt);
  if (next === undefined || next > begunAt) return dueAt;
  if (missed === 'latest') return recurrence.newest(dueAt, begunAt, 1);
  if (catchingUpThrough !== undefined && dueAt <= catchingUpThrough) return dueAt;
  return recurrence.newest(dueAt, begunAt, catchUpLimit);
}

export type Onward =
  | { readonly kind: 'finished' }
  | {
      readonly kind: 'advanced';
      readonly dueAt: Instant;
      readonly catchingUpThrough?: Instant;
    };

/** What follows an occurrence that was delivered. */
export function onwardFrom(
  occurrence: Instant,
  progress: Progress,
  recurrence: Recurrence | undefined,
): Onward {
  const dueAt = recurrence?.after(occurrence);
  if (dueAt === undefined) return { kind: 'finished' };
  const { dueAt: before, begunAt, missed, catchingUpThrough: through } = progress;
  const goesOn = through !== undefined && before <= through ? through : begunAt;
  const isBehind = missed === 'all' && dueAt <= goesOn;
  return { kind: 'advanced', dueAt, ...(isBehind && { catchingUpThrough: goesOn }) };
}

export interface Patience {
  readonly attemptsLimit: number;
  readonly baseMilliseconds: number;
  readonly capMilliseconds: number;
}

/** About a quarter of an hour in all, then somebody has to look. */
export const usualPatience: Patience = {
  attemptsLimit: 10,
  baseMilliseconds: 2_000,
  capMilliseconds: 300_000,
};

export type Setback =
  | { readonly kind: 'retry'; readonly attempts: number; readonly afterMilliseconds: number }
  | { readonly kind: 'suspended'; readonly attempts: number };

/**
 * What follows a failed attempt: another one after at least half of a doubling wait, spread out so
 * that what failed together does not come back together; in the end none (2).
 *
 * @param failed the attempts that had failed before this one.
 * @param random 0 ≤ x < 1
 */
export function afterFailure(failed: number, patience: Patience, random: number): Setback {
  const attempts = failed + 1;
  if (attempts >= patience.attemptsLimit) return { kind: 'suspended', attempts };
  const { baseMilliseconds, capMilliseconds } = patience;
  const wait = Math.min(capMilliseconds, baseMilliseconds * 2 ** Math.min(failed, 30));
  return { kind: 'retry', attempts, afterMilliseconds: Math.ceil((wait * (1 + random)) / 2) };
}
