/** One receiver's reminders in this process: known to be due, taken, under way. */
import type { ReminderId } from '../domain/reminder.ts';
import type { Deliver } from './reminder-delivery.ts';
import type { Lease } from './reminder-leases.ts';
import type { Receiver } from './reminder-ports.ts';

export interface Lane {
  readonly receiver: Receiver;
  readonly receive: Deliver;
  /** Due when it was last asked; whether they still are shows when they are taken. */
  candidates: readonly ReminderId[];
  /** There may be more than were told of. */
  more: boolean;
  /** Taken and not begun. */
  readonly waiting: Lease[];
  readonly underWay: Set<Promise<void>>;
}

export function newLane(receiver: Receiver, receive: Deliver): Lane {
  return {
    receiver,
    receive,
    candidates: [],
    more: false,
    waiting: [],
    underWay: new Set(),
  };
}

/** Filled up when it is half empty, so that a take is worth its question. */
export function roomOf({ waiting, underWay }: Lane, concurrency: number): number {
  const stock = waiting.length + underWay.size;
  return stock > 2 * concurrency ? 0 : 4 * concurrency - stock;
}

/** Its candidates are used up, and there may be more. */
export function isThirsty({ candidates, more }: Lane): boolean {
  return more && candidates.length === 0;
}

/** Whether it has room and something to fill it with. */
export function isReady(lane: Lane, concurrency: number): boolean {
  return roomOf(lane, concurrency) > 0 && (lane.more || lane.candidates.length > 0);
}

/** Takes out as many candidates as there is room for. */
export function choose(lane: Lane, concurrency: number): readonly ReminderId[] {
  const room = roomOf(lane, concurrency);
  const chosen = lane.candidates.slice(0, room);
  lane.candidates = lane.candidates.slice(room);
  return chosen;
}

/** Begins what waits, as far as it may. @param then is called after each end. */
export function begin(
  lane: Lane,
  concurrency: number,
  carry: (lease: Lease) => Promise<void>,
  then: () => void,
): void {
  while (lane.underWay.size < concurrency) {
    const lease = lane.waiting.shift();
    if (lease === undefined) return;
    if (!lease.isSure()) continue;
    const delivery = carry(lease).finally(() => {
      lane.underWay.delete(delivery);
      begin(lane, concurrency, carry, then);
      then();
    });
    lane.underWay.add(delivery);
  }
}
