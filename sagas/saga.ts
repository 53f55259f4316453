/**
 * Sagas: work that crosses documents, carried on by whoever finds it unfinished.
 *
 * 1. What a saga waits for is read off its record and nothing else; `next` is pure.
 * 2. A step may be carried out again, by anybody and at any time, and is then the same as once: its
 *    effects carry ids of their own, and what was found for it stays what is found.
 * 3. What a step came to is written by compare-and-swap on the record before the next step.
 */
import type { Unknown } from '../src/inventory/ports.ts';
import type { Held } from '../src/inventory/saga-ports.ts';

export type Carried<R> =
  /** The record as it says what the step came to. */
  | { readonly kind: 'carried'; readonly after: R }
  /** The record has moved on meanwhile: somebody else has carried the step out. */
  | { readonly kind: 'overtaken' }
  | Unknown;

export interface Saga<R, S> {
  /** undefined once the saga waits for nothing more. */
  readonly next: (record: R) => S | undefined;
  readonly carryOut: (held: Held<R>, step: S) => Promise<Carried<R>>;
}
