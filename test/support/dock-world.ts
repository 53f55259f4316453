/** The dock's ports in memory, one slot of it, and what is asked of it. */
import type { BookingEntry, DockSlot, HoldId, SlotId } from '../../src/domain/dock-slot.ts';
import { parseCapacity, parseSeatCount } from '../../src/domain/dock-slot.ts';
import type { ActionId, OrderNumber } from '../../src/domain/ids.ts';
import { parseWarehouseId } from '../../src/domain/ids.ts';
import { createAppointments } from '../../src/inventory/appointments.ts';
import { slotIdOf } from '../../src/inventory/dock-ids.ts';
import type {
  ChangeHold,
  DockPorts,
  SlotChange,
  TakeHold,
} from '../../src/inventory/dock-ports.ts';
import type { OrderRead } from '../../src/inventory/order-ports.ts';
import { requestDigest } from '../../src/inventory/request-digest.ts';
import { actionId, instant } from './actions.ts';
import { memoryBookings, memorySlots } from './memory-dock.ts';
import { memoryOrders } from './memory-receiving.ts';
import type { Clock } from './memory-records.ts';
import { memoryStock } from './memory-stock.ts';

export interface MemoryDock {
  readonly ports: Omit<DockPorts, 'timer'>;
  readonly slots: Map<SlotId, DockSlot>;
  readonly entries: Map<string, BookingEntry>;
  readonly orders: Map<OrderNumber, OrderRead>;
}

/** @param onSwapped is told of each write that landed. */
export function memoryDock(
  clock: Clock,
  onSwapped: (change: SlotChange) => void = () => undefined,
): MemoryDock {
  const slots = new Map<SlotId, DockSlot>();
  const entries = new Map<string, BookingEntry>();
  const orders = new Map<OrderNumber, OrderRead>();
  const { actions, answers, mark } = memoryStock({ clock, locations: [] }).ports;
  const standing = memorySlots(slots, clock);
  const swap: typeof standing.swap = (change) => {
    const written = standing.swap(change);
    // Told in the same step, before anything else can happen.
    if (slots.get(change.after.id) === change.after) onSwapped(change);
    return written;
  };
  const parts = { slots: { ...standing, swap }, bookings: memoryBookings(entries) };
  const appointments = createAppointments({ ...parts, orders: memoryOrders(orders, clock) });
  return { ports: { ...parts, appointments, actions, answers, mark }, slots, entries, orders };
}

/** A slot with nobody in it. */
export function emptySlot({
  capacity,
  startsAt,
}: {
  readonly capacity: number;
  readonly startsAt: number;
}): DockSlot {
  const room = parseCapacity(capacity);
  const warehouse = parseWarehouseId('W1');
  if (room === undefined || warehouse === undefined) throw new Error('a slot has room');
  const opened = actionId('opened');
  return {
    id: slotIdOf(opened),
    warehouse,
    startsAt: instant(startsAt),
    endsAt: instant(startsAt + 3_600_000),
    capacity: room,
    seats: [],
    version: 1,
    lastActionId: opened,
  };
}

export function toHold(
  slot: SlotId,
  key: string,
  seats = 1,
  purchaseOrder?: OrderNumber,
): TakeHold {
  const count = parseSeatCount(seats);
  if (count === undefined) throw new Error(`${seats} are too many or too few`);
  const order = purchaseOrder === undefined ? {} : { purchaseOrder };
  return {
    ...request('hold', actionId(key), { slot, seats, ...order }),
    slot,
    seats: count,
    ...order,
  };
}

export function toChange(what: 'confirm' | 'cancel', hold: HoldId, key: string): ChangeHold {
  return { ...request(what, actionId(key), { hold }), hold };
}

function request(operation: string, action: ActionId, body: object) {
  return { actionId: action, operation, digest: requestDigest(operation, {}, body) };
}
