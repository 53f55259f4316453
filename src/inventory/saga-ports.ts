/** What sagas need from the world, whatever they carry out. Types only; src/store fills them. */
import type { Instant } from '../domain/ids.ts';
import type { Lookup, Read, Recorded, Unknown } from './ports.ts';

/** Who works at a record. The fence is a number higher at each takeover. */
export interface Lease {
  readonly holder: string;
  readonly fence: number;
}

/** A record as a runner has it in hand. */
export interface Held<R> {
  readonly record: R;
  readonly version: number;
  readonly lease: Lease;
}

export interface SagaRead<R> extends Held<R> {
  /** It is unfinished, and nobody's lease on it lasts any longer, by the database's clock. */
  readonly isAbandoned: boolean;
}

export type Saved<R> =
  | { readonly kind: 'saved'; readonly held: Held<R> }
  /** The record is another one by now, or an earlier attempt of ours landed after all. */
  | { readonly kind: 'lost' }
  | Unknown;

export type Renewed = { readonly kind: 'renewed' | 'lost' } | Unknown;

/**
 * The records of one kind of saga. Every write is conditional on the version that was read, and
 * every write but the last lets the holder's lease last for another full time.
 */
export interface SagaRecords<I, R> {
  readonly read: (id: I) => Promise<Lookup<SagaRead<R>>>;
  /** @param now the database's clock at a read, from which the first lease counts. */
  readonly insert: (record: R, holder: string, now: Instant) => Promise<Saved<R>>;
  /** @param finished the saga waits for nothing more: the lease ends. */
  readonly save: (before: Held<R>, after: R, finished: boolean) => Promise<Saved<R>>;
  /** Takes over an abandoned record. */
  readonly take: (before: Held<R>, holder: string) => Promise<Saved<R>>;
  /** Lets a finished record wait for something again, under a new lease. */
  readonly reopen: (before: Held<R>, after: R, holder: string) => Promise<Saved<R>>;
  readonly renew: (id: I, lease: Lease) => Promise<Renewed>;
  /** Records that are abandoned, the one abandoned first before the others. */
  readonly abandoned: (limit: number) => Promise<Read<readonly I[]>>;
}

/** How long a lease lasts, in milliseconds. */
export const leaseMilliseconds = 8_000;

export interface Alarm {
  /** The kind of saga. */
  readonly name: string;
  /** The saga's id. */
  readonly key: string;
}

/** Alarms that bring back an interrupted saga. Set again, an alarm moves. */
export interface Alarms {
  readonly arm: (alarm: Alarm, afterMilliseconds: number) => Promise<Recorded>;
  readonly disarm: (alarm: Alarm) => Promise<Recorded>;
}
