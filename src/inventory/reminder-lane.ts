/** One receiver's reminders in this process: known to be due, taken, under way, ending. */
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
  /** Delivered, and their leases not ended yet: so many ends go in one write. */
  readonly ending: Set<Promise<void>>;
}

export function newLane(receiver: Receiver, receive: Deliver): Lane {
  return {
    receiver,
    receive,
    candidates: [],
    more: false,
    waiting: [],
    underWay: new Set(),
    ending: new Set(),
  };
}

/** Filled up when it is half empty, so that a take is worth its question. */
export function roomOf({ waiting, underWay, ending }: Lane, concurrency: number): number {
  const stock = waiting.length + underWay.size + ending.size;
  return stock > 4 * concurrency ? 0 : 8 * concurrency - stock;
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

/**
 * Begins what waits, as far as it may.
 *
 * @param carry delivers. @returns what is left to do then, which holds up no other delivery.
 * @param then is called when there is room for more.
 */
export function begin(
  lane: Lane,
  concurrency: number,
  carry: (lease: Lease) => Promise<() => Promise<void>>,
  then: () => void,
): void {
  while (lane.underWay.size < concurrency) {
    const lease = lane.waiting.shift();
    if (lease === undefined) return;
    if (!lease.isSure()) continue;
    const delivery = carry(lease).then((end) => {
      const ending = end().finally(() => {
        lane.ending.delete(ending);
        then();
      });
      lane.ending.add(ending);
      lane.underWay.delete(delivery);
      begin(lane, concurrency, carry, then);
    });
    lane.underWay.add(delivery);
  }
}

/** Resolves when nothing of it is under way or ending. */
export async function idle({ underWay, ending }: Lane): Promise<void> {
  while (underWay.size + ending.size > 0) await Promise.allSettled([...underWay, ...ending]);
}
