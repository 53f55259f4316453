/**
 * The runs of one kind of saga in this process.
 *
 * 1. A run goes on in the background, whoever waits for it and for how long.
 * 2. An alarm is armed before a record waits for something; it is called off when nothing is waited
 *    for any more. An alarm that finds no record, or a finished one, does nothing.
 * 3. A defect ends its run and is reported; the record stays for the next to find.
 */
import type { Lookup, Recorded } from '../src/inventory/ports.ts';
import type { Alarms, Held } from '../src/inventory/saga-ports.ts';
import { leaseMilliseconds } from '../src/inventory/saga-ports.ts';
import { resumeAbandoned, resumeSaga } from './resume.ts';
import type { RunEnd, SagaRun } from './run-saga.ts';
import { runSaga } from './run-saga.ts';

export interface SagaRuns<I, R> {
  /** A name for one lease, which no other run has. */
  readonly holder: () => string;
  /** To be done before the record waits for something (2). */
  readonly arm: (id: I) => Promise<Recorded>;
  /**
   * Runs it from here.
   * @returns the first record that is enough for the caller; undefined where the run ends before.
   */
  readonly start: (held: Held<R>, isEnough: (record: R) => boolean) => Promise<R | undefined>;
  /** Carries it on if nobody does. @returns the record as it then stands. */
  readonly resume: (id: I) => Promise<Lookup<R>>;
  /** What an alarm calls. It comes again while somebody works at the saga. */
  readonly alarmed: (id: I) => Promise<Recorded>;
  /** @returns how many were found abandoned. */
  readonly resumeAbandoned: () => Promise<number>;
  /** Resolves when no run is under way. */
  readonly idle: () => Promise<void>;
}

export interface SagaHouse<I, R, S> extends Omit<SagaRun<I, R, S>, 'onSaved'> {
  /** The kind of saga, as alarms name it. */
  readonly name: string;
  readonly keyOf: (id: I) => string;
  readonly alarms: Alarms;
  /** Names this process among all, for leases. */
  readonly process: string;
  readonly report: (defect: unknown) => void;
}

/** Long enough that a run in good hands is over or its lease has lapsed. */
const alarmAfterMilliseconds = leaseMilliseconds + 2_000;

export function createSagaRuns<I, R, S>(house: SagaHouse<I, R, S>): SagaRuns<I, R> {
  const { name, keyOf, idOf, alarms, records } = house;
  const underWay = new Set<Promise<unknown>>();
  let leases = 0;

  const holder = (): string => `${house.process}/${(leases += 1)}`;
  const alarmOf = (id: I) => ({ name, key: keyOf(id) });
  const arm = (id: I): Promise<Recorded> => alarms.arm(alarmOf(id), alarmAfterMilliseconds);

  async function disarmed(id: I, ended: Promise<RunEnd<R>>): Promise<void> {
    const end = await ended;
    // An alarm that stays rings once, finds the saga finished and does nothing.
    if (end.kind === 'finished') await alarms.disarm(alarmOf(id));
  }

  function inBackground(work: Promise<unknown>): void {
    const kept = work.catch(house.report).finally(() => underWay.delete(kept));
    underWay.add(kept);
  }

  function start(held: Held<R>, isEnough: (record: R) => boolean): Promise<R | undefined> {
    return new Promise((resolve, reject) => {
      const onSaved = (record: R): void => {
        if (isEnough(record)) resolve(record);
      };
      const ended = runSaga({ ...house, onSaved }, held);
      ended.then(() => {
        resolve(undefined);
      }, reject);
      inBackground(disarmed(idOf(held.record), ended));
    });
  }

  async function resume(id: I): Promise<Lookup<R>> {
    const resumed = resumeSaga(house, id, holder());
    inBackground(resumed);
    await resumed;
    const read = await records.read(id);
    return read.kind === 'found' ? { kind: 'found', value: read.value.record } : read;
  }

  return {
    holder,
    arm,
    start,
    resume,
    alarmed: async (id) => {
      const resumed = await resumeSaga(house, id, holder());
      const isOver = resumed.kind === 'finished' || resumed.kind === 'nothing-to-do';
      return isOver ? { kind: 'recorded' } : arm(id);
    },
    resumeAbandoned: () => {
      const found = resumeAbandoned(house, holder, house.report);
      inBackground(found);
      return found;
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
