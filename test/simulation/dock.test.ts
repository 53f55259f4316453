/** Ten thousand random sequences at the dock, against a model, and the mistakes they must find. */
import { describe, expect, it } from 'vitest';
import type { Instant } from '../../src/domain/ids.ts';
import { instant } from '../support/actions.ts';
import type { MemoryDock } from '../support/dock-world.ts';
import type { DockMutant } from './dock-play.ts';
import { playDock } from './dock-play.ts';

const seedsATest = 2_500;

describe('live holds and confirmed ones fit, and no seat stays taken for nobody, for', () => {
  for (let first = 1; first <= 10_000; first += seedsATest) {
    it(`seeds ${first} to ${first + seedsATest - 1}`, async () => {
      for (let seed = first; seed < first + seedsATest; seed += 1) {
        const faults = await playDock(seed);
        if (faults.length > 0) expect.fail(`seed ${seed} breaks: ${faults.join('; ')}`);
      }
    });
  }
});

type Ports = MemoryDock['ports'];

function withSlots(ports: Ports, slots: Partial<Ports['slots']>): Ports {
  return { ...ports, slots: { ...ports.slots, ...slots } };
}

function shifted(ports: Ports, shift: (now: Instant) => number): Ports {
  return withSlots(ports, {
    read: async (id) => {
      const read = await ports.slots.read(id);
      if (read.kind !== 'found') return read;
      return { ...read, value: { ...read.value, now: instant(shift(read.value.now)) } };
    },
  });
}

/** What is wrong with each of them is said by its name. */
const mutants: Readonly<Record<string, DockMutant>> = {
  'writes whatever has changed since it read': (ports, { slots }) =>
    withSlots(ports, {
      swap: (change) => {
        const { version, lastActionId } = slots.get(change.before.id) ?? change.before;
        return ports.slots.swap({ ...change, before: { ...change.before, version, lastActionId } });
      },
    }),
  'writes however late it is': (ports) =>
    withSlots(ports, {
      swap: ({ before, after }) => ports.slots.swap({ before, after }),
    }),
  'lets seats leave before the ledger tells of their hold': (ports) => ({
    ...ports,
    bookings: { ...ports.bookings, record: () => Promise.resolve({ kind: 'recorded' }) },
  }),
  'looks for a hold in its slot alone': (ports) => ({
    ...ports,
    bookings: {
      ...ports.bookings,
      ofHold: () => Promise.resolve({ kind: 'found', value: [] }),
    },
  }),
  'goes by a clock that is ahead': (ports) => shifted(ports, (now) => now + 700),
  'forgets what it told': (ports) => ({
    ...ports,
    answers: { ...ports.answers, find: () => Promise.resolve({ kind: 'missing' }) },
  }),
};

const seeds = 1_500;

describe('the sequences find out a dock that', () => {
  it.each(Object.entries(mutants))('%s', async (_, mutant) => {
    let caught = false;
    for (let seed = 1; seed <= seeds && !caught; seed += 1) {
      caught = await playDock(seed, mutant).then(
        (faults) => faults.length > 0,
        () => true,
      );
    }
    expect(caught).toBe(true);
  });
});
