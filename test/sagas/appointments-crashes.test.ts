/** Appointments and cancelled orders whose processes die: no place stays taken for nothing. */
import { describe, expect, it } from 'vitest';
import type { SlotId } from '../../src/domain/dock-slot.ts';
import { leaseMilliseconds } from '../../src/inventory/saga-ports.ts';
import { actionId, instant } from '../support/actions.ts';
import type { AppointmentWorld } from '../support/appointments.ts';
import {
  appointmentFaults,
  appointmentProcess,
  appointmentWorld,
  holdOfKey,
  openSlot,
} from '../support/appointments.ts';
import type { CrashPoint, Gate } from '../support/gate.ts';
import { crashGate, gated, sides, unlessCrashed } from '../support/gate.ts';
import { briskTimer, orderNumber, orderWith } from '../support/receiving.ts';

interface Yard extends AppointmentWorld {
  readonly slot: SlotId;
  readonly other: SlotId;
}

/** An order without appointments, and two slots of one place each. */
async function newYard(): Promise<Yard> {
  const world = appointmentWorld();
  await world.ports.orders.create(orderWith('PO', [1, 'A', 10]), actionId('made'));
  const startsAt = instant(world.clock.now + 86_400_000);
  const slot = await openSlot(world.ports, 'slot', 1, startsAt);
  const other = await openSlot(world.ports, 'other', 1, startsAt);
  return { ...world, slot, other };
}

/** One appointment is held, one is confirmed, and one never got its place. */
async function appointedYard(): Promise<Yard> {
  const yard = await newYard();
  const process = processOn(yard);
  await process.hold(yard.slot, 'PO', 'held');
  await process.hold(yard.other, 'PO', 'confirmed');
  const hold = holdOfKey(yard.other, 'confirmed');
  await process.confirm(hold, 'confirm');
  const read = await yard.ports.orders.read(orderNumber('PO'));
  if (read.kind !== 'found') throw new Error('the order is gone');
  const { order } = read.value;
  const [first] = order.appointments;
  if (first === undefined) throw new Error('the order has no appointment');
  const unseated = { ...first, hold: holdOfKey(yard.slot, 'died') };
  await yard.ports.orders.swap(read.value, {
    ...order,
    appointments: [...order.appointments, unseated],
  });
  return yard;
}

function processOn(world: AppointmentWorld, point?: CrashPoint) {
  const { gate, calls } = crashGate(point);
  return { ...through(world, gate), calls };
}

function through(world: AppointmentWorld, gate: Gate) {
  return appointmentProcess(gated(world.ports, gate), briskTimer());
}

/** Some time passes: longer than a lease lasts. */
function lapse({ clock }: AppointmentWorld): void {
  clock.now = instant(clock.now + leaseMilliseconds + 1);
}

/** The reconciler of another process, without any client. */
async function recover(world: AppointmentWorld): Promise<void> {
  lapse(world);
  await processOn(world).recover();
}

async function orderIn({ ports }: AppointmentWorld) {
  const read = await ports.orders.read(orderNumber('PO'));
  if (read.kind !== 'found') throw new Error('the order is gone');
  return read.value.order;
}

/** The holds that have a place now. */
async function placesTaken({ ports, slot, other }: Yard): Promise<number> {
  const { dock } = appointmentProcess(ports, briskTimer());
  const views = await Promise.all([dock.slot(slot), dock.slot(other)]);
  return views.reduce(
    (sum, view) => sum + (view.kind === 'ok' ? view.value.capacity - view.value.remaining : 0),
    0,
  );
}

const faultsIn = ({ ports, slot, other }: Yard) => appointmentFaults(ports, 'PO', [slot, other]);

type Process = ReturnType<typeof processOn>;

async function callsOf(
  arrange: () => Promise<Yard>,
  work: (process: Process, yard: Yard) => Promise<unknown>,
): Promise<readonly string[]> {
  const yard = await arrange();
  const process = processOn(yard);
  await work(process, yard);
  await process.idle();
  return process.calls;
}

const hold = (process: Pick<Process, 'hold'>, { slot }: Yard) => process.hold(slot, 'PO', 'key');
const cancel = (process: Pick<Process, 'cancelOrder'>) => process.cancelOrder('PO', 'cancel');

describe('a hold for an order', () => {
  it('makes these calls', async () => {
    expect(await callsOf(newYard, hold)).toEqual([
      'slots.read',
      'actions.find',
      'actions.claim',
      // On the order, before it has a place.
      'orders.read',
      'orders.swap',
      'slots.swap',
      'bookings.record',
    ]);
  });

  it('has one place, known to its order, wherever its process died and was asked again', async () => {
    const calls = await callsOf(newYard, hold);
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        const yard = await newYard();
        await unlessCrashed(() => hold(processOn(yard, { call, side }), yard));
        expect(await faultsIn(yard)).toEqual([]);
        const again = await hold(processOn(yard), yard);
        expect(again).toMatchObject({ kind: 'hold', status: 'held' });
        expect(await faultsIn(yard)).toEqual([]);
        expect((await orderIn(yard)).appointments).toHaveLength(1);
        expect(await placesTaken(yard)).toBe(1);
      }
    }
  });

  it('has no place once its order is cancelled, wherever its process died, asked again or not', async () => {
    const calls = await callsOf(newYard, hold);
    const outcomes = new Set<string>();
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        const yard = await newYard();
        await unlessCrashed(() => hold(processOn(yard, { call, side }), yard));
        const process = processOn(yard);
        expect(await cancel(process)).toMatchObject({ kind: 'order' });
        await process.idle();
        expect(await faultsIn(yard)).toEqual([]);
        const again = await hold(processOn(yard), yard);
        outcomes.add(again.kind === 'refused' ? again.refusal.code : again.kind);
        expect(await faultsIn(yard)).toEqual([]);
        expect(await placesTaken(yard)).toBe(0);
      }
    }
    expect(outcomes).toEqual(new Set(['purchase-order-closed', 'hold']));
  });
});

/** Either it is not cancelled and all is as it was, or nothing is left to be given up. */
async function expectRecovered(yard: Yard): Promise<void> {
  expect(await faultsIn(yard)).toEqual([]);
  const { standing } = await orderIn(yard);
  expect(await placesTaken(yard)).toBe(standing === 'cancelled' ? 0 : 2);
}

async function expectCancelled(yard: Yard): Promise<void> {
  const process = processOn(yard);
  const answer = await cancel(process);
  await process.idle();
  expect(answer).toMatchObject({ kind: 'order', order: { standing: 'cancelled' } });
  expect(await faultsIn(yard)).toEqual([]);
  expect(await placesTaken(yard)).toBe(0);
}

describe('the cancelling of an order with appointments', () => {
  it('makes these calls', async () => {
    const calls = await callsOf(appointedYard, cancel);
    expect(calls.slice(0, 8)).toEqual([
      'orders.read',
      'actions.find',
      'actions.claim',
      'alarms.arm',
      'answers.keep',
      'answers.find',
      'orders.swap',
      'answers.keep',
    ]);
    expect(calls.slice(8)).toEqual(expect.arrayContaining(['orderRecords.take', 'slots.swap']));
    expect(calls.filter((name) => name === 'orderRecords.save')).toHaveLength(1);
  });

  it('gives every place back without a client, wherever its process died', async () => {
    const calls = await callsOf(appointedYard, cancel);
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        const yard = await appointedYard();
        const process = processOn(yard, { call, side });
        await unlessCrashed(() => cancel(process));
        await process.idle();
        if ((await orderIn(yard)).standing === 'cancelled') {
          expect(yard.alarmed).toEqual(new Set(['order:PO']));
        }
        await recover(yard);
        await expectRecovered(yard);
        await expectCancelled(yard);
      }
    }
  });

  it('gives every place back, wherever its recovery died too', async () => {
    const calls = await callsOf(appointedYard, cancel);
    let runs = 0;
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        for (const later of sides) {
          let hasDied = true;
          for (let second = 1; hasDied; second += 1) {
            const yard = await appointedYard();
            const first = processOn(yard, { call, side });
            await unlessCrashed(() => cancel(first));
            await first.idle();
            lapse(yard);
            const next = processOn(yard, { call: second, side: later });
            await unlessCrashed(next.recover);
            await next.idle();
            hasDied = next.calls.length >= second;
            await recover(yard);
            await expectRecovered(yard);
            runs += 1;
          }
        }
      }
    }
    expect(runs).toBeGreaterThan(500);
  }, 60_000);
});

/** The hold stops at a call, the order is cancelled to the end, and the hold goes on. */
async function cancelAmid(yard: Yard, point: CrashPoint): Promise<string> {
  let calls = 0;
  const meddle = async (): Promise<void> => {
    const process = processOn(yard);
    await cancel(process);
    await process.idle();
  };
  const slow = through(yard, async (_, call) => {
    const isPoint = (calls += 1) === point.call;
    if (isPoint && point.side === 'before') await meddle();
    const answer = await call();
    if (isPoint && point.side === 'after') await meddle();
    return answer;
  });
  const answer = await hold(slow, yard);
  return answer.kind === 'refused' ? answer.refusal.code : answer.kind;
}

/** The hold waits before a call until the cancelling comes to one, and runs to its end then. */
async function meet(
  yard: Yard,
  stop: number,
  release: number,
): Promise<{ readonly outcome: string; readonly calls: number }> {
  let goOn = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let held: Promise<unknown> = Promise.resolve();
  let cancelling: Promise<unknown> = Promise.resolve();
  let [holdCalls, cancelCalls] = [0, 0];
  const canceller = through(yard, async (_, call) => {
    if ((cancelCalls += 1) === release) {
      goOn();
      await held;
    }
    return call();
  });
  const holder = through(yard, async (_, call) => {
    if ((holdCalls += 1) === stop) {
      cancelling = cancel(canceller).then(canceller.idle).finally(goOn);
      await released;
    }
    return call();
  });
  const holding = hold(holder, yard);
  held = holding;
  const answer = await holding;
  await cancelling;
  const outcome = answer.kind === 'refused' ? answer.refusal.code : answer.kind;
  return { outcome, calls: cancelCalls };
}

describe('a hold whose order is cancelled meanwhile', () => {
  it('has no place, at whatever call that was', async () => {
    const calls = await callsOf(newYard, hold);
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        const yard = await newYard();
        expect(['purchase-order-closed', 'hold']).toContain(await cancelAmid(yard, { call, side }));
        expect(await faultsIn(yard)).toEqual([]);
        expect(await placesTaken(yard)).toBe(0);
      }
    }
  });

  it('has no place, though it goes on at whatever call of the cancelling', async () => {
    const calls = await callsOf(newYard, hold);
    const outcomes = new Set<string>();
    let longest = 0;
    for (let stop = 1; stop <= calls.length; stop += 1) {
      let reaches = true;
      for (let release = 1; reaches; release += 1) {
        const yard = await newYard();
        const met = await meet(yard, stop, release);
        outcomes.add(met.outcome);
        reaches = met.calls >= release;
        longest = Math.max(longest, release);
        expect(await faultsIn(yard)).toEqual([]);
        expect(await placesTaken(yard)).toBe(0);
      }
    }
    expect(outcomes).toEqual(new Set(['purchase-order-closed', 'hold']));
    expect(longest).toBeGreaterThan(15);
  });

  it('would have one, were it not shut out where it has none yet', async () => {
    const calls = await callsOf(newYard, hold);
    const faulty = new Set<string>();
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        const yard = await newYard();
        const { slots } = yard.ports;
        const lenient: Yard = {
          ...yard,
          ports: {
            ...yard.ports,
            slots: {
              ...slots,
              swap: (change) =>
                change.after.seats === change.before.seats
                  ? Promise.resolve({ kind: 'written' })
                  : slots.swap(change),
            },
          },
        };
        await cancelAmid(lenient, { call, side });
        if ((await placesTaken(yard)) > 0) faulty.add(`${side} ${calls[call - 1] ?? ''}`);
      }
    }
    expect(faulty).toEqual(new Set(['after orders.swap', 'before slots.swap']));
  });
});
