/** Receiving, from a request to its answer: in time or not, first or again, alone or not. */
import { describe, expect, it } from 'vitest';
import { nextStep } from '../../src/domain/receipt.ts';
import { outcomesLimit } from '../../src/domain/purchase-order.ts';
import { leaseMilliseconds } from '../../src/inventory/saga-ports.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import { runSaga } from '../../sagas/run-saga.ts';
import { receiptSaga } from '../../sagas/receive-purchase-order.ts';
import { actionId, instant, sku } from '../support/actions.ts';
import type { Gate } from '../support/gate.ts';
import { gated } from '../support/gate.ts';
import type { MemoryWorld } from '../support/memory-receiving.ts';
import { memoryWorld, putSku } from '../support/memory-receiving.ts';
import {
  answerName,
  briskTimer,
  envelope,
  orderNumber,
  orderWith,
  pendingReceipt,
  receiptOfKey,
  receiveRequest,
  receivingFaults,
  receivingProcess,
} from '../support/receiving.ts';

async function newWorld(ordered = 10): Promise<MemoryWorld> {
  const world = memoryWorld();
  putSku(world, sku('A'));
  await world.ports.orders.create(orderWith('PO', [1, 'A', ordered]), actionId('made'));
  return world;
}

const four = receiveRequest('PO', 'four', [1, 'A1', 4]);
const ten = receiveRequest('PO', 'ten', [1, 'A1', 10]);

/** Holds up the calls of one name until it is opened. */
function heldUp(name: string): { readonly gate: Gate; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    gate: async (called, call) => {
      if (called === name) await opened;
      return call();
    },
    open: () => {
      open();
    },
  };
}

const impatient = { deadlineMilliseconds: 40 } as const;

describe('a receipt that takes longer than its request', () => {
  it('is answered as it stands once the order has credited it, and finishes without anybody', async () => {
    const world = await newWorld();
    const { gate, open } = heldUp('inventory.post');
    const process = receivingProcess(gated(world.ports, gate), processTimer, impatient);
    expect(answerName(await process.receiving.receive(four))).toBe('credited');
    expect(answerName(await process.receiving.receive(four))).toBe('credited again');
    expect(world.alarmed).toEqual(new Set([`receipt:${receiptOfKey('four')}`]));
    open();
    await process.runs.idle();
    expect(world.alarmed).toEqual(new Set());
    expect(answerName(await process.receiving.receive(four))).toBe('completed again');
    expect(await receivingFaults(world.ports, 'PO', [receiptOfKey('four')])).toEqual([]);
  });

  it('is answered as unknown while the order has not decided', async () => {
    const world = await newWorld();
    const { gate, open } = heldUp('orders.swap');
    const process = receivingProcess(gated(world.ports, gate), processTimer, impatient);
    expect(answerName(await process.receiving.receive(four))).toBe('unavailable');
    const shown = await process.receiving.receipt(orderNumber('PO'), receiptOfKey('four'));
    expect(shown.kind).toBe('not-found');
    open();
    await process.runs.idle();
    expect(answerName(await process.receiving.receive(four))).toBe('completed again');
  });
});

describe('a receipt that loses the race for the order', () => {
  /** The rival's credit lands between this one's reading of the order and its own. */
  async function outrun(world: MemoryWorld) {
    let hasRun = false;
    const gate: Gate = async (name, call) => {
      if (name === 'receipts.insert' && !hasRun) {
        hasRun = true;
        const rival = receivingProcess(world.ports, briskTimer());
        expect(answerName(await rival.receiving.receive(ten))).toBe('completed');
        await rival.runs.idle();
      }
      return call();
    };
    const process = receivingProcess(gated(world.ports, gate), briskTimer());
    const answer = await process.receiving.receive(four);
    await process.runs.idle();
    return answerName(answer);
  }

  it('is refused, shows nowhere, and may come again with its key', async () => {
    const world = await newWorld();
    expect(await outrun(world)).toBe('over-receipt');
    const ids = [receiptOfKey('four'), receiptOfKey('ten')];
    expect(await receivingFaults(world.ports, 'PO', ids)).toEqual([]);
    const process = receivingProcess(world.ports, briskTimer());
    const listed = await process.receiving.receipts({ number: orderNumber('PO'), limit: 10 });
    expect(listed).toMatchObject({ value: { items: [{ id: receiptOfKey('ten') }] } });
    expect(answerName(await process.receiving.receive(four))).toBe('over-receipt');
    const { receiving, runs } = process;
    const back = { ...envelope('reverse', 'PO', 'back', {}), receipt: receiptOfKey('ten') };
    expect(answerName(await receiving.reverse(back))).toBe('reversed');
    expect(answerName(await receiving.receive(four))).toBe('completed');
    await runs.idle();
    expect(world.receipts.get(receiptOfKey('four'))?.record).toMatchObject({ attempt: 2 });
    expect(await receivingFaults(world.ports, 'PO', ids)).toEqual([]);
  });
});

describe('a receipt that was left by its process', () => {
  async function left(world: MemoryWorld, name: string): Promise<void> {
    const { gate } = heldUp(name);
    const process = receivingProcess(gated(world.ports, gate), processTimer, impatient);
    await process.receiving.receive(four);
  }

  it('is carried on by the request that comes again, once its lease is over', async () => {
    for (const name of ['orders.swap', 'inventory.post', 'receipts.save']) {
      const world = await newWorld();
      await left(world, name);
      world.clock.now = instant(world.clock.now + leaseMilliseconds + 1);
      const process = receivingProcess(world.ports, briskTimer());
      expect(answerName(await process.receiving.receive(four))).toBe('completed again');
      await process.runs.idle();
      expect(await receivingFaults(world.ports, 'PO', [receiptOfKey('four')])).toEqual([]);
    }
  });

  it('is carried on by its alarm, which comes again as long as somebody is at it', async () => {
    const world = await newWorld();
    await left(world, 'inventory.post');
    world.alarmed.clear();
    const process = receivingProcess(world.ports, briskTimer());
    const id = receiptOfKey('four');
    await process.runs.alarmed(id);
    expect(world.alarmed.size).toBe(1);
    expect(world.receipts.get(id)?.record.state).toBe('credited');
    world.clock.now = instant(world.clock.now + leaseMilliseconds + 1);
    world.alarmed.clear();
    await process.runs.alarmed(id);
    expect(world.alarmed.size).toBe(0);
    expect(await receivingFaults(world.ports, 'PO', [id])).toEqual([]);
  });

  it('is no matter for an alarm without a record, or with a finished one', async () => {
    const world = await newWorld();
    const process = receivingProcess(world.ports, briskTimer());
    await process.runs.alarmed(receiptOfKey('never'));
    await process.receiving.receive(four);
    await process.runs.idle();
    const before = world.receipts.get(receiptOfKey('four'));
    await process.runs.alarmed(receiptOfKey('four'));
    expect(world.receipts.get(receiptOfKey('four'))).toBe(before);
    expect(world.alarmed.size).toBe(0);
  });
});

describe('an order that has too much under way', () => {
  it('takes no more receipts for now, and writes nothing', async () => {
    const world = await newWorld();
    const read = await world.ports.orders.read(orderNumber('PO'));
    if (read.kind !== 'found') throw new Error('not made');
    const outcomes = Array.from({ length: outcomesLimit }, (_, index) => ({
      receipt: receiptOfKey(`other-${index}`),
      attempt: 1,
      kind: 'credited' as const,
    }));
    await world.ports.orders.swap(read.value, { ...read.value.order, outcomes });
    const process = receivingProcess(world.ports, briskTimer());
    expect(answerName(await process.receiving.receive(four))).toBe('unavailable');
    expect(world.receipts.size).toBe(0);
  });
});

describe('a runner', () => {
  async function heldWorld() {
    const world = await newWorld();
    const record = pendingReceipt('PO', actionId('four'), world.clock.now, [[1, 'A', 'A1', 4]]);
    const saved = await world.ports.receipts.insert(record, 'first', world.clock.now);
    if (saved.kind !== 'saved') throw new Error('there already');
    return { world, held: saved.held };
  }

  it('renews its lease while a step takes its time', async () => {
    const { world, held } = await heldWorld();
    const { gate, open } = heldUp('inventory.post');
    const turns: (() => void)[] = [];
    const timer = {
      ...briskTimer(),
      after: (_: number, then: () => void) => {
        turns.push(then);
        return () => undefined;
      },
    };
    const ports = gated(world.ports, gate);
    const run = { saga: receiptSaga(ports), records: ports.receipts, timer };
    const ended = runSaga({ ...run, idOf: ({ id }) => id }, held);
    for (let turn = 0; turn < 5; turn += 1) {
      world.clock.now = instant(world.clock.now + leaseMilliseconds / 2);
      await new Promise((resolve) => setTimeout(resolve, 1));
      turns.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(await world.ports.receipts.abandoned(10)).toEqual({ kind: 'found', value: [] });
    }
    open();
    expect((await ended).kind).toBe('finished');
  });

  it('stops at a record that was taken from it, and harms nothing', async () => {
    const { world, held } = await heldWorld();
    const { gate, open } = heldUp('orders.swap');
    const ports = gated(world.ports, gate);
    const run = { saga: receiptSaga(ports), records: ports.receipts, timer: briskTimer() };
    const slow = runSaga({ ...run, idOf: ({ id }) => id }, held);
    await new Promise((resolve) => setTimeout(resolve, 1));
    world.clock.now = instant(world.clock.now + leaseMilliseconds + 1);
    const heir = receivingProcess(world.ports, briskTimer());
    await heir.recover();
    open();
    expect((await slow).kind).toBe('superseded');
    expect(await receivingFaults(world.ports, 'PO', [receiptOfKey('four')])).toEqual([]);
  });

  it('leaves a record whose steps stay unknown for too long', async () => {
    const { world, held } = await heldWorld();
    const ports = gated(world.ports, (name, call) =>
      name === 'orders.swap'
        ? Promise.resolve({ kind: 'unknown', cause: 'the database is away' })
        : call(),
    );
    let now = 0;
    const timer = { ...briskTimer(), monotonic: () => (now += 5_000) };
    const run = { saga: receiptSaga(ports), records: ports.receipts, timer };
    expect(await runSaga({ ...run, idOf: ({ id }) => id }, held)).toEqual({
      kind: 'left',
      cause: 'the database is away',
    });
    const standing = world.receipts.get(receiptOfKey('four'));
    expect(standing && nextStep(standing.record)).toEqual({ kind: 'credit' });
  });
});
