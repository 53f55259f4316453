/**
 * Runs one saga from wherever its record stands to its end.
 *
 * 1. One step at a time: carry it out, write what it came to, go on with what was written.
 * 2. Every write is conditional on the version in hand. Whoever loses reads again, and goes on only
 *    where the fence is still the own: after a takeover the record is somebody else's affair.
 * 3. Unknown is not failed: the record is read again; a step that the record does not show is
 *    carried out again.
 * 4. The lease is renewed while a step takes its time, whatever the step waits for.
 * 5. A run that makes no headway for its patience leaves the record to a later one.
 */
import { afterLoss, afterUnknown, jittered } from '../src/inventory/backoff.ts';
import type { Timer, Unknown } from '../src/inventory/ports.ts';
import type { Held, SagaRecords } from '../src/inventory/saga-ports.ts';
import { leaseMilliseconds } from '../src/inventory/saga-ports.ts';
import type { Saga } from './saga.ts';

export interface SagaRun<I, R, S> {
  readonly saga: Saga<R, S>;
  readonly records: Pick<SagaRecords<I, R>, 'read' | 'save' | 'take' | 'renew' | 'abandoned'>;
  readonly idOf: (record: R) => I;
  readonly timer: Timer;
  /** Told of every record that was written, in order. */
  readonly onSaved?: (record: R) => void;
  /** Once aborted, the run ends after the step that it is at. */
  readonly stopping?: AbortSignal;
}

export type RunEnd<R> =
  | { readonly kind: 'finished'; readonly record: R }
  /** Somebody else works at it. */
  | { readonly kind: 'superseded' }
  /** Left to a later run. */
  | { readonly kind: 'left'; readonly cause: string };

const patienceMilliseconds = 30_000;

type Advance<R> =
  | { readonly kind: 'saved'; readonly held: Held<R> }
  | { readonly kind: 'lost' | 'overtaken' }
  | Unknown;

/** @param held the record with the runner's own lease on it. */
export async function runSaga<I, R, S>(run: SagaRun<I, R, S>, held: Held<R>): Promise<RunEnd<R>> {
  const endRenewal = renewing(run, held);
  try {
    return await runLeased(run, held);
  } finally {
    endRenewal();
  }
}

async function runLeased<I, R, S>(run: SagaRun<I, R, S>, first: Held<R>): Promise<RunEnd<R>> {
  const { saga, timer } = run;
  let held = first;
  let setbacks = 0;
  let movedAt = timer.monotonic();
  for (;;) {
    const step = saga.next(held.record);
    if (step === undefined) return { kind: 'finished', record: held.record };
    if (run.stopping?.aborted === true) return { kind: 'left', cause: 'the process stops' };
    const advance = await advanceBy(run, held, step);
    if (advance.kind === 'saved') {
      held = advance.held;
      setbacks = 0;
      movedAt = timer.monotonic();
      run.onSaved?.(held.record);
      continue;
    }
    if (timer.monotonic() - movedAt > patienceMilliseconds) {
      const cause = advance.kind === 'unknown' ? advance.cause : 'others were always faster';
      return { kind: 'left', cause };
    }
    const backoff = advance.kind === 'unknown' ? afterUnknown : afterLoss;
    await timer.pause(jittered(backoff, setbacks, timer.random()));
    setbacks += 1;
    const read = await run.records.read(run.idOf(held.record));
    if (read.kind === 'unknown') continue;
    if (read.kind === 'missing' || read.value.lease.fence !== held.lease.fence) {
      return { kind: 'superseded' };
    }
    if (read.value.version !== held.version) {
      movedAt = timer.monotonic();
      run.onSaved?.(read.value.record);
    }
    held = read.value;
  }
}

async function advanceBy<I, R, S>(
  { saga, records }: SagaRun<I, R, S>,
  held: Held<R>,
  step: S,
): Promise<Advance<R>> {
  const carried = await saga.carryOut(held, step);
  if (carried.kind !== 'carried') return carried;
  return records.save(held, carried.after, saga.next(carried.after) === undefined);
}

/** @returns ends it. A renewal that fails is tried again at its next turn. */
function renewing<I, R, S>(run: SagaRun<I, R, S>, { record, lease }: Held<R>): () => void {
  const id = run.idOf(record);
  let ended = false;
  let callOff = run.timer.after(leaseMilliseconds / 3, turn);
  function turn(): void {
    void run.records.renew(id, lease).then((renewed) => {
      if (ended || renewed.kind === 'lost') return;
      callOff = run.timer.after(leaseMilliseconds / 3, turn);
    });
  }
  return () => {
    ended = true;
    callOff();
  };
}
