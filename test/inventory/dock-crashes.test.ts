/** A process that dies before or after each call of a hold, and one that goes on and dies too. */
import { describe, expect, it } from 'vitest';
import { createDock } from '../../src/inventory/dock.ts';
import { holdIdOf } from '../../src/inventory/dock-ids.ts';
import { actionId, instant } from '../support/actions.ts';
import type { MemoryDock } from '../support/dock-world.ts';
import { emptySlot, memoryDock, toChange, toHold } from '../support/dock-world.ts';
import type { CrashPoint } from '../support/gate.ts';
import { crashGate, gated, sides, unlessCrashed } from '../support/gate.ts';
import { briskTimer } from '../support/receiving.ts';

function world() {
  const clock = { now: instant(1_000_000) };
  const dock = memoryDock(clock);
  const slot = emptySlot({ capacity: 1, startsAt: 9_000_000 });
  dock.slots.set(slot.id, slot);
  const process = (point?: CrashPoint) => {
    const { gate, calls } = crashGate(point);
    const times = { holdSeconds: 1, availabilitySeconds: 10, deadlineMilliseconds: 900 };
    const ports = gated(dock.ports, gate);
    return {
      calls,
      dock: createDock({ ...onlyPorts(ports), timer: briskTimer() }, times),
    };
  };
  return { clock, slot, process, seats: () => dock.slots.get(slot.id)?.seats ?? [] };
}

function onlyPorts(ports: MemoryDock['ports']) {
  const { slots, bookings, actions, answers, appointments, mark } = ports;
  return { slots, bookings, actions, answers, appointments, mark };
}

it('leaves no seat taken for a hold that is not there, wherever two of its processes died', async () => {
  let pairs = 0;
  for (const side of sides) {
    for (const later of sides) {
      for (let call = 1; call <= 5; call += 1) {
        for (let second = 1; second <= 5; second += 1) {
          const { clock, slot, process, seats } = world();
          await process().dock.hold(toHold(slot.id, 'lapsed'));
          clock.now = instant(clock.now + 1_001);
          await unlessCrashed(() => process({ call, side }).dock.hold(toHold(slot.id, 'key')));
          await unlessCrashed(() =>
            process({ call: second, side: later }).dock.hold(toHold(slot.id, 'key')),
          );
          const own = holdIdOf(slot.id, actionId('key'));
          const shown = await process().dock.holdOf(own);
          expect(shown.kind).toBe(seats()[0]?.hold === own ? 'ok' : 'not-found');
          clock.now = instant(clock.now + 1_001);
          const next = await process().dock.hold(toHold(slot.id, 'next'));
          expect(next).toMatchObject({ kind: 'hold', status: 'held' });
          const again = await process().dock.hold(toHold(slot.id, 'lapsed'));
          expect(again).toMatchObject({ kind: 'hold', replayed: true });
          expect(seats()).toHaveLength(1);
          pairs += 1;
        }
      }
    }
  }
  expect(pairs).toBe(100);
});

describe.each([
  ['confirm', 'confirmed', 0],
  ['cancel', 'cancelled', 1],
] as const)('a process that dies while it is to %s a hold', (change, status, free) => {
  it.each(sides)(
    '%s any of its calls leaves it done or not done, and a repeat does it once',
    async (side) => {
      for (let call = 1; ; call += 1) {
        const { slot, process, seats } = world();
        const held = await process().dock.hold(toHold(slot.id, 'held'));
        const hold = holdIdOf(slot.id, actionId('held'));
        expect(held).toMatchObject({ status: 'held' });
        const request = toChange(change, hold, 'change');
        const answer = await unlessCrashed(() => process({ call, side }).dock[change](request));
        const between = await process().dock.holdOf(hold);
        expect(between).toMatchObject({ kind: 'ok' });
        expect(['held', status]).toContain(between.kind === 'ok' && between.value.status);
        expect(await process().dock[change](request)).toMatchObject({ kind: 'hold', status });
        const again = await process().dock[change](request);
        expect(again).toMatchObject({ kind: 'hold', status, replayed: true });
        const next = await process().dock.hold(toHold(slot.id, 'next'));
        expect(next.kind).toBe(free === 1 ? 'hold' : 'refused');
        expect(seats()).toHaveLength(1);
        if (answer !== undefined) {
          expect(call).toBeGreaterThan(4);
          break;
        }
      }
    },
  );
});
