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
import { begin, choose, idle, isReady, isThirsty, newLane, roomOf } from './reminder-lane.ts';
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
  pollMilliseconds: 1_250,
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
      const ends = [giveBack(loop)];
      wake(loop);
      await running;
      // What was just being taken has come in by now.
      ends.push(giveBack(loop));
      await windUp(loop, ends);
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
  const chosen = open.map((lane) => ({ lane, ids: choose(lane, concurrency) }));
  const ids = chosen.flatMap((some) => some.ids);
  if (ids.length === 0) return false;
  const taken = await loop.leases.take(ids);
  if (taken.kind === 'unknown') {
    stall(loop, taken.cause);
    return false;
  }
  for (const { lane, ids } of chosen) {
    const its = taken.value.filter(({ reminder }) => reminder.receiver === lane.receiver);
    // Somebody else has come by here: what is left of these is theirs by now.
    if (lane.more && its.length < ids.length / 2) lane.candidates = [];
    lane.waiting.push(...its);
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
    lane.candidates = turned(its, timer.random()).map(({ id }) => id);
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

/** @returns what writes down how it went. */
async function carry(loop: Loop, lane: Lane, lease: Lease): Promise<() => Promise<void>> {
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
    return () => conclude(loop, lane, lease, settled);
  } catch (error) {
    loop.report(defectOf(error));
    return () => Promise.resolve();
  }
}

async function conclude(loop: Loop, lane: Lane, lease: Lease, settled: Settlement): Promise<void> {
  try {
    if (!(await loop.leases.end(lease, settled))) return;
  } catch (error) {
    loop.report(defectOf(error));
    return;
  }
  tell(loop, settled);
  if (isBehind(loop, settled)) {
    lane.candidates = [...lane.candidates, lease.reminder.id];
    wake(loop);
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

/** What has not begun yet, for others to deliver. */
async function giveBack({ lanes, leases }: Loop): Promise<void> {
  const unbegun = lanes.flatMap((lane) => lane.waiting.splice(0));
  await Promise.allSettled(unbegun.map((lease) => leases.end(lease, released(lease))));
}

/** Lets what is under way end, and cuts it off when that takes too long (5). */
async function windUp(
  { lanes, leases, ports: { timer }, rules }: Loop,
  ends: readonly Promise<void>[],
): Promise<void> {
  await new Promise<void>((resolve) => {
    const callOffs = [
      timer.after(rules.stopWithinMilliseconds, leases.cutOff),
      timer.after(rules.stopWithinMilliseconds + noticeMs, resolve),
    ];
    void Promise.all([...ends, ...lanes.map(idle)]).then(() => {
      for (const callOff of callOffs) callOff();
      resolve();
    });
  });
  leases.stop();
}

/** From a place of its own on, so that two processes do not reach for the same ones first. */
function turned<T>(items: readonly T[], random: number): readonly T[] {
  const first = Math.floor(items.length * random);
  return [...items.slice(first), ...items.slice(0, first)];
}
