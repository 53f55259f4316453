/**
 * What may happen to a slot, told apart from the code that makes it happen: a plain map of holds,
 * fed with each write that landed, and with what callers were told.
 *
 * 1. Live holds and confirmed ones never take more than there is room for.
 * 2. A hold takes its seats once in its life, all that were asked for, before the slot begins.
 * 3. Only a live hold is confirmed, before the slot begins; what has ended stays so.
 * 4. Seats leave when their hold has ended and its end is in the ledger.
 * 5. One write does one thing, for a request that somebody sent.
 */
import type { BookingEntry, Seat } from '../../src/domain/dock-slot.ts';
import type { SlotChange } from '../../src/inventory/dock-ports.ts';

type State = 'held' | 'confirmed' | 'cancelled';

export interface ModelHold {
  readonly seats: number;
  readonly until: number;
  /** As the last write left it; a hold that lapses is not written. */
  readonly state: State;
  /** The actions that brought it so far. */
  readonly by: readonly string[];
}

export interface DockModel {
  readonly holds: ReadonlyMap<string, ModelHold>;
  readonly faults: readonly string[];
  readonly writes: () => number;
  readonly taken: (now: number) => number;
  readonly swapped: (change: SlotChange) => void;
}

export function dockModel(
  capacity: number,
  clock: { readonly now: number },
  entries: () => ReadonlyMap<string, BookingEntry>,
): DockModel {
  const holds = new Map<string, ModelHold>();
  const faults: string[] = [];
  let writes = 0;
  const isLive = ({ state, until }: ModelHold): boolean =>
    state === 'confirmed' || (state === 'held' && until > clock.now);
  const taken = (): number =>
    Array.from(holds.values())
      .filter(isLive)
      .reduce((sum, { seats }) => sum + seats, 0);
  const wrong = (what: string): void => void faults.push(what);

  function takes(hold: string, seats: readonly Seat[], startsAt: number): void {
    if (holds.has(hold)) wrong(`2: ${hold} takes its seats once more`);
    if (clock.now >= startsAt) wrong(`2: ${hold} takes seats of a slot that has begun`);
    const [first] = seats;
    if (first === undefined) return;
    const { heldUntil: until, held } = first;
    holds.set(hold, { seats: seats.length, until, state: 'held', by: [held.action] });
  }

  function changes(hold: string, now: readonly Seat[], startsAt: number): string | undefined {
    const known = holds.get(hold);
    if (known === undefined) return `5: ${hold} was never held`;
    const [first] = now;
    if (first === undefined) return leaves(hold, known);
    if (now.length !== known.seats) return `3: ${hold} has ${now.length} of ${known.seats} seats`;
    const live = isLive(known);
    if (first.cancelled !== undefined) {
      holds.set(hold, { ...known, state: 'cancelled', by: [...known.by, first.cancelled.action] });
      return live ? undefined : `3: ${hold} is cancelled after its end`;
    }
    const { action = '' } = first.confirmed ?? {};
    holds.set(hold, { ...known, state: 'confirmed', by: [...known.by, action] });
    if (first.expiresAt !== null) return `3: ${hold} is confirmed and expires`;
    return live && known.state === 'held' && clock.now < startsAt
      ? undefined
      : `3: ${hold} is confirmed when it was ${known.state}, or too late`;
  }

  function leaves(hold: string, known: ModelHold): string | undefined {
    const end = known.state === 'cancelled' ? 'cancelled' : 'lapsed';
    if (isLive(known)) return `4: ${hold} loses its seats while it lives`;
    return entries().has(`${hold} ${end}`) ? undefined : `4: ${hold} leaves no trace of its end`;
  }

  return {
    holds,
    faults,
    writes: () => writes,
    taken,
    swapped: ({ before, after }) => {
      writes += 1;
      const acted: string[] = [];
      for (const hold of holdsIn(before.seats, after.seats)) {
        const [was, is] = [seatsOf(before.seats, hold), seatsOf(after.seats, hold)];
        if (JSON.stringify(was) === JSON.stringify(is)) continue;
        if (is.length > 0) acted.push(hold);
        if (was.length === 0) takes(hold, is, after.startsAt);
        else {
          const fault = changes(hold, is, after.startsAt);
          if (fault !== undefined) wrong(fault);
        }
      }
      if (acted.length !== 1) wrong(`5: one write for ${acted.length} holds`);
      if (taken() > capacity) wrong(`1: ${taken()} of ${capacity} seats are taken`);
    },
  };
}

function holdsIn(...seats: readonly (readonly Seat[])[]): ReadonlySet<string> {
  return new Set(seats.flat().map(({ hold }) => hold));
}

function seatsOf(seats: readonly Seat[], hold: string): readonly Seat[] {
  return seats.filter((seat) => seat.hold === hold);
}
