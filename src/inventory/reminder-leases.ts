/**
 * The leases that this process holds.
 *
 * 1. A lease is sure from before it was asked for until its length has passed, by the monotonic
 *    clock. It is used only while it is sure, so never while somebody else may hold the reminder.
 * 2. All leases are renewed together, three times within their length. One that is not is cut off
 *    at the moment when it is no longer sure, whatever the database does.
 * 3. How a lease ends is written until that is known or the lease is no longer sure.
 */
import { v7 as uuid } from 'uuid';
import type { ReminderId } from '../domain/reminder.ts';
import { afterUnknown, jittered } from './backoff.ts';
import { inBulk } from './bulk.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Read, Recorded } from './ports.ts';
import type { Report } from './reminder-events.ts';
import { defectOf } from './reminder-events.ts';
import type { ReminderPorts, Settlement, TakenReminder } from './reminder-ports.ts';

export interface Lease {
  readonly reminder: TakenReminder;
  /** Aborted when the lease is lost, or when a stop has no more patience. */
  readonly signal: AbortSignal;
  /** Whether nobody else can hold the reminder. */
  readonly isSure: () => boolean;
}

export interface Leases {
  readonly take: (ids: readonly ReminderId[]) => Promise<Read<readonly Lease[]>>;
  /** @returns whether it is known to be written. */
  readonly end: (lease: Lease, settlement: Settlement) => Promise<boolean>;
  /** Cuts off what is under way; from now on the end of a lease is tried once. */
  readonly cutOff: () => void;
  readonly stop: () => void;
}

interface Held extends Lease {
  sureUntil: number;
  readonly cut: AbortController;
}

interface Holder {
  readonly ports: ReminderPorts;
  readonly clock: DatabaseClock;
  readonly report: Report;
  readonly lengthMs: number;
  readonly settle: (settlements: readonly Settlement[]) => Promise<Recorded>;
  readonly held: Map<ReminderId, Held>;
  isCutOff: boolean;
  isRenewing: boolean;
  /** Calls off the next look; there is one while anything is held. */
  callOff: (() => void) | undefined;
}

const renewalsALease = 3;
const settleRules = { underWayLimit: 1, itemsLimit: 200 } as const;

export function createLeases(
  ports: ReminderPorts,
  clock: DatabaseClock,
  report: Report,
  lengthMs: number,
): Leases {
  const holder: Holder = {
    ports,
    clock,
    report,
    lengthMs,
    settle: inBulk(settleRules, ports.reminders.settle),
    held: new Map(),
    isCutOff: false,
    isRenewing: false,
    callOff: undefined,
  };
  return {
    take: (ids) => take(holder, ids),
    end: (lease, settlement) => end(holder, lease, settlement),
    cutOff: () => {
      holder.isCutOff = true;
      for (const { cut } of holder.held.values()) cut.abort();
    },
    stop: () => {
      holder.callOff?.();
    },
  };
}

async function take(holder: Holder, ids: readonly ReminderId[]): Promise<Read<readonly Lease[]>> {
  const { ports, clock, lengthMs } = holder;
  const askedAt = ports.timer.monotonic();
  const asked = await ports.reminders.take({ ids, lease: uuid(), forMilliseconds: lengthMs });
  if (asked.kind === 'unknown') return asked;
  const { taken, now } = asked.value;
  if (now !== undefined) clock.learn(now, askedAt);
  const leases = taken.map((reminder) => hold(holder, reminder, askedAt + lengthMs));
  return { kind: 'found', value: leases };
}

function hold(holder: Holder, reminder: TakenReminder, sureUntil: number): Lease {
  const { timer } = holder.ports;
  const cut = new AbortController();
  const lease: Held = {
    reminder,
    sureUntil,
    cut,
    signal: cut.signal,
    isSure: () => timer.monotonic() < lease.sureUntil,
  };
  // An earlier lease of this process on the same reminder must have run out.
  const earlier = holder.held.get(reminder.id);
  if (earlier !== undefined) lose(holder, earlier);
  holder.held.set(reminder.id, lease);
  lookLater(holder);
  return lease;
}

async function end(holder: Holder, lease: Lease, settlement: Settlement): Promise<boolean> {
  const { timer } = holder.ports;
  try {
    for (let tries = 0; lease.isSure(); tries += 1) {
      const settled = await holder.settle([settlement]);
      if (settled.kind === 'recorded') return true;
      if (holder.isCutOff) return false;
      await timer.pause(jittered(afterUnknown, tries, timer.random()));
    }
    return false;
  } finally {
    letGo(holder, lease);
  }
}

function lose(holder: Holder, lease: Held): void {
  lease.sureUntil = -Infinity;
  lease.cut.abort();
  letGo(holder, lease);
}

function letGo({ held }: Holder, { reminder }: Lease): void {
  if (held.get(reminder.id)?.reminder.lease === reminder.lease) held.delete(reminder.id);
}

/** Looks after the leases in time to renew them, and at the moment when one runs out. */
function lookLater(holder: Holder): void {
  if (holder.callOff !== undefined || holder.held.size === 0) return;
  const { timer } = holder.ports;
  const ends = Array.from(holder.held.values(), ({ sureUntil }) => sureUntil);
  const untilEnd = Math.max(1, Math.min(...ends) - timer.monotonic());
  holder.callOff = timer.after(Math.min(holder.lengthMs / renewalsALease, untilEnd), () => {
    holder.callOff = undefined;
    for (const lease of holder.held.values()) if (!lease.isSure()) lose(holder, lease);
    void renewAll(holder).catch((error: unknown) => {
      holder.report(defectOf(error));
    });
    lookLater(holder);
  });
}

/** One renewal at a time: while it is under way, leases may well run out. */
async function renewAll(holder: Holder): Promise<void> {
  if (holder.isRenewing || holder.held.size === 0) return;
  holder.isRenewing = true;
  try {
    const { ports, lengthMs } = holder;
    const askedAt = ports.timer.monotonic();
    const asked = Array.from(holder.held.values());
    const holdings = asked.map(({ reminder: { id, lease } }) => ({ id, lease }));
    const renewed = await ports.reminders.renew(holdings, lengthMs);
    if (renewed.kind === 'unknown') return;
    for (const lease of asked) {
      if (!lease.isSure()) continue;
      if (renewed.value.has(lease.reminder.id)) lease.sureUntil = askedAt + lengthMs;
      else lose(holder, lease);
    }
  } finally {
    holder.isRenewing = false;
  }
}
