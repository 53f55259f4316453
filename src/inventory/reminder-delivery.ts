/** One delivery of a reminder: what the receiver is told, and what follows from its answer. */
import { v5 as uuidOf } from 'uuid';
import type { Actor, Instant } from '../domain/ids.ts';
import type { Patience, ReminderId } from '../domain/reminder.ts';
import { afterFailure, occurrenceOf, onwardFrom, reminderNameOf } from '../domain/reminder.ts';
import type { Settlement, TakenReminder } from './reminder-ports.ts';
import { parseRecurrence } from './schedule.ts';

/** What a receiver is told. The same occurrence always comes under the same id. */
export interface Delivery {
  readonly deliveryId: string;
  readonly id: ReminderId;
  readonly actor: Actor;
  readonly name: string;
  readonly key?: string;
  /** When this occurrence was due. */
  readonly dueAt: Instant;
  /** 1 for the first; attempts that nobody lived to report are not counted. */
  readonly attempt: number;
  /** The JSON text that the reminder was set with. */
  readonly payload?: string;
  /** The database's clock, as near as this process knows it. */
  readonly sentAt: Instant;
}

export type Delivered =
  { readonly kind: 'done' } | { readonly kind: 'failed'; readonly cause: string };

/** Ends soon after the signal; what it has done by then may be delivered again. */
export type Deliver = (delivery: Delivery, signal: AbortSignal) => Promise<Delivered>;

const deliveryNamespace = '8c4f3f4e-0c1b-4a53-9d5b-6a3c1f2be6a7';
const causeLimit = 300;

/** @returns what becomes of the lease. Without effect where the lease was lost meanwhile. */
export async function deliver(
  reminder: TakenReminder,
  receive: Deliver,
  context: {
    readonly sentAt: Instant;
    readonly signal: AbortSignal;
    readonly patience: Patience;
    readonly random: () => number;
  },
): Promise<Settlement> {
  const { id, lease, recurring, attempts } = reminder;
  const failed = (cause: string): Settlement => ({
    id,
    lease,
    ...afterFailure(attempts, context.patience, context.random()),
    cause: cause.slice(0, causeLimit),
  });
  const parsed = recurring === undefined ? undefined : parseRecurrence(recurring);
  // It was parsed when it was set; only zone data that lost a zone gets here.
  if (parsed?.kind === 'invalid') return failed(`${parsed.member} ${parsed.message}`);
  const recurrence = parsed?.startingAt(reminder.firstDueAt);
  const occurrence = occurrenceOf(reminder, recurrence);
  const delivery = deliveryOf(reminder, occurrence, context.sentAt);
  const delivered = await attempt(receive, delivery, context.signal);
  if (delivered.kind === 'failed') return failed(delivered.cause);
  return { id, lease, ...onwardFrom(occurrence, reminder, recurrence) };
}

function deliveryOf(reminder: TakenReminder, dueAt: Instant, sentAt: Instant): Delivery {
  const { id, armedBy, attempts, payload } = reminder;
  return {
    deliveryId: uuidOf(JSON.stringify([id, armedBy, dueAt]), deliveryNamespace),
    id,
    ...reminderNameOf(id),
    dueAt,
    attempt: attempts + 1,
    ...(payload !== undefined && { payload }),
    sentAt,
  };
}

async function attempt(
  receive: Deliver,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Delivered> {
  try {
    return await receive(delivery, signal);
  } catch (defect) {
    return { kind: 'failed', cause: defect instanceof Error ? defect.message : String(defect) };
  }
}
