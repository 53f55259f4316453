/**
 * A process that dies before or after each call of a request, and one that goes on from there and
 * dies too, at every pair of points: then whoever comes next finds or makes the one effect.
 */
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import type { ActionAnswer } from '../../src/inventory/answer.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import {
  action,
  quantity,
  receive,
  reservationId,
  reserve,
  ship,
  transfer,
} from '../support/actions.ts';
import type { CrashPoint } from '../support/gate.ts';
import { Crash, crashGate, gated, sides } from '../support/gate.ts';
import { briskTimer } from '../support/receiving.ts';
import { faultsOf } from './check.ts';
import type { Database } from './database.ts';
import { openDatabase } from './database.ts';
import { mutants } from './mutants.ts';
import type { Mutation } from './process.ts';
import { randomFrom } from './random.ts';
import type { Scenario } from './scenario.ts';
import { setStage } from './stage.ts';

const scenario: Scenario = {
  processes: 1,
  windowLimit: 1,
  opening: { A: 40 },
  unproven: 0,
  missing: 0,
  faults: 0,
  faultRate: 0,
  leaps: 0,
  plots: [],
};

const hold = reservationId('hold');

/** What is asked for, all at once: what is `first` stands before, and `refused` has no effect. */
interface Work {
  readonly name: string;
  readonly first?: Action;
  readonly requests: readonly Action[];
  readonly refused?: Action;
}

const works: readonly Work[] = [
  { name: 'a movement', requests: [action(transfer('A1', 'B1', 4), { key: 'one' })] },
  {
    name: 'a batch',
    requests: [
      action(ship('A1', 5), { key: 'alone' }),
      action(ship('A1', 6), { key: 'joins' }),
      action(receive('B1', 3), { key: 'joins-too' }),
      action(reserve('A1', 9, null, 'batch'), { key: 'holds' }),
    ],
    refused: action(ship('A1', 40), { key: 'too-much' }),
  },
  {
    name: 'a commit of a reservation',
    first: action(reserve('A1', 7, 60, 'hold'), { key: 'held' }),
    requests: [
      action({ type: 'commit', reservation: hold, quantity: quantity(3) }, { key: 'some' }),
      action({ type: 'commit', reservation: hold }, { key: 'rest' }),
    ],
  },
];

interface Site {
  readonly database: Database;
  readonly process: (point?: CrashPoint) => {
    readonly inventory: RunningInventory;
    readonly calls: readonly string[];
  };
}

async function arranged({ first }: Work, mutant: Mutation = {}): Promise<Site> {
  const stage = setStage(randomFrom(1));
  const database = openDatabase(stage, scenario, () => undefined);
  const stores = mutant.stores?.(database) ?? database.stores;
  const { skus, barcodes, actions, ledger, mark, answers, locations } = stores;
  const ports = { skus, barcodes, actions, ledger, mark, answers, locations };
  const site: Site = {
    database,
    process: (point) => {
      const { gate, calls } = crashGate(point);
      return {
        inventory: createInventory({ ...gated(ports, gate), timer: briskTimer() }, 8_000),
        calls,
      };
    },
  };
  if (first !== undefined) await site.process().inventory.post(first);
  return site;
}

/** @returns the answers; undefined of those that the process took with it. */
async function send(
  inventory: RunningInventory,
  { requests, refused }: Work,
): Promise<readonly (ActionAnswer | undefined)[]> {
  const asked = refused === undefined ? requests : [...requests, refused];
  const answers = await Promise.all(
    asked.map(async (request) => {
      try {
        return await inventory.post(request);
      } catch (error) {
        if (error instanceof Crash) return undefined;
        throw error;
      }
    }),
  );
  await inventory.idle();
  return answers;
}

/** Enough that what is in the ledger leaves the window. */
async function othersMove({ process }: Site): Promise<void> {
  const { inventory } = process();
  for (let count = 0; count < 35; count += 1) {
    await inventory.post(action(receive('B1', 1), { key: `other-${count}` }));
  }
}

/** Sends everything again until nothing can have died, twice; then looks at what there is. */
async function faultsAfter(site: Site, work: Work): Promise<readonly string[]> {
  const once = await send(site.process().inventory, work);
  const again = await send(site.process().inventory, work);
  const faults = [...faultsOf(site.database, { sendings: [] })];
  const written = Array.from(site.database.history.values()).flat();
  for (const [index, { actionId }] of work.requests.entries()) {
    const [one, other] = [once[index], again[index]];
    const effects = written.filter((movement) => movement.actionId === actionId).length;
    if (effects !== 1) faults.push(`${actionId} has ${effects} effects`);
    if (one?.kind !== 'moved' || other?.kind !== 'moved')
      faults.push(`${actionId} is not answered`);
    else if (one.movement.ordinal !== other.movement.ordinal) faults.push(`${actionId} changes`);
  }
  if (written.some(({ actionId }) => actionId === work.refused?.actionId)) {
    faults.push('what was refused has an effect');
  }
  return faults;
}

async function pointsOf(work: Work): Promise<readonly CrashPoint[]> {
  const { inventory, calls } = (await arranged(work)).process();
  await send(inventory, work);
  return calls.flatMap((_, index) => sides.map((side) => ({ call: index + 1, side })));
}

describe.each(works)('$name', (work) => {
  it('has its effect once, wherever its process died', async () => {
    const points = await pointsOf(work);
    expect(points.length).toBeGreaterThanOrEqual(8);
    for (const point of points) {
      const site = await arranged(work);
      await send(site.process(point).inventory, work);
      expect(await faultsAfter(site, work), JSON.stringify(point)).toEqual([]);
    }
  });

  it('has its effect once, wherever its process died, after others have moved on', async () => {
    for (const point of await pointsOf(work)) {
      const site = await arranged(work);
      await send(site.process(point).inventory, work);
      await othersMove(site);
      expect(await faultsAfter(site, work), JSON.stringify(point)).toEqual([]);
    }
  });

  it('has its effect once, wherever the next process died too', async () => {
    let pairs = 0;
    for (const point of await pointsOf(work)) {
      for (const side of sides) {
        let hasDied = true;
        for (let call = 1; hasDied; call += 1) {
          const site = await arranged(work);
          await send(site.process(point).inventory, work);
          const { inventory, calls } = site.process({ call, side });
          await send(inventory, work);
          hasDied = calls.length >= call;
          const where = JSON.stringify([point, { call, side }]);
          expect(await faultsAfter(site, work), where).toEqual([]);
          pairs += 1;
        }
      }
    }
    expect(pairs).toBeGreaterThan(60);
  });
});

describe('the deaths above find out a path', () => {
  async function isFound(work: Work, mutant: Mutation): Promise<boolean> {
    for (const point of await pointsOf(work)) {
      const site = await arranged(work, mutant);
      await send(site.process(point).inventory, work);
      await othersMove(site);
      if ((await faultsAfter(site, work)).length > 0) return true;
    }
    return false;
  }

  it.each([
    'recognisesLastActionOnly',
    'recognisesInWindowOfOne',
    'leavesWindowBeforeLedger',
  ] as const)('that %s', async (name) => {
    const found = await Promise.all(works.map((work) => isFound(work, mutants[name])));
    expect(found).toContain(true);
  });
});
