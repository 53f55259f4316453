/** An order that has as many appointments as it may. */
import { describe, expect, it } from 'vitest';
import { appointmentsLimit } from '../../src/domain/appointment.ts';
import type { SlotId } from '../../src/domain/dock-slot.ts';
import { createAppointments } from '../../src/inventory/appointments.ts';
import { actionId, instant } from '../support/actions.ts';
import {
  appointmentProcess,
  appointmentWorld,
  cancelRequest,
  holdOfKey,
  openSlot,
  warehouse,
} from '../support/appointments.ts';
import { briskTimer, orderNumber, orderWith } from '../support/receiving.ts';

const number = orderNumber('PO');

/** All places of a slot are held for the order. */
async function fullOrder() {
  const world = appointmentWorld();
  const { ports } = world;
  await ports.orders.create(orderWith('PO', [1, 'A', 10]), actionId('made'));
  const startsAt = instant(world.clock.now + 86_400_000);
  const slot = await openSlot(ports, 'slot', appointmentsLimit, startsAt);
  const process = appointmentProcess(ports, briskTimer());
  for (let place = 1; place <= appointmentsLimit; place += 1) {
    await process.hold(slot, 'PO', `${place}`);
  }
  const { register } = createAppointments(ports);
  const another = await openSlot(ports, 'another', 1, startsAt);
  return {
    ...world,
    ...process,
    slot,
    another,
    startsAt,
    register: (of: SlotId, key: string) =>
      register(number, { hold: holdOfKey(of, key), warehouse }),
    known: async () => {
      const read = await ports.orders.read(number);
      if (read.kind !== 'found') throw new Error('the order is gone');
      return read.value.order.appointments.map(({ hold }) => hold);
    },
  };
}

describe('an order with as many appointments as it may have', () => {
  it('takes no more while all of them live', async () => {
    const { hold, another, known } = await fullOrder();
    expect(await hold(another, 'PO', 'one-more')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'appointment-limit' },
    });
    expect(await known()).toHaveLength(appointmentsLimit);
  });

  it('makes room for another by those that are over: cancelled or lapsed', async () => {
    const { hold, confirm, dock, clock, slot, another, known } = await fullOrder();
    await dock.cancel(cancelRequest(holdOfKey(slot, '7'), 'cancel'));
    expect(await hold(another, 'PO', 'one-more')).toMatchObject({ kind: 'hold', status: 'held' });
    expect(await known()).toHaveLength(appointmentsLimit);
    expect(await known()).not.toContain(holdOfKey(slot, '7'));
    await confirm(holdOfKey(slot, '8'), 'confirm');
    clock.now = instant(clock.now + 300_000);
    expect(await hold(another, 'PO', 'later')).toMatchObject({ kind: 'hold', status: 'held' });
    expect(await known()).toEqual([holdOfKey(slot, '8'), holdOfKey(another, 'later')]);
  });

  it('keeps what may still get its place, and lets go of it once the slot has begun', async () => {
    const { register, dock, clock, slot, another, startsAt, confirm, known } = await fullOrder();
    await dock.cancel(cancelRequest(holdOfKey(slot, '7'), 'cancel'));
    // Its process died before it took a place.
    expect(await register(another, 'died')).toEqual({ kind: 'lost' });
    expect(await register(another, 'died')).toEqual({ kind: 'registered' });
    for (let place = 1; place <= appointmentsLimit; place += 1) {
      if (place !== 7) await confirm(holdOfKey(slot, `${place}`), `confirm-${place}`);
    }
    expect(await register(another, 'next')).toMatchObject({ kind: 'refused' });
    clock.now = startsAt;
    expect(await register(another, 'next')).toEqual({ kind: 'lost' });
    expect(await known()).not.toContain(holdOfKey(another, 'died'));
  });
});
