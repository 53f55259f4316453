/** Work that stands in the database, whichever process will do it. */
import type { Read } from './ports.ts';

export interface UnfinishedSagas {
  readonly saga: 'receipt' | 'count' | 'order';
  readonly state: string;
  readonly count: number;
}

export interface Backlog {
  /** The finished ones are not among them: they are the history, and grow for ever. */
  readonly sagas: readonly UnfinishedSagas[];
  readonly remindersDue: number;
  readonly remindersSuspended: number;
}

export type ReadBacklog = () => Promise<Read<Backlog>>;
