/**
 * Delivers what is due, in every process that runs it; whichever takes the lease delivers.
 *
 * 1. While nothing is due it asks the database once a poll interval, for all receivers at once.
 * 2. Each receiver has a lane of its own: a webhook that hangs holds up no saga.
 * 3. A delivery begins only while its lease is sure, and is cut off when the lease is lost.
 * 4. Where it stays unknown what became of a delivery, its lease lapses, and somebody delivers the
 *    same occurrence again under the same id.
 * 5. A stop takes nothing new, gives back what has not begun and waits for what has.
 */
import type { Instant } from '../domain/ids.ts';
import { parseInstant } from '../domain/ids.ts';
import type { Patience } from '../domain/reminder.ts';
import { usualPatience } from '../domain/reminder.ts';
import type { DatabaseClock } from './database-clock.ts';
import { createDatabaseClock } from './database-clock.ts';
import type { Deliver } from './reminder-delivery.ts';
import { deliver } from './reminder-delivery.ts';
import type { Report } from './reminder-events.ts';
import { defectOf } from './reminder-events.ts';
import type { Lane } from './reminder-lane.ts';
import { begin, choose, isReady, isThirsty, newLane, roomOf } from './reminder-lane.ts';
import type { Lease, Leases } from './reminder-leases.ts';
import { createLeases } from './reminder-leases.ts';
import type { Receiver, ReminderPorts, Settlement } from './reminder-ports.ts';

export interface LoopSettings {
  readonly pollMilliseconds: number;
  readonly leaseMilliseconds: number;
  /** Deliveries under way at a time, for each receiver. */
  readonly concurrency: number;
  readonly patience: Patience;
  /** How long a stop waits for deliveries under way before it cuts them off. */
  readonly stopWithinMilliseconds: number;
}

const usualSettings: LoopSettings = {
  pollMilliseconds: 1_000,
  leaseMilliseconds: 10_000,
  concurrency: 32,
  patience: usualPatience,
  stopWithinMilliseconds: 8_000,
};

/** How long a receiver that was cut off may take to notice. */
const noticeMs = 1_000;
/** The most that one question tells of. */
const pageSize = 2_000;
/** The estimate of the database's clock is never behind by as much. */
const aheadMs = 1_000;

export interface LoopParts {
  readonly ports: ReminderPorts;
  /** What is due for anybody else stays due. */
  readonly deliverers: ReadonlyMap<Receiver, Deliver>;
  readonly report: Report;
  readonly settings?: Partial<LoopSettings>;
}

export interface ReminderLoop {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

interface Loop {
  readonly ports: ReminderPorts;
  readonly rules: LoopSettings;
  readonly report: Report;
  readonly clock: DatabaseClock;
  readonly leases: Leases;
  readonly lanes: readonly Lane[];
  stopping: boolean;
  isStalled: boolean;
  /** Monotonic: when it is time to ask again. */
  nextBeat: number;
  /** There is something to take before the next beat. */
  isWoken: boolean;
  endRest: () => void;
}

export function createReminderLoop(parts: LoopParts): ReminderLoop {
  const { ports, deliverers, report, settings } = parts;
  const rules = { ...usualSettings, ...settings };
  const clock = createDatabaseClock(ports.timer);
  const loop: Loop = {
    ports,
    rules,
    report,
    clock,
    leases: createLeases(ports, clock, report, rules.leaseMilliseconds),
    lanes: Array.from(deliverers, ([receiver, receive]) => newLane(receiver, receive)),
    stopping: false,
    isStalled: false,
    nextBeat: 0,
    isWoken: false,
    endRest: () => undefined,
  };
  let running: Promise<void> | undefined;
  return {
    start: () => {
      running ??= run(loop);
    },
    stop: async () => {
      loop.stopping = true;
      wake(loop);
      await running;
      await windUp(loop);
    },
  };
}

async function run(loop: Loop): Promise<void> {
  while (!loop.stopping) {
    const isBusy = await step(loop).catch((error: unknown) => {
      loop.report(defectOf(error));
      return false;
    });
    if (!isBusy) await rest(loop);
  }
}

function wake(loop: Loop): void {
  loop.isWoken = true;
  loop.endRest();
}

/** Until the next beat, or until there is something to take. */
async function rest(loop: Loop): Promise<void> {
  await new Promise<void>((resolve) => {
    if (loop.isWoken) {
      resolve();
      return;
    }
    const { timer } = loop.ports;
    const untilBeat = loop.nextBeat - timer.monotonic();
    const wait = untilBeat > 0 ? untilBeat : loop.rules.pollMilliseconds;
    const callOff = timer.after(wait, resolve);
    loop.endRest = () => {
      callOff();
      resolve();
    };
  });
  loop.isWoken = false;
}

/** Asks where it is time to, and takes what there is room for. @returns whether it tried to. */
async function step(loop: Loop): Promise<boolean> {
  const { concurrency, pollMilliseconds } = loop.rules;
  const open = loop.lanes.filter((lane) => roomOf(lane, concurrency) > 0);
  const now = loop.ports.timer.monotonic();
  const asked = now >= loop.nextBeat ? open : open.filter(isThirsty);
  if (asked.length > 0) {
    loop.nextBeat = now + pollMilliseconds;
    await ask(loop, asked);
  }
  const ids = open.flatMap((lane) => choose(lane, concurrency));
  if (ids.length === 0) return false;
  const taken = await loop.leases.take(ids);
  if (taken.kind === 'unknown') {
    stall(loop, taken.cause);
    return false;
  }
  for (const lane of open) {
    const { receiver } = lane;
    lane.waiting.push(...taken.value.filter(({ reminder }) => reminder.receiver === receiver));
    if (!loop.stopping) beginAll(loop, lane);
  }
  return true;
}

async function ask(loop: Loop, asked: readonly Lane[]): Promise<void> {
  const { reminders, timer } = loop.ports;
  const askedAt = timer.monotonic();
  const now = loop.clock.now();
  if (now === undefined) {
    const read = await reminders.clock();
    if (read.kind === 'unknown') stall(loop, read.cause);
    else loop.clock.learn(read.value, askedAt);
    return;
  }
  const receivers = asked.map(({ receiver }) => receiver);
  const found = await reminders.due({ receivers, before: ahead(now), limit: pageSize });
  if (found.kind === 'unknown') {
    stall(loop, found.cause);
    return;
  }
  loop.isStalled = false;
  const { candidates, now: told } = found.value;
  if (told !== undefined) loop.clock.learn(told, askedAt);
  for (const lane of asked) {
    const its = candidates.filter(({ receiver }) => receiver === lane.receiver);
    // In an order of its own, so that two processes do not reach for the same ones.
    lane.candidates = shuffled(its, timer.random).map(({ id }) => id);
    lane.more = candidates.length >= pageSize;
  }
}

function ahead(now: Instant): Instant {
  return parseInstant(now + aheadMs) ?? now;
}

function stall(loop: Loop, cause: string): void {
  if (!loop.isStalled) loop.report({ kind: 'reminders-stalled', cause });
  loop.isStalled = true;
}

function beginAll(loop: Loop, lane: Lane): void {
  const { concurrency } = loop.rules;
  begin(
    lane,
    concurrency,
    (lease) => carry(loop, lane, lease),
    () => {
      if (isReady(lane, concurrency)) wake(loop);
    },
  );
}

async function carry(loop: Loop, lane: Lane, lease: Lease): Promise<void> {
  const { reminder, signal } = lease;
  try {
    const settlement = await deliver(reminder, lane.receive, {
      sentAt: loop.clock.now() ?? reminder.dueAt,
      signal,
      patience: loop.rules.patience,
      random: loop.ports.timer.random,
    });
    // A delivery that was cut off has not failed.
    const settled = signal.aborted && isSetback(settlement) ? released(lease) : settlement;
    if (!(await loop.leases.end(lease, settled))) return;
    tell(loop, settled);
    if (isBehind(loop, settled)) {
      lane.candidates = [...lane.candidates, reminder.id];
      wake(loop);
    }
  } catch (error) {
    loop.report(defectOf(error));
  }
}

/** Its next occurrence is due already: catching up does not wait for a beat each time. */
function isBehind({ clock }: Loop, settlement: Settlement): boolean {
  if (settlement.kind !== 'advanced') return false;
  const now = clock.now();
  return now !== undefined && settlement.dueAt <= now;
}

function isSetback({ kind }: Settlement): boolean {
  return kind === 'retry' || kind === 'suspended';
}

function released({ reminder: { id, lease } }: Lease): Settlement {
  return { id, lease, kind: 'released' };
}

function tell({ report }: Loop, settlement: Settlement): void {
  if (settlement.kind !== 'retry' && settlement.kind !== 'suspended') return;
  const { id: reminder, attempts, cause } = settlement;
  const kind = settlement.kind === 'retry' ? 'reminder-failed' : 'reminder-suspended';
  report({ kind, reminder, attempts, cause });
}

/** Gives back what has not begun and lets the rest end, cutting it off in the end (5). */
async function windUp({ lanes, leases, ports: { timer }, rules }: Loop): Promise<void> {
  const unbegun = lanes.flatMap((lane) => lane.waiting.splice(0));
  const ends = unbegun.map((lease) => leases.end(lease, released(lease)));
  const underWay = lanes.flatMap((lane) => Array.from(lane.underWay));
  await new Promise<void>((resolve) => {
    const callOffs = [
      timer.after(rules.stopWithinMilliseconds, leases.cutOff),
      timer.after(rules.stopWithinMilliseconds + noticeMs, resolve),
    ];
    void Promise.allSettled([...ends, ...underWay]).then(() => {
      for (const callOff of callOffs) callOff();
      resolve();
    });
  });
  leases.stop();
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
