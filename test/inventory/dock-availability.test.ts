/** What is free at the dock, as the dock remembers it; the stores are in memory and every call is seen. */
import { describe, expect, it } from 'vitest';
import type { SlotId } from '../../src/domain/dock-slot.ts';
import { actionId, instant } from '../support/actions.ts';
import type { AppointmentWorld } from '../support/appointments.ts';
import {
  appointmentProcess,
  appointmentWorld,
  cancelRequest,
  holdOfKey,
  openRequest,
  openSlot,
} from '../support/appointments.ts';
import type { Gate } from '../support/gate.ts';
import { gated } from '../support/gate.ts';
import { briskTimer, orderWith } from '../support/receiving.ts';

/** The clock of the process stands still, so that no copy grows old. */
const timer = { ...briskTimer(), monotonic: () => 1 };

async function newDock(gate: Gate = (_, call) => call()) {
  const world: AppointmentWorld = appointmentWorld();
  await world.ports.orders.create(orderWith('PO', [1, 'A', 10]), actionId('made'));
  const startsAt = instant(world.clock.now + 86_400_000);
  const slot = await openSlot(world.ports, 'slot', 3, startsAt);
  const calls: string[] = [];
  const watched = gated(world.ports, (name, call) => {
    calls.push(name);
    return gate(name, call);
  });
  const process = appointmentProcess(watched, timer);
  const free = async (): Promise<number | undefined> => {
    const answer = await process.dock.availability();
    if (answer.kind !== 'ok') throw new Error(answer.kind);
    return answer.value.find(({ id }) => id === slot)?.remaining;
  };
  const looks = () => calls.filter((name) => name === 'slots.list').length;
  return { ...process, slot, startsAt, free, looks };
}

const heldIn = (slot: SlotId) => holdOfKey(slot, 'key');

describe('what is free at the dock', () => {
  it('is looked up once for a thousand who ask at once', async () => {
    const { free, looks } = await newDock();
    const answers = await Promise.all(Array.from({ length: 1_000 }, free));
    expect(new Set(answers)).toEqual(new Set([3]));
    expect(looks()).toBe(1);
  });

  it('is not looked up anew for a hold, but once it is confirmed, and once it is cancelled', async () => {
    const { free, hold, confirm, dock, slot } = await newDock();
    expect(await free()).toBe(3);
    await hold(slot, 'PO', 'key');
    expect(await free()).toBe(3);
    await confirm(heldIn(slot), 'confirm');
    expect(await free()).toBe(2);
    await dock.cancel(cancelRequest(heldIn(slot), 'cancel'));
    expect(await free()).toBe(3);
  });

  it('is looked up anew once its order was cancelled', async () => {
    const { free, hold, cancelOrder, idle, slot } = await newDock();
    await hold(slot, 'PO', 'key');
    expect(await free()).toBe(2);
    await cancelOrder('PO', 'cancel');
    await idle();
    expect(await free()).toBe(3);
  });

  it('has a slot from when it is opened', async () => {
    const { dock, free, looks, startsAt } = await newDock();
    await free();
    await dock.openSlot(openRequest('another', startsAt));
    const answer = await dock.availability();
    expect(answer.kind === 'ok' && answer.value.length).toBe(2);
    expect(looks()).toBe(2);
  });

  it('is looked up anew where nobody can tell whether a cancellation went through', async () => {
    let losing = false;
    const { free, hold, dock, slot } = await newDock(async (name, call) => {
      const answer = await call();
      if (!losing || name !== 'slots.swap') return answer;
      losing = false;
      return { kind: 'unknown', cause: 'the answer was lost' };
    });
    await hold(slot, 'PO', 'key');
    expect(await free()).toBe(2);
    losing = true;
    expect(await dock.cancel(cancelRequest(heldIn(slot), 'cancel'))).toMatchObject({
      kind: 'hold',
      status: 'cancelled',
    });
    expect(losing).toBe(false);
    expect(await free()).toBe(3);
  });
});
