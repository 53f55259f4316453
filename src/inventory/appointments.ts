/**
 * Puts a hold on the order that it names, before it takes a seat.
 *
 * 1. A swap of the order decides: an order that has ended by then takes none on. Whoever takes a
 *    seat has read its slot before, so that cancelling can shut out what it does not see.
 * 2. A request that dies in between leaves a hold on the order that has no seat: it shows nowhere,
 *    its retry finds it there, and it is over once the slot has begun.
 * 3. Only where an order has no room is it looked up what is over, and that leaves: neither a hold
 *    that has ended nor one whose slot has begun ever gets a seat again.
 */
import { registerAppointment, withoutAppointments } from '../domain/appointment.ts';
import type { HoldId } from '../domain/dock-slot.ts';
import { slotOfHold, statusOf } from '../domain/dock-slot.ts';
import type { PurchaseOrder } from '../domain/purchase-order.ts';
import { lookUpBooking } from './dock-holds.ts';
import type { Appointments, DockPorts } from './dock-ports.ts';
import type { OrderStore } from './order-ports.ts';
import type { Read } from './ports.ts';

export interface AppointmentPorts extends Pick<DockPorts, 'slots' | 'bookings'> {
  readonly orders: Pick<OrderStore, 'read' | 'swap'>;
}

export function createAppointments(ports: AppointmentPorts): Appointments {
  return {
    register: async (number, appointment) => {
      const read = await ports.orders.read(number);
      if (read.kind === 'unknown') return read;
      if (read.kind === 'missing') {
        return { kind: 'refused', refusal: { code: 'unknown-purchase-order', number } };
      }
      const { order } = read.value;
      const registration = registerAppointment(order, appointment);
      switch (registration.kind) {
        case 'standing':
          return registered;
        case 'refused':
          return registration;
        case 'full': {
          const room = await makeRoom(ports, order);
          if (room.kind === 'unknown') return room;
          if (room.value === order) return full;
          const written = await ports.orders.swap(read.value, room.value);
          // The next attempt finds the room.
          return written.kind === 'unknown' ? written : { kind: 'lost' };
        }
        case 'accepted': {
          const written = await ports.orders.swap(read.value, registration.order);
          return written.kind === 'written' ? registered : written;
        }
      }
    },
  };
}

const registered = { kind: 'registered' } as const;
const full = { kind: 'refused', refusal: { code: 'appointment-limit' } } as const;

/** @returns the order without what is over; itself where nothing is (3). */
async function makeRoom(
  ports: AppointmentPorts,
  order: PurchaseOrder,
): Promise<Read<PurchaseOrder>> {
  const over = new Set<HoldId>();
  for (const { hold } of order.appointments) {
    const known = await isOver(ports, hold);
    if (known.kind === 'unknown') return known;
    if (known.value) over.add(hold);
  }
  return { kind: 'found', value: over.size === 0 ? order : withoutAppointments(order, over) };
}

async function isOver(ports: AppointmentPorts, hold: HoldId): Promise<Read<boolean>> {
  const read = await ports.slots.read(slotOfHold(hold));
  if (read.kind === 'unknown') return read;
  if (read.kind === 'missing') return { kind: 'found', value: true };
  const { slot, now } = read.value;
  const known = await lookUpBooking(ports, slot, hold);
  if (known.kind === 'unknown') return known;
  if (known.kind === 'missing') return { kind: 'found', value: slot.startsAt <= now };
  const status = statusOf(known.value, now);
  return { kind: 'found', value: status === 'cancelled' || status === 'expired' };
}
