/**
 * Brings interrupted sagas to their end.
 *
 * 1. Only an abandoned record is taken over, on the condition that it is still abandoned when the
 *    takeover lands; so of many who find it one goes on.
 * 2. What is not there, finished or in good hands is left alone: an alarm may come too often.
 */
import type { Held } from '../src/inventory/saga-ports.ts';
import type { RunEnd, SagaRun } from './run-saga.ts';
import { runSaga } from './run-saga.ts';

export type Resumed<R> = RunEnd<R> | { readonly kind: 'nothing-to-do' | 'in-hand' };

/** @param holder names the new lease. */
export async function resumeSaga<I, R, S>(
  run: SagaRun<I, R, S>,
  id: I,
  holder: string,
): Promise<Resumed<R>> {
  const read = await run.records.read(id);
  if (read.kind === 'unknown') return { kind: 'left', cause: read.cause };
  if (read.kind === 'missing' || run.saga.next(read.value.record) === undefined) {
    return { kind: 'nothing-to-do' };
  }
  if (!read.value.isAbandoned) return { kind: 'in-hand' };
  const taken = await takeOver(run, read.value, holder);
  return taken.kind === 'saved' ? runSaga(run, taken.held) : taken;
}

async function takeOver<I, R, S>(
  run: SagaRun<I, R, S>,
  found: Held<R>,
  holder: string,
): Promise<
  | { readonly kind: 'saved'; readonly held: Held<R> }
  | { readonly kind: 'in-hand' }
  | { readonly kind: 'left'; readonly cause: string }
> {
  const taken = await run.records.take(found, holder);
  switch (taken.kind) {
    case 'saved':
      return taken;
    case 'lost':
      return { kind: 'in-hand' };
    case 'unknown':
      return { kind: 'left', cause: taken.cause };
  }
}

const atOnce = 4;
const resumedAtATime = 100;

/**
 * Resumes what is abandoned, a few at a time. A defect at one is reported and holds up no other.
 * @returns how many were found.
 */
export async function resumeAbandoned<I, R, S>(
  run: SagaRun<I, R, S>,
  holderOf: () => string,
  report: (defect: unknown) => void,
): Promise<number> {
  const found = await run.records.abandoned(resumedAtATime);
  if (found.kind === 'unknown') return 0;
  const waiting = [...found.value];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      if (run.stopping?.aborted === true) return;
      await resumeSaga(run, id, holderOf()).catch(report);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found.value.length;
}
