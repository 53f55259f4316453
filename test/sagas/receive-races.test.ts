/**
 * Two runners of one receipt, without a lease between them, while another receipt takes the order's
 * units and gives them back, the order is closed, and stock leaves: in any order of their calls.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { receiptSaga } from '../../sagas/receive-purchase-order.ts';
import { runSaga } from '../../sagas/run-saga.ts';
import type { Saga } from '../../sagas/saga.ts';
import type { Action } from '../../src/domain/action.ts';
import { endOrder } from '../../src/domain/change-order.ts';
import type { Movement } from '../../src/domain/movement.ts';
import { onHandLimit } from '../../src/domain/quantity.ts';
import type { Receipt, ReceiptStep } from '../../src/domain/receipt.ts';
import type { Held } from '../../src/inventory/saga-ports.ts';
import { action, actionId, ship, sku } from '../support/actions.ts';
import type { Gate } from '../support/gate.ts';
import { gated } from '../support/gate.ts';
import type { MemoryPorts, MemoryWorld } from '../support/memory-receiving.ts';
import { memoryWorld, putSku } from '../support/memory-receiving.ts';
import {
  briskTimer,
  orderNumber,
  orderWith,
  pendingReceipt,
  receivingFaults,
} from '../support/receiving.ts';

type SagaOf = (ports: MemoryPorts) => Saga<Receipt, ReceiptStep>;

/** B stands at its limit, so that receiving it fails unless some of it has left. */
async function newWorld(): Promise<MemoryWorld> {
  const world = memoryWorld();
  putSku(world, sku('A'));
  putSku(world, sku('B'), { B1: onHandLimit - 2 });
  const order = orderWith('PO', [1, 'A', 10], [2, 'B', 5]);
  await world.ports.orders.create(order, actionId('made'));
  return world;
}

async function insert(world: MemoryWorld, record: Receipt): Promise<Held<Receipt>> {
  const saved = await world.ports.receipts.insert(record, 'somebody', world.clock.now);
  if (saved.kind !== 'saved') throw new Error('the record is there already');
  return saved.held;
}

async function closeOrder({ orders }: MemoryPorts): Promise<void> {
  for (;;) {
    const read = await orders.read(orderNumber('PO'));
    if (read.kind !== 'found') continue;
    const decided = endOrder(read.value.order, 'closed');
    if (decided.kind === 'refused') return;
    const written = await orders.swap(read.value, decided.order, actionId('close'));
    if (written.kind === 'written') return;
  }
}

/** Calls in the scheduler's order, of which some have their answers lost. */
function fatefulPorts(world: MemoryWorld, { scheduler, lost }: Fates): MemoryPorts {
  let calls = 0;
  const gate: Gate = async (name, call) => {
    await scheduler.schedule(Promise.resolve(), name);
    const answer = await call();
    const isLost = lost[(calls += 1)] === true && !name.startsWith('inventory.');
    return isLost ? { kind: 'unknown', cause: `the answer of ${name} was lost` } : answer;
  };
  return gated(world.ports, gate);
}

interface Fates {
  readonly scheduler: fc.Scheduler;
  /** Which calls, of those that may be, have their answers lost. */
  readonly lost: readonly boolean[];
  readonly closes: boolean;
}

function runOn(ports: MemoryPorts, sagaOf: SagaOf, held: Held<Receipt>) {
  const records = ports.receipts;
  const timer = briskTimer();
  return runSaga({ saga: sagaOf(ports), records, idOf: ({ id }: Receipt) => id, timer }, held);
}

/** A receipt that was completed is sent back by two runners while its stock leaves. */
async function reversalFaults(fate: Fates): Promise<readonly string[]> {
  const { scheduler } = fate;
  const world = await newWorld();
  world.skus.clear();
  for (const id of ['A', 'B']) putSku(world, sku(id));
  const at = world.clock.now;
  const by = actionId('ours');
  const record = pendingReceipt('PO', by, at, [
    [1, 'A', 'A1', 10],
    [2, 'B', 'B1', 5],
  ]);
  await runOn(world.ports, receiptSaga, await insert(world, record));
  const done = await world.ports.receipts.read(record.id);
  if (done.kind !== 'found') throw new Error('the receipt is gone');
  const { actor } = record;
  const reversing = { ...done.value.record, state: 'reversing', reversal: { by, actor } } as const;
  const reopened = await world.ports.receipts.reopen(done.value, reversing, 'somebody');
  if (reopened.kind !== 'saved') throw new Error('the receipt is not reopened');
  const ports = fatefulPorts(world, fate);
  const leaving = ports.inventory.post(action(ship('B1', 5), { id: 'B', key: 'leaving' }));
  const runs = [0, 1].map(() => runOn(ports, receiptSaga, reopened.held));
  await scheduler.waitFor(Promise.all([...runs, leaving]));
  const hasLeft = (await leaving).kind === 'moved';
  const also = hasLeft ? { movements: 1, units: -5 } : { movements: 0, units: 0 };
  return receivingFaults(world.ports, 'PO', [record.id], new Map([['B', also]]));
}

/** What is wrong once all has ended, whatever the order of the calls. */
async function raceFaults(sagaOf: SagaOf, fate: Fates) {
  const { scheduler, closes } = fate;
  const world = await newWorld();
  const ports = fatefulPorts(world, fate);
  const at = world.clock.now;
  const ours = await insert(
    world,
    pendingReceipt('PO', actionId('ours'), at, [
      [1, 'A', 'A1', 10],
      [2, 'B', 'B1', 5],
    ]),
  );
  const rival = await insert(
    world,
    pendingReceipt('PO', actionId('rival'), at, [[1, 'A', 'R1', 10]]),
  );
  const run = (held: Held<Receipt>) => runOn(ports, sagaOf, held);
  const leaving = async (): Promise<void> => {
    await ports.inventory.post(action(ship('B1', 5), { id: 'B', key: 'leaving' }));
  };
  await scheduler.waitFor(
    Promise.all([
      run(ours),
      run(ours),
      run(rival),
      leaving(),
      ...(closes ? [closeOrder(ports)] : []),
    ]),
  );
  return receivingFaults(
    world.ports,
    'PO',
    [ours.record.id, rival.record.id],
    new Map([['B', { movements: 1, units: onHandLimit - 2 - 5 }]]),
  );
}

const fates = fc.record({
  scheduler: fc.scheduler(),
  lost: fc.array(
    fc.nat({ max: 9 }).map((chance) => chance === 0),
    { maxLength: 80 },
  ),
  closes: fc.boolean(),
});

/** Whether no race of many finds anything wrong. */
async function holds(sagaOf: SagaOf): Promise<boolean> {
  let found = false;
  const race = fc.asyncProperty(fates, async (fate) => {
    found ||= (await raceFaults(sagaOf, fate)).length > 0;
    return !found;
  });
  await fc.check(race, { numRuns: 3_000, seed: 20_260_101, endOnFailure: true });
  return !found;
}

describe('two runners of one receipt', () => {
  it('come to one outcome, that the stock, the order and the record share', async () => {
    await fc.assert(
      fc.asyncProperty(fates, async (fate) => {
        expect(await raceFaults(receiptSaga, fate)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('two runners of one reversal', () => {
  it('come to one outcome too', async () => {
    await fc.assert(
      fc.asyncProperty(fates, async (fate) => {
        expect(await reversalFaults(fate)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the race of receipts finds out a saga', () => {
  it('whose failed step may still take effect later', async () => {
    const withoutVoid: SagaOf = (ports) =>
      receiptSaga({
        ...ports,
        inventory: {
          ...ports.inventory,
          post: async (step) => {
            const answer = await ports.inventory.post(refusable(step));
            if (answer.kind !== 'refused') return answer;
            return { kind: 'moved', movement: unrecorded(answer.refusal.code), replayed: false };
          },
        },
      });
    expect(await holds(withoutVoid)).toBe(false);
  });

  it('whose refusal is not written to the order', async () => {
    const unwritten: SagaOf = (ports) =>
      receiptSaga({
        ...ports,
        orders: {
          read: ports.orders.read,
          swap: async (before, after) =>
            after.outcomes.some(({ kind }) => kind === 'refused')
              ? { kind: 'written', order: after }
              : ports.orders.swap(before, after),
        },
      });
    expect(await holds(unwritten)).toBe(false);
  });

  it('that does not look whether the record still asks, once it has read the order', async () => {
    const unlooking: SagaOf = (ports) => {
      let inHand: Held<Receipt> | undefined;
      const saga = receiptSaga({
        ...ports,
        receipts: {
          read: () => {
            if (inHand === undefined) throw new Error('nothing is carried out');
            return Promise.resolve({ kind: 'found', value: { ...inHand, isAbandoned: false } });
          },
        },
      });
      return {
        next: saga.next,
        carryOut: (held, step) => {
          inHand = held;
          return saga.carryOut(held, step);
        },
      };
    };
    expect(await holds(unlooking)).toBe(false);
  });
});

function refusable(step: Action): Action {
  const { actionId: id, actor, sku: of, operation, digest, change } = step;
  return { actionId: id, actor, sku: of, operation, digest, change };
}

function unrecorded(refused: Movement['refused'] & string): Movement {
  const { actionId: id, actor, sku: of } = action(ship('B1', 5), { id: 'B' });
  const { now: at } = memoryWorld().clock;
  return { actionId: id, sku: of, ordinal: 1, type: 'void', lines: [], refused, actor, at };
}
