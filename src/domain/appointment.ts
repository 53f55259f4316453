/**
 * Appointments of an order: holds at the dock that its deliveries have.
 *
 * 1. An order is told of a hold before the hold takes a seat, and only an open order takes one on.
 *    So a cancelled order knows every hold that has a seat for it, or may still get one.
 * 2. Once it is cancelled, each is given up; that it was is kept, so that nothing is waited for twice.
 * 3. What is over makes room for others, and nothing else does.
 */
import type { HoldId } from './dock-slot.ts';
import type { Appointment, PurchaseOrder } from './purchase-order.ts';
import { closed } from './purchase-order.ts';
import type { Refusal } from './refusal.ts';

/** So many appointments an order keeps; it bounds the document. */
export const appointmentsLimit = 200;
/** So many are given up at a time; what came of them is recorded together. */
const givenUpAtOnce = 20;

export type Registration =
  | { readonly kind: 'accepted'; readonly order: PurchaseOrder }
  /** It is there already. */
  | { readonly kind: 'standing' }
  /** There is no room, unless something is over. */
  | { readonly kind: 'full' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function registerAppointment(order: PurchaseOrder, appointment: Appointment): Registration {
  if (order.standing !== 'open') return { kind: 'refused', refusal: closed(order) };
  if (appointmentOf(order, appointment.hold) !== undefined) return { kind: 'standing' };
  const { appointments } = order;
  if (appointments.length >= appointmentsLimit) return { kind: 'full' };
  return { kind: 'accepted', order: { ...order, appointments: [...appointments, appointment] } };
}

export function appointmentOf(order: PurchaseOrder, hold: HoldId): Appointment | undefined {
  return order.appointments.find((appointment) => appointment.hold === hold);
}

/** The order without appointments that are over (3). */
export function withoutAppointments(
  order: PurchaseOrder,
  over: ReadonlySet<HoldId>,
): PurchaseOrder {
  return { ...order, appointments: order.appointments.filter(({ hold }) => !over.has(hold)) };
}

export interface GivingUp {
  readonly holds: readonly HoldId[];
}

/** What a cancelled order waits for; undefined where it waits for nothing (2). */
export function nextToGiveUp({ standing, appointments }: PurchaseOrder): GivingUp | undefined {
  if (standing !== 'cancelled') return undefined;
  const holds = appointments.flatMap(({ hold, givenUp }) => (givenUp === true ? [] : [hold]));
  return holds.length === 0 ? undefined : { holds: holds.slice(0, givenUpAtOnce) };
}

export function afterGivingUp(order: PurchaseOrder, holds: ReadonlySet<HoldId>): PurchaseOrder {
  const appointments = order.appointments.map((appointment): Appointment =>
    holds.has(appointment.hold) ? { ...appointment, givenUp: true } : appointment,
  );
  return { ...order, appointments };
}
