/** The cancelling of an order whose process dies, at every call that it makes to the real engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processTimer } from '../../src/inventory/timer.ts';
import type { Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ordersOf } from '../../src/store/order-documents.ts';
import { actionId, instant } from '../support/actions.ts';
import type { AppointmentWorldPorts } from '../support/appointments.ts';
import {
  appointmentFaults,
  appointmentProcess,
  holdOfKey,
  openSlot,
} from '../support/appointments.ts';
import { useDatabase } from '../support/database.ts';
import type { CrashPoint } from '../support/gate.ts';
import { Crash, crashGate, gated } from '../support/gate.ts';
import { orderNumber, orderWith } from '../support/receiving.ts';

const database = useDatabase();
const { orders: documents } = ordersOf(database.db);
let store: Store;

beforeAll(async () => {
  store = openStore(database.uri, database.name);
  await store.prepare();
});
afterAll(() => store.close());

function plainPorts(): AppointmentWorldPorts {
  const { ports, orders, orderRecords, slots, bookings } = store;
  const recorded = () => Promise.resolve({ kind: 'recorded' } as const);
  const alarms = { arm: recorded, disarm: recorded };
  return { ...ports, orders, orderRecords, slots, bookings, alarms };
}

/** Lets every lease that there is lapse. */
async function lapse(): Promise<void> {
  const over = { $set: { 'lease.until': new Date(1) } };
  await documents.updateMany({ 'lease.until': { $exists: true } }, over);
}

/** An order with one held and one confirmed appointment, and one without a place. */
async function appointed(name: string) {
  const ports = plainPorts();
  await ports.orders.create(orderWith(name, [1, 'A', 10]), actionId(name));
  const slot = await openSlot(ports, `${name}-slot`, 3, instant(Date.now() + 86_400_000));
  const process = appointmentProcess(ports, processTimer);
  for (const key of ['held', 'confirmed']) {
    expect(await process.hold(slot, name, `${name}-${key}`)).toMatchObject({ kind: 'hold' });
  }
  await process.confirm(holdOfKey(slot, `${name}-confirmed`), `${name}-confirm`);
  const read = await ports.orders.read(orderNumber(name));
  if (read.kind !== 'found') throw new Error('the order is gone');
  const { order } = read.value;
  const unseated = order.appointments
    .slice(0, 1)
    .map((appointment) => ({ ...appointment, hold: holdOfKey(slot, `${name}-died`) }));
  const appointments = [...order.appointments, ...unseated];
  await ports.orders.swap(read.value, { ...order, appointments });
  return { slot, process };
}

/** @returns the calls that were made. */
async function dieAndRecover(name: string, point?: CrashPoint): Promise<readonly string[]> {
  const { slot, process } = await appointed(name);
  const { gate, calls } = crashGate(point);
  const first = appointmentProcess(gated(plainPorts(), gate), processTimer);
  await first.cancelOrder(name, `${name}-cancel`).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
  await first.idle();
  await lapse();
  await process.recover();
  expect(await appointmentFaults(plainPorts(), name, [slot])).toEqual([]);
  const answer = await process.cancelOrder(name, `${name}-cancel`);
  expect(answer).toMatchObject({ kind: 'order', order: { standing: 'cancelled' } });
  expect(await appointmentFaults(plainPorts(), name, [slot])).toEqual([]);
  const view = await process.dock.slot(slot);
  expect(view).toMatchObject({ kind: 'ok', value: { remaining: 3 } });
  expect(await documents.countDocuments({ 'lease.until': { $exists: true } })).toBe(0);
  return calls;
}

describe('the cancelling of an order with appointments', () => {
  it('is finished without a client, once, wherever its process died', async () => {
    const calls = await dieAndRecover('WHOLE');
    expect(calls).toContain('orderRecords.save');
    for (let call = 1; call <= calls.length; call += 1) {
      await dieAndRecover(`DIES-${call}`, { call, side: 'after' });
    }
  }, 60_000);

  it('stays with whoever has taken it up, though a receipt changes the order meanwhile', async () => {
    const { process } = await appointed('TAKEN');
    const { orders, orderRecords } = plainPorts();
    const number = orderNumber('TAKEN');
    const open = await orders.read(number);
    if (open.kind !== 'found') throw new Error('the order is gone');
    await orders.swap(open.value, { ...open.value.order, standing: 'cancelled' });
    const left = await orderRecords.read(number);
    if (left.kind !== 'found') throw new Error('the record is gone');
    expect(left.value.isAbandoned).toBe(true);
    expect(await orderRecords.take(left.value, 'somebody')).toMatchObject({ kind: 'saved' });
    const taken = await orders.read(number);
    if (taken.kind !== 'found') throw new Error('the order is gone');
    await orders.swap(taken.value, { ...taken.value.order, outcomes: [] });
    expect(await orderRecords.read(number)).toMatchObject({
      value: { lease: { holder: 'somebody', fence: 1 }, isAbandoned: false },
    });
    await lapse();
    await process.recover();
    expect(await orderRecords.read(number)).toMatchObject({ value: { isAbandoned: false } });
  });
});
