/**
 * Holds on dock slots: taken, confirmed or cancelled.
 *
 * 1. A request is recognised first, in the slot and then in the ledger of bookings: seats leave a
 *    slot only once the ledger tells of their hold.
 * 2. Claim, appointment on the order, entries of the holds that leave, the one write of the slot,
 *    its own entry, answer: in this order. Whoever comes after a crash goes on from what is there.
 * 3. A refusal rests on a read with the database's clock. One for which it got too late is not
 *    answered while an own write against that very version may land yet.
 * 4. Who finds the hold as it wants it writes nothing; the answer is kept for repeats.
 * 5. What is remembered of the slot's warehouse is dropped once a hold may have been confirmed or
 *    cancelled, before that is answered.
 */
import type {
  Booking,
  BookingStatus,
  DockSlot,
  HoldId,
  SlotDecision,
} from '../domain/dock-slot.ts';
import {
  asConfirmed,
  asHeld,
  bookingFrom,
  bookingOf,
  cancelHold,
  confirmHold,
  entriesOf,
  hasEnded,
  slotOfHold,
  statusOf,
  takeSeats,
} from '../domain/dock-slot.ts';
import type { Instant } from '../domain/ids.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { QueryAnswer } from './answer.ts';
import type { Attempt } from './attempts.ts';
import type { Availability } from './availability.ts';
import { holdIdOf } from './dock-ids.ts';
import type {
  ChangeHold,
  DockPorts,
  HoldAnswer,
  HoldView,
  SlotRead,
  TakeHold,
} from './dock-ports.ts';
import type { KeyedRequest, Progress } from './keyed-request.ts';
import { claim, isCallers, lookUpClaim } from './keyed-request.ts';
import type { KeptAnswer, Lookup, Read, Recorded, Unknown } from './ports.ts';
import { unavailable } from './ticket.ts';

export interface HoldPorts extends Omit<DockPorts, 'mark' | 'timer'> {
  readonly availability: Pick<Availability<never>, 'drop'>;
}

/** What a request does to a hold, and how its own effect is found again. */
export interface HoldChange {
  readonly request: KeyedRequest;
  readonly hold: HoldId;
  /** undefined where there is no such hold. */
  readonly decide: (
    slot: DockSlot,
    booking: Booking | undefined,
    now: Instant,
  ) => SlotDecision | undefined;
  /** The hold as this request answered it first; undefined where it did nothing to it. */
  readonly firstAnswer: (booking: Booking) => Booking | undefined;
  readonly status: BookingStatus;
}

export function taking(request: TakeHold, seconds: number): HoldChange {
  const { actionId: action, digest, slot, seats, purchaseOrder } = request;
  const hold = holdIdOf(slot, action);
  const order = purchaseOrder === undefined ? {} : { purchaseOrder };
  return {
    request,
    hold,
    decide: (standing, booking, now) =>
      booking === undefined
        ? takeSeats(standing, { hold, digest, action, seats, seconds, ...order }, now)
        : { kind: 'standing', booking },
    firstAnswer: asHeld,
    status: 'held',
  };
}

export function confirming(request: ChangeHold): HoldChange {
  const { actionId: action, hold } = request;
  return {
    request,
    hold,
    decide: (slot, booking, now) => booking && confirmHold(slot, booking, action, now),
    firstAnswer: (booking) =>
      booking.confirmed?.action === action ? asConfirmed(booking) : undefined,
    status: 'confirmed',
  };
}

export function cancelling(request: ChangeHold): HoldChange {
  const { actionId: action, hold } = request;
  return {
    request,
    hold,
    decide: (slot, booking, now) => booking && cancelHold(slot, booking, action, now),
    firstAnswer: (booking) => (booking.cancelled?.action === action ? booking : undefined),
    status: 'cancelled',
  };
}

/** What this request has sent so far, over all its attempts. */
export interface HoldProgress extends Progress {
  /** The version against which a write went out whose answer was lost. */
  sentAgainst?: number;
}

export async function attemptHold(
  ports: HoldPorts,
  change: HoldChange,
  progress: HoldProgress,
): Promise<Attempt<HoldAnswer>> {
  const read = await ports.slots.read(slotOfHold(change.hold));
  if (read.kind === 'unknown') return read;
  const outcome = await attemptOn(ports, change, read, progress);
  // What is available is advice to who takes a seat; to who gives one back it is the effect (5).
  if (progress.mayHaveWritten && change.status !== 'held' && read.kind === 'found') {
    ports.availability.drop(read.value.slot.warehouse);
  }
  return outcome;
}

async function attemptOn(
  ports: HoldPorts,
  change: HoldChange,
  read: Exclude<Lookup<SlotRead>, Unknown>,
  progress: HoldProgress,
): Promise<Attempt<HoldAnswer>> {
  const { request, hold } = change;
  const standing = await lookUpClaim(ports.actions, request);
  if (standing.kind === 'unknown' || standing.kind === 'refused') return standing;
  if (read.kind === 'missing') return { kind: 'not-found' };
  const { slot, now } = read.value;
  // A hold is claimed before it is taken: without a claim there is none to look for.
  const isNew = change.status === 'held' && standing.kind === 'missing';
  const known = isNew ? missing : await lookUpBooking(ports, slot, hold);
  if (known.kind === 'unknown') return known;
  const booking = known.kind === 'found' ? known.value : undefined;
  if (booking !== undefined && tookSeatsLater(slot, booking, now)) return { kind: 'lost' };
  const isClaimed = standing.kind === 'found';
  const first = await firstAnswer(ports, change, booking, isClaimed);
  if (first.kind === 'unknown') return first;
  if (first.kind === 'found') return answer(first.value, !progress.mayHaveWritten);
  const decision = change.decide(slot, booking, now);
  if (decision === undefined) return { kind: 'not-found' };
  if (decision.kind === 'refused') return refuse(decision.refusal, slot, progress);
  if (!isClaimed) {
    const subject = { kind: 'dock-slot', slot: slot.id, hold } as const;
    const claimed = await claim(ports.actions, request, subject, progress);
    if (claimed.kind !== 'recorded') return claimed;
  }
  if (decision.kind === 'accepted') return write(ports, change, read.value, decision, progress);
  const view = { booking: decision.booking, status: statusOf(decision.booking, now) };
  const kept = await keepFirst(ports, request, view);
  if (kept.kind === 'unknown') return kept;
  return answer(kept.value, isClaimed && !progress.mayHaveClaimed);
}

const missing = { kind: 'missing' } as const;

/** Only what has ended leaves a slot: any other hold that it lacks came after it was read (1). */
function tookSeatsLater(slot: DockSlot, booking: Booking, now: Instant): boolean {
  const isLive = !hasEnded(booking) && statusOf(booking, now) !== 'expired';
  return isLive && bookingOf(slot, booking.hold) === undefined;
}

/** In the slot, else in the ledger (1). */
export async function lookUpBooking(
  { bookings }: Pick<DockPorts, 'bookings'>,
  slot: DockSlot,
  hold: HoldId,
): Promise<Lookup<Booking>> {
  const seated = bookingOf(slot, hold);
  if (seated !== undefined) return { kind: 'found', value: seated };
  const entries = await bookings.ofHold(hold);
  if (entries.kind === 'unknown') return entries;
  const left = bookingFrom(entries.value);
  return left === undefined ? { kind: 'missing' } : { kind: 'found', value: left };
}

/** What this request did to the hold, with its entries in the ledger, or what it was told (4). */
async function firstAnswer(
  { bookings, answers }: HoldPorts,
  { request: { actionId }, firstAnswer: first, status }: HoldChange,
  known: Booking | undefined,
  isClaimed: boolean,
): Promise<Lookup<HoldView>> {
  const booking = known && first(known);
  if (known !== undefined && booking !== undefined) {
    const entered = await bookings.record(entriesOf(known));
    return entered.kind === 'unknown' ? entered : { kind: 'found', value: { booking, status } };
  }
  if (!isClaimed) return missing;
  const kept = await answers.find(actionId);
  if (kept.kind === 'unknown') return kept;
  const value = keptIn(kept);
  return value === undefined ? missing : { kind: 'found', value };
}

function keptIn(kept: Exclude<Lookup<KeptAnswer>, Unknown>): HoldView | undefined {
  return kept.kind === 'found' && kept.value.kind === 'dock-hold' ? kept.value : undefined;
}

function answer({ booking, status }: HoldView, replayed: boolean): HoldAnswer {
  return { kind: 'hold', booking, status, replayed };
}

function refuse(
  refusal: Refusal,
  { version }: DockSlot,
  { sentAgainst }: HoldProgress,
): Attempt<HoldAnswer> {
  return sentAgainst === version // 3
    ? { kind: 'unknown', cause: 'an earlier write may land yet' }
    : { kind: 'refused', refusal };
}

/**
 * Another one saw to what the request wants: its answer stands nowhere else (4).
 * @returns the one that is kept; of requests under one key the first one's.
 */
async function keepFirst(
  { bookings, answers }: HoldPorts,
  { actionId }: KeyedRequest,
  view: HoldView,
): Promise<Read<HoldView>> {
  const entered = await bookings.record(entriesOf(view.booking));
  if (entered.kind === 'unknown') return entered;
  if (!isCallers(actionId)) return { kind: 'found', value: view };
  const kept = await answers.keep({ actionId, kind: 'dock-hold', ...view });
  if (kept.kind === 'unknown') return kept;
  const first = await answers.find(actionId);
  if (first.kind === 'unknown') return first;
  return { kind: 'found', value: keptIn(first) ?? view };
}

async function write(
  ports: HoldPorts,
  { status }: HoldChange,
  { slot: before }: SlotRead,
  decision: Extract<SlotDecision, { readonly kind: 'accepted' }>,
  progress: HoldProgress,
): Promise<Attempt<HoldAnswer>> {
  const { after, booking, until, leaving } = decision;
  if (status === 'held' && booking.purchaseOrder !== undefined) {
    const registered = await ports.appointments.register(booking.purchaseOrder, {
      hold: booking.hold,
      warehouse: before.warehouse,
    });
    if (registered.kind !== 'registered') return registered;
  }
  const left = await enter(ports, leaving);
  if (left.kind === 'unknown') return left;
  const written = await ports.slots.swap({
    before,
    after,
    ...(until === undefined ? {} : { until }),
  });
  if (written.kind === 'lost') return written;
  progress.mayHaveWritten = true;
  if (written.kind === 'unknown') {
    progress.sentAgainst = before.version;
    return written;
  }
  const entered = await enter(ports, [booking]);
  return entered.kind === 'unknown' ? entered : answer({ booking, status }, false);
}

function enter(
  { bookings }: Pick<DockPorts, 'bookings'>,
  ended: readonly Booking[],
): Promise<Recorded> {
  return ended.length === 0
    ? Promise.resolve({ kind: 'recorded' })
    : bookings.record(ended.flatMap(entriesOf));
}

export async function showHold(
  ports: Pick<DockPorts, 'slots' | 'bookings'>,
  hold: HoldId,
): Promise<QueryAnswer<HoldView>> {
  const read = await ports.slots.read(slotOfHold(hold));
  if (read.kind === 'unknown') return unavailable(read.cause);
  if (read.kind === 'missing') return { kind: 'not-found' };
  const { slot, now } = read.value;
  const known = await lookUpBooking(ports, slot, hold);
  switch (known.kind) {
    case 'found':
      return { kind: 'ok', value: { booking: known.value, status: statusOf(known.value, now) } };
    case 'missing':
      return { kind: 'not-found' };
    case 'unknown':
      return unavailable(known.cause);
  }
}
