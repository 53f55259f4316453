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
 * 4. A delivery tells of at most 500 holds, in the order of their ends, and only after the webhook
 *    has taken them is the alarm set anew: at once, with the same c1 and c2 and the last hold that
 *    was told, where more are left; else a minute later with the next range. One that fails comes
 *    again with the same holds under the same id, and nothing that was taken comes again with it.
 * 5. A round in several deliveries reads for each; r is when the last of them had read. What was
 *    pruned between two of them after c2, untold, the next round finds by 3.
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

interface Place {
  readonly expiresAt: Instant;
  readonly id: string;
}

interface Cursor {
  readonly before: Instant;
  readonly covered: Instant;
  readonly readAt: Instant;
  /** Of a round that is not over: where it ends, and the last hold that was told (4). */
  readonly told?: { readonly through: Instant; readonly last: Place } | undefined;
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
    deliver: (delivery, signal) => tellSome(parts, delivery, signal),
  };
}

function rearm(
  { reminders }: LapsedHoldParts,
  cursor: Cursor,
  afterMilliseconds = betweenRoundsMilliseconds,
): Promise<Recorded> {
  return reminders.arm({ ...alarm, due: { afterMilliseconds }, payload: JSON.stringify(cursor) });
}

/** One part of a round (4). */
async function tellSome(
  parts: LapsedHoldParts,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Delivered> {
  const cursor = cursorOf(delivery.payload);
  const { covered, told } = cursor;
  const through =
    told?.through ?? instantOf(Math.max(delivery.dueAt - settlingMilliseconds, covered));
  const found = await lapsed(parts, cursor, through);
  if (found.kind === 'unknown') return { kind: 'failed', cause: found.cause };
  const { holds, readAt } = found.value;
  const left = told === undefined ? holds : holds.filter((hold) => inOrder(told.last, hold) < 0);
  const part = left.slice(0, holdsAtOnce);
  const last = part.at(-1);
  if (last !== undefined) {
    const taken = await tell(parts, delivery, part, signal);
    if (taken.kind === 'failed') return taken;
  }
  const isOver = last === undefined || left.length === part.length;
  const armed = isOver
    ? await rearm(parts, { before: covered, covered: through, readAt })
    : await rearm(parts, { ...cursor, told: { through, last: placeOf(last) } }, 0);
  return armed.kind === 'unknown' ? { kind: 'failed', cause: armed.cause } : { kind: 'done' };
}

function placeOf({ expiresAt, id }: LapsedHold): Place {
  return { expiresAt, id };
}

function inOrder(one: Place, other: Place): number {
  return one.expiresAt - other.expiresAt || (one.id < other.id ? -1 : Number(one.id > other.id));
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
  const holds = Array.from(byId.values()).toSorted(inOrder);
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
const cursorShape = z.object({
  before: milliseconds,
  covered: milliseconds,
  readAt: milliseconds,
  told: z
    .object({
      through: milliseconds,
      last: z.object({ expiresAt: milliseconds, id: z.string() }),
    })
    .optional(),
});

/** @throws where the text is none that the service has written. */
function cursorOf(payload = ''): Cursor {
  return cursorShape.parse(JSON.parse(payload));
}

function instantOf(value: number): Instant {
  const instant = parseInstant(value);
  if (instant === undefined) throw new TypeError(`${value} is no instant`);
  return instant;
}
