/** What the stores of the mutation path promise, for the real ones and for those in memory. */
import { expect, it } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import { decide } from '../../src/domain/decide.ts';
import type { Instant } from '../../src/domain/ids.ts';
import type { DecidedMovement } from '../../src/domain/movement.ts';
import { windowLimit } from '../../src/domain/movement.ts';
import type { SkuState } from '../../src/domain/sku.ts';
import type { Ports, SkuChange, SkuRead, Swap } from '../../src/inventory/ports.ts';
import { claimOf } from '../../src/inventory/ticket.ts';
import {
  action,
  definition,
  instant,
  location,
  place,
  receive,
  reserve,
  ship,
  sku,
} from './actions.ts';

export type StockStores = Pick<Ports, 'skus' | 'actions' | 'ledger'>;

const noInterest = { actions: [], reservations: [], undone: [] };

/** Declares the cases; each has a SKU of its own, since the stores outlive it. */
export function stockStoresKeepTheirPromises(stores: () => StockStores): void {
  swapsKeepTheirPromises(stores);
  windowsKeepTheirPromises(stores);
  claimsAndEntriesKeepTheirPromises(stores);
}

async function created({ skus }: StockStores, id: string): Promise<SkuRead> {
  const by = action({ type: 'define', definition }, { id });
  const state: SkuState = {
    sku: sku(id),
    definition,
    levels: [],
    reservations: [],
    lastActionId: by.actionId,
    version: 1,
    movementCount: 0,
  };
  await skus.create(state);
  return readOf({ skus }, id);
}

async function readOf(
  { skus }: Pick<StockStores, 'skus'>,
  id: string,
  interest: Parameters<Ports['skus']['read']>[1] = noInterest,
): Promise<SkuRead> {
  const read = await skus.read(sku(id), interest);
  if (read.kind !== 'found') throw new Error(`${id} is ${read.kind}`);
  return read.value;
}

/** The write that these actions, one after the other, come to. */
function changeOf(read: SkuRead, actions: readonly Action[], until?: Instant): SkuChange {
  const locations = new Map([[place('A1'), location('A1')]]);
  let after = read.state;
  const movements: DecidedMovement[] = [];
  for (const one of actions) {
    const decision = decide(after, one, { now: read.now, locations });
    if (decision.kind !== 'moved') throw new Error(`a suite's action is ${decision.kind}`);
    after = decision.state;
    movements.push(decision.movement);
  }
  return {
    before: read.state,
    extent: read.extent,
    after: { ...after, version: read.state.version + 1 },
    movements,
    ledgeredThrough: read.extent.ledgeredThrough,
    ...(until === undefined ? {} : { until }),
  };
}

function swapsKeepTheirPromises(stores: () => StockStores): void {
  it('make a SKU once', async () => {
    const { skus } = stores();
    const { state } = await created(stores(), 'SUITE-MAKE');
    expect(await skus.create(state)).toEqual({ kind: 'lost' });
    expect(await skus.read(sku('SUITE-NONE'), noInterest)).toEqual({ kind: 'missing' });
  });

  it('change a SKU only from the version that was read, in one write', async () => {
    const { skus } = stores();
    const read = await created(stores(), 'SUITE-SWAP');
    const first = action(receive('A1', 10), { id: 'SUITE-SWAP' });
    const change = changeOf(read, [first]);
    const swapped = await skus.swap(change);
    expect(swapped).toMatchObject({
      kind: 'swapped',
      extent: { from: 1, ledgeredThrough: 0 },
    });
    expect(await skus.swap(change)).toEqual({ kind: 'lost' });
    const after = await readOf(stores(), 'SUITE-SWAP', {
      ...noInterest,
      actions: [first.actionId],
    });
    expect(after.state).toEqual(change.after);
    expect(after.extent).toMatchObject({ from: 1, ledgeredThrough: 0 });
    expect(after.retained).toMatchObject([
      { actionId: first.actionId, ordinal: 1, type: 'receive', at: atOf(swapped) },
    ]);
  });

  it('write before the moment that a change names, and not from that moment on', async () => {
    const { skus } = stores();
    const read = await created(stores(), 'SUITE-UNTIL');
    const moves = [action(receive('A1', 1), { id: 'SUITE-UNTIL' })];
    expect(await skus.swap(changeOf(read, moves, read.now))).toEqual({ kind: 'lost' });
    const later = instant(read.now + 3_600_000);
    expect(await skus.swap(changeOf(read, moves, later))).toMatchObject({ kind: 'swapped' });
  });
}

function atOf(swap: Swap): Instant | undefined {
  return swap.kind === 'swapped' ? swap.at : undefined;
}

function windowsKeepTheirPromises(stores: () => StockStores): void {
  it('show of the window what is asked for, without its text', async () => {
    const { skus } = stores();
    const id = 'SUITE-SHOW';
    const read = await created(stores(), id);
    const hold = reserve('A1', 2);
    const held = action(hold, { id });
    const goods = { ...action(receive('A1', 10), { id }), note: 'a note' };
    await skus.swap(changeOf(read, [goods, held, action(ship('A1', 1), { id })]));
    const { reservation } = hold;
    const byHold = await readOf(stores(), id, { ...noInterest, reservations: [reservation] });
    expect(byHold.retained.map(({ ordinal }) => ordinal)).toEqual([2]);
    const byAction = await readOf(stores(), id, { ...noInterest, actions: [goods.actionId] });
    expect(byAction.retained).toHaveLength(1);
    expect(byAction.retained[0]).not.toHaveProperty('note');
    expect(byAction.retained[0]).not.toHaveProperty('sku');
    const since = await skus.window(sku(id), 1);
    expect(since).toMatchObject({ value: [{ ordinal: 2 }, { ordinal: 3 }] });
  });

  it('let go of the oldest beyond the limit', async () => {
    const { skus } = stores();
    const id = 'SUITE-WINDOW';
    let read = await created(stores(), id);
    const many = (count: number): readonly Action[] =>
      Array.from({ length: count }, () => action(receive('A1', 1), { id }));
    for (let batch = 0; batch < 5; batch += 1) {
      await skus.swap(changeOf(read, many(90)));
      read = await readOf(stores(), id);
    }
    expect(read.extent).toMatchObject({ from: 1, ledgeredThrough: 0 });
    await skus.swap({ ...changeOf(read, many(60)), ledgeredThrough: 450 });
    read = await readOf(stores(), id);
    expect(read.extent).toMatchObject({ from: 510 - windowLimit + 1, ledgeredThrough: 450 });
    const window = await skus.window(sku(id), 0);
    expect(window.kind === 'found' ? window.value.length : 0).toBe(windowLimit);
  });
}

function claimsAndEntriesKeepTheirPromises(stores: () => StockStores): void {
  it('keep the first claim of an id, and make the others all the same', async () => {
    const { actions } = stores();
    const [first, other] = ['suite-claim', 'suite-other'].map((key) =>
      claimOf(action(receive('A1', 1), { key })),
    );
    if (first === undefined || other === undefined) throw new Error('two were made');
    expect(await actions.claim([first])).toEqual({ kind: 'claimed', standing: new Map() });
    const rival = claimOf(action(receive('A1', 2), { key: 'suite-claim' }));
    const standing = new Map([[first.actionId, first]]);
    expect(await actions.claim([other, rival])).toEqual({ kind: 'claimed', standing });
    const found = await actions.find([first.actionId, other.actionId]);
    const both = new Map([
      [first.actionId, first],
      [other.actionId, other],
    ]);
    expect(found).toEqual({ kind: 'found', value: both });
  });

  it('enter a movement once, and find it by what it is about', async () => {
    const { ledger } = stores();
    const id = 'SUITE-LEDGER';
    const read = await created(stores(), id);
    const hold = reserve('A1', 2);
    const goods = { ...action(receive('A1', 10), { id }), note: 'a note' };
    const { movements } = changeOf(read, [
      goods,
      action(hold, { id }),
      action(ship('A1', 1), { id }),
    ]);
    const entries = movements.map((movement) => ({ ...movement, at: read.now }));
    await ledger.record(entries.slice(0, 2));
    await ledger.record([...entries.slice(2), ...entries.slice(0, 1)]);
    const [one, two, three] = entries;
    const all = { sku: sku(id), after: 0, through: 9, limit: 9 };
    expect(await ledger.entries(all)).toEqual({ kind: 'found', value: [one, two, three] });
    const ordinals = await ledger.ordinals(sku(id), 1, 2);
    expect(ordinals).toEqual({ kind: 'found', value: new Set([2]) });
    const byAction = await ledger.byAction(sku(id), [goods.actionId]);
    expect(byAction).toEqual({ kind: 'found', value: new Map([[goods.actionId, one]]) });
    const byHold = await ledger.byReservation(sku(id), [hold.reservation]);
    expect(byHold).toEqual({ kind: 'found', value: new Map([[hold.reservation, two]]) });
    expect(await ledger.ofAction(goods.actionId)).toEqual({ kind: 'found', value: one });
    const net = await ledger.netByLocation(sku(id), 0, 3);
    expect(net).toEqual({ kind: 'found', value: new Map([['A1', 9]]) });
    const newest = await ledger.history({ sku: sku(id), before: 3, limit: 1 });
    expect(newest).toEqual({ kind: 'found', value: [two] });
  });
}
