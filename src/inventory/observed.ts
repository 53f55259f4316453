/** What the mutation path tells of itself while it works, for whoever counts. */
import type { Action } from '../domain/action.ts';
import type { ActionAnswer } from './answer.ts';

export type Observed =
  | {
      readonly kind: 'answered';
      readonly change: Action['change']['type'];
      readonly outcome: Outcome;
    }
  /** One write of a SKU document went through, with so many requests in it. */
  | { readonly kind: 'batch-written'; readonly requests: number }
  /** The condition of a write no longer held: somebody else's came first. */
  | { readonly kind: 'race-lost' }
  /** The database did not say what became of a write, so the path has to look. */
  | { readonly kind: 'outcome-unknown' };

export type Outcome = 'applied' | 'replayed' | 'refused' | 'unavailable';

/** It returns at once and never throws: it is called on the way of every movement. */
export type Observe = (event: Observed) => void;

export const unobserved: Observe = () => undefined;

/** How much waits in this process. */
export interface Load {
  /** SKUs that are worked at. */
  readonly lanes: number;
  /** Requests that wait for an earlier write of their SKU. */
  readonly waiting: number;
  /** The most that wait for one SKU. */
  readonly longest: number;
}

export function outcomeOf(answer: ActionAnswer): Outcome {
  switch (answer.kind) {
    case 'moved':
    case 'defined':
      return answer.replayed ? 'replayed' : 'applied';
    case 'refused':
    case 'unavailable':
      return answer.kind;
  }
}
