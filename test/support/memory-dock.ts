/** The dock's slots and its ledger in memory: every call is one indivisible step. */
import type { BookingEntry, DockSlot, SlotId } from '../../src/domain/dock-slot.ts';
import type { DockLedger, DockSlotStore, SlotRead } from '../../src/inventory/dock-ports.ts';
import type { Clock } from './memory-records.ts';
import { found, lost, missing, recorded } from './memory-records.ts';

export function memorySlots(slots: Map<SlotId, DockSlot>, clock: Clock): DockSlotStore {
  const written = Promise.resolve({ kind: 'written' } as const);
  return {
    read: (id) => {
      const slot = slots.get(id);
      return slot === undefined ? missing : found<SlotRead>({ slot, now: clock.now });
    },
    create: (slot) => {
      if (slots.has(slot.id)) return lost;
      slots.set(slot.id, slot);
      return written;
    },
    swap: ({ before, after, until }) => {
      const standing = slots.get(before.id);
      const isUnmoved =
        standing?.version === before.version && standing.lastActionId === before.lastActionId;
      if (!isUnmoved || (until !== undefined && clock.now >= until)) return lost;
      if (after.seats.length > after.capacity) throw new RangeError('more seats than capacity');
      slots.set(after.id, after);
      return written;
    },
    list: ({ limit }) =>
      found(
        Array.from(slots.values(), (slot) => ({ slot, now: clock.now }))
          .toSorted((one, other) => one.slot.startsAt - other.slot.startsAt)
          .slice(0, limit),
      ),
  };
}

/** @param entries by hold and event. */
export function memoryBookings(entries: Map<string, BookingEntry>): DockLedger {
  return {
    record: (entered) =>
      recorded(() => {
        for (const entry of entered) {
          const key = `${entry.booking.hold} ${entry.event}`;
          if (!entries.has(key)) entries.set(key, entry);
        }
      }),
    ofHold: (hold) =>
      found(Array.from(entries.values()).filter(({ booking }) => booking.hold === hold)),
  };
}
