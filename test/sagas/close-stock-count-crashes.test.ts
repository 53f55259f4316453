/** A closing whose process dies, and whose recovery dies too: finished without a client, once. */
import { describe, expect, it } from 'vitest';
import { serviceActionId } from '../../src/domain/ids.ts';
import { leaseMilliseconds } from '../../src/inventory/saga-ports.ts';
import { instant, sku } from '../support/actions.ts';
import { countIn, outcomes } from '../support/counting.ts';
import type { CrashPoint } from '../support/gate.ts';
import { crashGate, gated, sides, unlessCrashed } from '../support/gate.ts';
import type { CountingWorld } from '../support/memory-counting.ts';
import { closingProcess, countedWorld } from '../support/memory-counting.ts';

function processOn(world: CountingWorld, point?: CrashPoint) {
  const { gate, calls } = crashGate(point);
  return { ...closingProcess(world, gated(world.countPorts, gate)), calls };
}

/** Some time passes: longer than a lease lasts. */
function lapse(world: CountingWorld): void {
  world.clock.now = instant(world.clock.now + leaseMilliseconds + 1);
}

async function recover(world: CountingWorld): Promise<void> {
  lapse(world);
  await processOn(world).recover();
}

/** What has to be wrong with nothing: each variance posted by one movement, the shipments kept. */
function faultsOf(world: CountingWorld): readonly string[] {
  const count = world.records.get(world.count)?.record;
  if (count === undefined) return ['the count is gone'];
  const faults: string[] = [];
  const expectSame = (what: string, is: unknown, shall: unknown): void => {
    const [one, other] = [JSON.stringify(is), JSON.stringify(shall)];
    if (one !== other) faults.push(`${what}: ${one}, not ${other}`);
  };
  expectSame('status', count.status, 'closed');
  expectSame('outcomes', outcomes(count), [
    'adjusted',
    'adjusted',
    'unchanged',
    'uncounted',
    'recount',
  ]);
  const levels = (of: string): unknown =>
    world.skus.get(sku(of))?.levels.map(({ location, onHand }) => [location, onHand]);
  expectSame('FIRST', levels('FIRST'), [
    ['A1', 11],
    ['B1', 10],
  ]);
  expectSame('SECOND', levels('SECOND'), [
    ['A1', 4],
    ['C1', 1],
  ]);
  const own = Array.from(world.movements.keys()).filter((id) => id.startsWith('~count/'));
  expectSame(
    'movements',
    own.toSorted(),
    [0, 1, 4].map((line) => `~count/${world.count}/${line}`),
  );
  expectSame('SKU movements', world.skus.get(sku('SECOND'))?.movementCount, 3);
  return faults;
}

/** Whoever asks again, under the same key or another one, is told the same. */
async function expectWhole(world: CountingWorld): Promise<void> {
  expect(faultsOf(world)).toEqual([]);
  const movements = world.movements.size;
  for (const key of ['the-key', 'another']) {
    const process = processOn(world);
    expect(countIn(await process.close(key)).status).toBe('closed');
    await process.idle();
  }
  expect(world.movements.size).toBe(movements);
  expect(faultsOf(world)).toEqual([]);
}

/** Whoever was cut off before the record waits asks again; from then on nobody has to. */
async function expectFinished(world: CountingWorld): Promise<void> {
  await recover(world);
  if (world.records.get(world.count)?.record.status === 'open') {
    const retry = processOn(world);
    await retry.close('the-key');
    await retry.idle();
  }
  await expectWhole(world);
}

async function callsOfClosing(): Promise<readonly string[]> {
  const process = processOn(await countedWorld());
  await process.close('the-key');
  await process.idle();
  return process.calls;
}

describe('the closing of a count', () => {
  it('makes these calls', async () => {
    expect(await callsOfClosing()).toEqual([
      'actions.find',
      'counts.summary',
      'actions.claim',
      'counts.summary',
      'counts.read',
      'alarms.arm',
      'counts.reopen',
      'inventory.post',
      'inventory.post',
      'inventory.post',
      'counts.save',
      'alarms.disarm',
    ]);
  });

  it('is there whole, wherever its process died', async () => {
    const calls = await callsOfClosing();
    const left: string[] = [];
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        const world = await countedWorld();
        const process = processOn(world, { call, side });
        await unlessCrashed(() => process.close('the-key'));
        await process.idle();
        if (world.records.get(world.count)?.record.status === 'closing') left.push(`${call}`);
        await expectFinished(world);
      }
    }
    // From the record that waits to the one that is finished.
    expect(left.length).toBe(8);
  });

  it('is there whole, wherever its recovery died too', async () => {
    const calls = await callsOfClosing();
    let runs = 0;
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        for (const later of sides) {
          let hasDied = true;
          for (let second = 1; hasDied; second += 1) {
            const world = await countedWorld();
            const first = processOn(world, { call, side });
            await unlessCrashed(() => first.close('the-key'));
            await first.idle();
            lapse(world);
            const next = processOn(world, { call: second, side: later });
            await unlessCrashed(next.recover);
            await unlessCrashed(() => next.close('the-key'));
            await next.idle();
            hasDied = next.calls.length >= second;
            await expectFinished(world);
            runs += 1;
          }
        }
      }
    }
    expect(runs).toBeGreaterThan(400);
  });
});

describe('the deaths above find out a closing', () => {
  it('that gives each attempt at a variance an id of its own', async () => {
    const calls = await callsOfClosing();
    const faulty = new Set<string>();
    let attempts = 0;
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        const world = await countedWorld();
        const { inventory } = world.countPorts;
        const post: typeof inventory.post = (action) => {
          attempts += 1;
          return inventory.post({ ...action, actionId: serviceActionId('count', `${attempts}`) });
        };
        const forgetful = {
          ...world,
          countPorts: { ...world.countPorts, inventory: { ...inventory, post } },
        };
        const process = processOn(forgetful, { call, side });
        await unlessCrashed(() => process.close('the-key'));
        await process.idle();
        await recover(forgetful);
        if (world.skus.get(sku('FIRST'))?.movementCount !== 2) faulty.add(`${calls[call - 1]}`);
      }
    }
    expect(Array.from(faulty)).toContain('counts.save');
  });
});
