/**
 * Tells the webhook which holds have lapsed. Nothing is written when a hold lapses, so they are
 * looked for; one alarm looks for all of them, and carries in its payload how far it has come.
 *
 * 1. A round that is due at d covers the holds that lapsed at e with c1 < e ≤ c2, where c1 is where
 *    the round before ended and c2 = d − 15 s. By then no statement is under way that could still
 *    change a hold that lapsed at e.
 * 2. A hold that lapsed stands in its document until a write prunes it, at m > e, by a movement.
 *    A round reads the documents, then the clock (r2), then the movements with c1 < m ≤ c2.
 * 3. Of those movements the ones with e > c1 were pruned before this round read their documents,
 *    so the movements alone tell of them. The ones with c0 < e ≤ c1 the round before has seen in
 *    their documents, unless m ≤ r1. Older ones were seen by a round before that: rounds are further
 *    apart than 15 s, so m > c1 > r0.
 * 4. The alarm is set anew, with the new c1 and r1, only after the webhook has taken everything; a
 *    round that fails comes again with the same range, under the same ids of delivery.
 *
 * So each hold that lapsed is told at least once, and usually once; one that was committed,
 * released or prolonged in time never is.
 */
import { v5 as uuidOf } from 'uuid';
import { z } from 'zod';
import type { Instant, LocationId, Sku } from '../domain/ids.ts';
import { holdsActor, parseInstant } from '../domain/ids.ts';
import { reminderIdOf } from '../domain/reminder.ts';
import type { ReservationId } from '../domain/reservation.ts';
import type { Ledger, MovementPlace, Read, Recorded } from './ports.ts';
import type { Deliver, Delivered, Delivery } from './reminder-delivery.ts';
import type { ReminderStore } from './reminder-ports.ts';
import type { Alarms } from './reminders.ts';

export interface LapsedHold {
  readonly id: ReservationId;
  readonly sku: Sku;
  readonly location: LocationId;
  readonly quantity: number;
  readonly expiresAt: Instant;
}

/** Holds that stand in their documents and lapsed after one instant, up to another. */
export type ReadLapsedHolds = (range: {
  readonly after: Instant;
  readonly through: Instant;
}) => Promise<Read<readonly LapsedHold[]>>;

export interface LapsedHoldParts {
  readonly reminders: Pick<Alarms, 'arm'>;
  readonly store: Pick<ReminderStore, 'find' | 'clock'>;
  readonly readStanding: ReadLapsedHolds;
  readonly ledger: Pick<Ledger, 'search'>;
  /** The instant up to which every movement is in the ledger. */
  readonly settledThrough: () => Promise<Read<Instant>>;
  readonly webhook: Deliver;
}

export interface LapsedHolds {
  /** Sets the alarm where none stands; a suspended one goes on from where it had come. */
  readonly arm: () => Promise<Recorded>;
  readonly deliver: Deliver;
}

const settlingMilliseconds = 15_000;
/** More than the settling (3). */
const betweenRoundsMilliseconds = 60_000;
const holdsAtOnce = 500;
const movementsRead = 500;
const alarm = { actor: holdsActor, name: 'lapsed' };

interface Cursor {
  readonly before: Instant;
  readonly covered: Instant;
  readonly readAt: Instant;
}

export function createLapsedHolds(parts: LapsedHoldParts): LapsedHolds {
  const { store } = parts;
  return {
    arm: async () => {
      const id = reminderIdOf(alarm);
      if (id === undefined) throw new TypeError('the alarm has a name');
      const standing = await store.find(id);
      if (standing.kind === 'unknown') return standing;
      if (standing.kind === 'found') {
        const { state, payload } = standing.value.reminder;
        return state === 'armed' ? { kind: 'recorded' } : rearm(parts, cursorOf(payload));
      }
      const now = await store.clock();
      if (now.kind === 'unknown') return now;
      return rearm(parts, { before: now.value, covered: now.value, readAt: now.value });
    },
    deliver: (delivery, signal) => drain(parts, delivery, signal),
  };
}

function rearm({ reminders }: LapsedHoldParts, cursor: Cursor): Promise<Recorded> {
  const due = { afterMilliseconds: betweenRoundsMilliseconds };
  return reminders.arm({ ...alarm, due, payload: JSON.stringify(cursor) });
}

async function drain(
  parts: LapsedHoldParts,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Delivered> {
  const cursor = cursorOf(delivery.payload);
  const through = instantOf(delivery.dueAt - settlingMilliseconds);
  const found = await lapsed(parts, cursor, through);
  if (found.kind === 'unknown') return { kind: 'failed', cause: found.cause };
  const { holds, readAt } = found.value;
  for (let first = 0; first < holds.length; first += holdsAtOnce) {
    const told = await tell(parts, delivery, holds.slice(first, first + holdsAtOnce), signal);
    if (told.kind === 'failed') return told;
  }
  const covered = instantOf(Math.max(through, cursor.covered));
  const armed = await rearm(parts, { before: cursor.covered, covered, readAt });
  return armed.kind === 'unknown' ? { kind: 'failed', cause: armed.cause } : { kind: 'done' };
}

/** A part that comes again has the same id; one that tells of other holds has another. */
function tell(
  { webhook }: LapsedHoldParts,
  delivery: Delivery,
  holds: readonly LapsedHold[],
  signal: AbortSignal,
): Promise<Delivered> {
  const deliveryId = uuidOf(holds.map(({ id }) => id).join(), delivery.deliveryId);
  const said = holds.map(({ expiresAt, ...hold }) => ({
    ...hold,
    expiresAt: new Date(expiresAt).toISOString(),
  }));
  return webhook({ ...delivery, deliveryId, payload: JSON.stringify({ holds: said }) }, signal);
}

interface Found {
  /** In the order in which they lapsed. */
  readonly holds: readonly LapsedHold[];
  readonly readAt: Instant;
}

async function lapsed(
  parts: LapsedHoldParts,
  cursor: Cursor,
  through: Instant,
): Promise<Read<Found>> {
  const { readStanding, store } = parts;
  const standing = await readStanding({ after: cursor.covered, through });
  if (standing.kind === 'unknown') return standing;
  const read = await store.clock();
  if (read.kind === 'unknown') return read;
  const settled = await parts.settledThrough();
  if (settled.kind === 'unknown') return settled;
  const pruned = await prunedSince(parts, cursor, through);
  if (pruned.kind === 'unknown') return pruned;
  const byId = new Map([...standing.value, ...pruned.value].map((hold) => [hold.id, hold]));
  const holds = Array.from(byId.values()).toSorted(
    (one, other) => one.expiresAt - other.expiresAt || (one.id < other.id ? -1 : 1),
  );
  return { kind: 'found', value: { holds, readAt: read.value } };
}

/** What was pruned since, and nobody has seen standing (3). */
async function prunedSince(
  { ledger }: LapsedHoldParts,
  { before, covered, readAt }: Cursor,
  through: Instant,
): Promise<Read<readonly LapsedHold[]>> {
  const holds: LapsedHold[] = [];
  const query = { type: 'expire', from: instantOf(covered + 1), to: through } as const;
  let after: MovementPlace | undefined;
  for (;;) {
    const page = await ledger.search({ ...query, limit: movementsRead, ...(after && { after }) });
    if (page.kind === 'unknown') return page;
    for (const { sku, at, ordinal, reservation } of page.value) {
      after = { sku, at, ordinal };
      const lapsedAt = reservation?.expiresAt;
      if (reservation === undefined || lapsedAt === undefined || lapsedAt === null) continue;
      const isUnseen = lapsedAt > covered || (lapsedAt > before && at <= readAt);
      if (!isUnseen) continue;
      const { id, location, quantity } = reservation;
      holds.push({ id, sku, location, quantity, expiresAt: lapsedAt });
    }
    if (page.value.length < movementsRead) return { kind: 'found', value: holds };
  }
}

const milliseconds = z.int().transform(instantOf);
const cursorShape = z.object({ before: milliseconds, covered: milliseconds, readAt: milliseconds });

/** @throws where the text is none that the service has written. */
function cursorOf(payload = ''): Cursor {
  return cursorShape.parse(JSON.parse(payload));
}

function instantOf(value: number): Instant {
  const instant = parseInstant(value);
  if (instant === undefined) throw new TypeError(`${value} is no instant`);
  return instant;
}
