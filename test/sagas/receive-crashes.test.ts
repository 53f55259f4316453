/** A receipt whose process dies, and whose recovery dies too: finished without a client, once. */
import { describe, expect, it } from 'vitest';
import type { ReceiptOutcome } from '../../src/domain/purchase-order.ts';
import type { ReceiptAnswer } from '../../src/inventory/order-ports.ts';
import { leaseMilliseconds } from '../../src/inventory/saga-ports.ts';
import { actionId, instant, sku } from '../support/actions.ts';
import type { CrashPoint } from '../support/gate.ts';
import { crashGate, gated, sides, unlessCrashed } from '../support/gate.ts';
import type { MemoryWorld } from '../support/memory-receiving.ts';
import { memoryWorld, putSku } from '../support/memory-receiving.ts';
import {
  answerName,
  briskTimer,
  envelope,
  orderWith,
  receiptOfKey,
  receiveRequest,
  receivingFaults,
  receivingProcess,
} from '../support/receiving.ts';

const request = receiveRequest('PO', 'the-key', [1, 'A1', 10], [2, 'A1', 5], [3, 'R1', 5]);
const receipt = receiptOfKey('the-key');

async function newWorld(): Promise<MemoryWorld> {
  const world = memoryWorld();
  putSku(world, sku('A'));
  putSku(world, sku('B'));
  const order = orderWith('PO', [1, 'A', 10], [2, 'A', 5], [3, 'B', 5]);
  await world.ports.orders.create(order, actionId('made'));
  return world;
}

function processOn(world: MemoryWorld, point?: CrashPoint) {
  const { gate, calls } = crashGate(point);
  return { ...receivingProcess(gated(world.ports, gate), briskTimer()), calls };
}

/** Some time passes: longer than a lease lasts. */
function lapse(world: MemoryWorld): void {
  world.clock.now = instant(world.clock.now + leaseMilliseconds + 1);
}

/** @returns undefined where the process died on it. */
async function recover(world: MemoryWorld): Promise<void> {
  lapse(world);
  await processOn(world).recover();
}

async function expectWhole(
  world: MemoryWorld,
  send: (process: ReturnType<typeof processOn>) => Promise<ReceiptAnswer>,
  outcome: RegExp,
): Promise<void> {
  expect(await receivingFaults(world.ports, 'PO', [receipt])).toEqual([]);
  const process = processOn(world);
  const answer = await send(process);
  expect(answerName(answer)).toMatch(outcome);
  await process.runs.idle();
  expect(await receivingFaults(world.ports, 'PO', [receipt])).toEqual([]);
}

const receive = (process: ReturnType<typeof processOn>) => process.receiving.receive(request);

async function countCalls(
  arrange: () => Promise<MemoryWorld>,
  work: (process: ReturnType<typeof processOn>) => Promise<unknown>,
): Promise<readonly string[]> {
  const process = processOn(await arrange());
  await work(process);
  await process.runs.idle();
  return process.calls;
}

describe('a receipt', () => {
  it('makes these calls', async () => {
    expect(await countCalls(newWorld, receive)).toEqual([
      'orders.read',
      'actions.find',
      'receipts.read',
      'catalogue.definitions',
      'locations.find',
      'actions.claim',
      'alarms.arm',
      'receipts.insert',
      // Credit: the order, then whether the record is still the one in hand, then the swap.
      'orders.read',
      'receipts.read',
      'orders.swap',
      'receipts.save',
      'inventory.post',
      'inventory.post',
      'inventory.post',
      'receipts.save',
      // The third line's credit is taken back.
      'orders.read',
      'receipts.read',
      'orders.swap',
      'receipts.save',
      // The order lets go.
      'orders.read',
      'receipts.read',
      'orders.swap',
      'receipts.save',
      'alarms.disarm',
    ]);
  });

  it('is there whole or not at all, wherever its process died', async () => {
    const calls = await countCalls(newWorld, receive);
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        const world = await newWorld();
        const process = processOn(world, { call, side });
        await unlessCrashed(() => receive(process));
        await process.runs.idle();
        await recover(world);
        await expectWhole(world, receive, /^completed/);
        expect(world.skus.get(sku('A'))?.levels).toEqual([{ location: 'A1', onHand: 15 }]);
      }
    }
  });

  it('is there whole or not at all, wherever its recovery died too', async () => {
    const calls = await countCalls(newWorld, receive);
    let runs = 0;
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        for (const later of sides) {
          let hasDied = true;
          for (let second = 1; hasDied; second += 1) {
            const world = await newWorld();
            const first = processOn(world, { call, side });
            await unlessCrashed(() => receive(first));
            await first.runs.idle();
            lapse(world);
            const next = processOn(world, { call: second, side: later });
            await unlessCrashed(next.recover);
            await next.runs.idle();
            hasDied = next.calls.length >= second;
            await recover(world);
            await expectWhole(world, receive, /^completed/);
            runs += 1;
          }
        }
      }
    }
    expect(runs).toBeGreaterThan(500);
  });
});

describe('a reversal', () => {
  const reversal = {
    ...envelope('POST /v1/purchase-orders/{number}/receipts/{id}/reverse', 'PO', 'back', {}),
    receipt,
  };
  const reverse = (process: ReturnType<typeof processOn>) => process.receiving.reverse(reversal);

  async function receivedWorld(): Promise<MemoryWorld> {
    const world = await newWorld();
    const process = processOn(world);
    await receive(process);
    await process.runs.idle();
    return world;
  }

  it('is there whole or not at all, wherever its process and its recovery died', async () => {
    const calls = await countCalls(receivedWorld, reverse);
    expect(calls).toContain('receipts.reopen');
    let runs = 0;
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) {
        for (const later of sides) {
          let hasDied = true;
          for (let second = 1; hasDied; second += 1) {
            const world = await receivedWorld();
            const first = processOn(world, { call, side });
            await unlessCrashed(() => reverse(first));
            await first.runs.idle();
            lapse(world);
            const next = processOn(world, { call: second, side: later });
            await unlessCrashed(next.recover);
            await next.runs.idle();
            hasDied = next.calls.length >= second;
            await recover(world);
            await expectWhole(world, reverse, /^reversed/);
            expect(world.skus.get(sku('A'))?.levels).toEqual([{ location: 'A1', onHand: 0 }]);
            runs += 1;
          }
        }
      }
    }
    expect(runs).toBeGreaterThan(500);
  });
});

describe('the deaths above find out an order', () => {
  it('that takes a credit back without a mark of it', async () => {
    const calls = await countCalls(newWorld, receive);
    const faulty: number[] = [];
    for (let call = 1; call <= calls.length; call += 1) {
      const world = await newWorld();
      const { orders } = world.ports;
      const unmarked: MemoryWorld = {
        ...world,
        ports: {
          ...world.ports,
          orders: {
            ...orders,
            swap: (before, after, by) =>
              orders.swap(before, { ...after, outcomes: after.outcomes.map(unreturned) }, by),
          },
        },
      };
      const process = processOn(unmarked, { call, side: 'after' });
      await unlessCrashed(() => receive(process));
      await process.runs.idle();
      await recover(unmarked);
      if ((await receivingFaults(world.ports, 'PO', [receipt])).length > 0) faulty.push(call);
    }
    expect(faulty.map((call) => calls[call - 1])).toEqual(['orders.swap']);
  });
});

function unreturned(outcome: ReceiptOutcome): ReceiptOutcome {
  const { receipt: id, attempt } = outcome;
  return outcome.kind === 'returned' ? { receipt: id, attempt, kind: 'credited' } : outcome;
}
