/** What the stores of orders and receipts promise, for the real ones and for those in memory. */
import { expect, it } from 'vitest';
import { decideReceipt, letGo } from '../../src/domain/purchase-order.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { OrderStore, ReceiptStore } from '../../src/inventory/order-ports.ts';
import type { Held, Saved } from '../../src/inventory/saga-ports.ts';
import { actionId } from './actions.ts';
import { orderNumber, orderWith, pendingReceipt } from './receiving.ts';

export interface StoresUnderTest {
  readonly orders: OrderStore;
  readonly receipts: ReceiptStore;
  /** Lets every lease that there is lapse. */
  readonly lapse: () => Promise<void>;
}

/** Declares the cases; names are made the case's own, since the stores outlive it. */
export function storesKeepTheirPromises(stores: () => StoresUnderTest): void {
  ordersKeepTheirPromises(stores);
  receiptsKeepTheirPromises(stores);
}

function ordersKeepTheirPromises(stores: () => StoresUnderTest): void {
  it('make an order once', async () => {
    const { orders } = stores();
    const order = orderWith('MAKE', [1, 'A', 10]);
    expect(await orders.read(order.number)).toEqual({ kind: 'missing' });
    expect(await orders.create(order, actionId('one'))).toEqual({ kind: 'written', order });
    expect(await orders.create(order, actionId('two'))).toEqual({ kind: 'lost' });
    expect(await orders.read(order.number)).toMatchObject({
      kind: 'found',
      value: { order, changedBy: actionId('one') },
    });
  });

  it('change an order only from the version that was read', async () => {
    const { orders } = stores();
    const order = orderWith('SWAP', [1, 'A', 10], [2, 'B', 5]);
    await orders.create(order, actionId('one'));
    const read = await orders.read(order.number);
    if (read.kind !== 'found') throw new Error('not made');
    const receipt = pendingReceipt('SWAP', actionId('r'), read.value.now, [[1, 'A', 'A1', 4]]);
    const asked = { receipt: receipt.id, attempt: 1 };
    const credited = decideReceipt(order, asked, receipt.lines);
    const written = await orders.swap(read.value, credited);
    expect(written).toEqual({ kind: 'written', order: { ...credited, version: 2 } });
    expect(await orders.swap(read.value, credited)).toEqual({ kind: 'lost' });
    const again = await orders.read(order.number);
    if (again.kind !== 'found') throw new Error('gone');
    expect(again.value).toMatchObject({
      order: { lines: [{ received: 4 }, { received: 0 }], outcomes: [{ kind: 'credited' }] },
      changedBy: actionId('one'),
    });
    const { order: current } = again.value;
    await orders.swap(again.value, letGo(current, receipt.id), actionId('two'));
    const last = await orders.read(order.number);
    expect(last).toMatchObject({
      value: { order: { outcomes: [], version: 3 }, changedBy: actionId('two') },
    });
  });

  it('list orders by number, and by what their lines come to', async () => {
    const { orders } = stores();
    for (const number of ['LIST-2', 'LIST-1', 'LIST-3']) {
      await orders.create(orderWith(number, [1, 'A', 10]), actionId(number));
    }
    const read = await orders.read(orderNumber('LIST-2'));
    if (read.kind !== 'found') throw new Error('not made');
    await orders.swap(read.value, { ...read.value.order, standing: 'cancelled' });
    const after = orderNumber('LIST-0');
    const open = await orders.list({ status: 'open', after, limit: 2 });
    expect(open).toMatchObject({ value: [{ number: 'LIST-1' }, { number: 'LIST-3' }] });
    const cancelled = await orders.list({ status: 'cancelled', after, limit: 2 });
    expect(cancelled).toMatchObject({ value: [{ number: 'LIST-2' }] });
  });
}

function receiptsKeepTheirPromises(stores: () => StoresUnderTest): void {
  async function inserted(key: string): Promise<Held<Receipt>> {
    const { orders, receipts } = stores();
    await orders.create(orderWith('R', [1, 'A', 10]), actionId('made'));
    const order = await orders.read(orderNumber('R'));
    if (order.kind !== 'found') throw new Error('not made');
    const { now } = order.value;
    const record = pendingReceipt('R', actionId(key), now, [[1, 'A', 'A1', 4]]);
    return savedOf(await receipts.insert(record, 'first', now));
  }

  async function abandoned(): Promise<readonly string[]> {
    const read = await stores().receipts.abandoned(100);
    return read.kind === 'found' ? read.value : [];
  }

  it('insert a receipt once, in its holder hands', async () => {
    const { receipts } = stores();
    const held = await inserted('once');
    expect(held).toMatchObject({ version: 1, lease: { holder: 'first', fence: 1 } });
    const { at } = held.record;
    expect(await receipts.insert(held.record, 'other', at)).toEqual({ kind: 'lost' });
    expect(await receipts.read(held.record.id)).toEqual({
      kind: 'found',
      value: { ...held, isAbandoned: false },
    });
    expect(await receipts.take(held, 'other')).toEqual({ kind: 'lost' });
  });

  it('save only from the version in hand', async () => {
    const { receipts } = stores();
    const held = await inserted('saved');
    const after: Receipt = { ...held.record, state: 'credited' };
    const saved = savedOf(await receipts.save(held, after, false));
    expect(saved).toEqual({ record: after, version: 2, lease: held.lease });
    expect(await receipts.save(held, after, false)).toEqual({ kind: 'lost' });
    expect(await receipts.read(held.record.id)).toMatchObject({ value: saved });
  });

  it('give an abandoned receipt to one of many, and tell the last holder', async () => {
    const { receipts, lapse } = stores();
    const held = await inserted('taken');
    await lapse();
    expect(await abandoned()).toContain(held.record.id);
    const takers = ['a', 'b', 'c', 'd'];
    const taken = await Promise.all(takers.map((holder) => receipts.take(held, holder)));
    expect(taken.filter(({ kind }) => kind === 'saved')).toHaveLength(1);
    const read = await receipts.read(held.record.id);
    expect(read).toMatchObject({ value: { version: 2, lease: { fence: 2 }, isAbandoned: false } });
    expect(await receipts.save(held, held.record, false)).toEqual({ kind: 'lost' });
    expect(await receipts.renew(held.record.id, held.lease)).toEqual({ kind: 'lost' });
    expect(await abandoned()).not.toContain(held.record.id);
  });

  it('let a lease last longer for its holder, and leave the version alone', async () => {
    const { receipts, lapse } = stores();
    const held = await inserted('renewed');
    await lapse();
    expect(await receipts.renew(held.record.id, held.lease)).toEqual({ kind: 'renewed' });
    const read = await receipts.read(held.record.id);
    expect(read).toMatchObject({ value: { version: 1, isAbandoned: false } });
    expect(await receipts.take(held, 'other')).toEqual({ kind: 'lost' });
  });

  it('end the lease of a finished receipt, until it is reopened under another', async () => {
    const { receipts, lapse } = stores();
    const held = await inserted('reopened');
    const refusal = { code: 'unknown-line', line: 1 } as const;
    const after: Receipt = { ...held.record, state: 'refused', onOrder: false, refusal };
    const finished = savedOf(await receipts.save(held, after, true));
    await lapse();
    expect(await receipts.read(held.record.id)).toEqual({
      kind: 'found',
      value: { ...finished, isAbandoned: false },
    });
    expect(await receipts.take(finished, 'other')).toEqual({ kind: 'lost' });
    expect(await receipts.renew(held.record.id, held.lease)).toEqual({ kind: 'lost' });
    const again: Receipt = { ...held.record, attempt: 2 };
    const reopened = savedOf(await receipts.reopen(finished, again, 'next'));
    expect(reopened).toMatchObject({ version: 3, lease: { holder: 'next', fence: 2 } });
    expect(await receipts.reopen(finished, again, 'next')).toEqual({ kind: 'lost' });
    expect(await receipts.read(held.record.id)).toEqual({
      kind: 'found',
      value: { ...reopened, isAbandoned: false },
    });
  });

  it('list what the order has credited, newest first', async () => {
    const { receipts } = stores();
    const [one, two, pending] = [
      await inserted('listed-1'),
      await inserted('listed-2'),
      await inserted('listed-3'),
    ];
    for (const held of [one, two]) {
      const after: Receipt = { ...held.record, state: 'completed', onOrder: false };
      savedOf(await receipts.save(held, after, true));
    }
    const { number } = one.record;
    const all = await receipts.list({ number, limit: 100 });
    if (all.kind !== 'found') throw new Error('not listed');
    const ids = all.value.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([one.record.id, two.record.id]));
    expect(ids).not.toContain(pending.record.id);
    const [first] = all.value;
    if (first === undefined) throw new Error('nothing is listed');
    const rest = await receipts.list({ number, after: first, limit: 100 });
    expect(rest).toEqual({ kind: 'found', value: all.value.slice(1) });
  });
}

function savedOf(saved: Saved<Receipt>): Held<Receipt> {
  if (saved.kind !== 'saved') throw new Error(`not saved: ${saved.kind}`);
  return saved.held;
}
