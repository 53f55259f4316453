/** A count with a line of each kind, and what has to be so once it is closed, whatever came between. */
import { expect } from 'vitest';
import type { CountId, StockCount } from '../../src/domain/stock-count.ts';
import { countsOf } from '../../src/store/count-documents.ts';
import { action, ship } from './actions.ts';
import type { CountingProcess } from './counting.ts';
import { countingProcess, openCount, outcomes, tally } from './counting.ts';
import type { Gate } from './crash-gate.ts';
import { gated } from './crash-gate.ts';
import type { Stockroom } from './stockroom.ts';
import { done } from './stockroom.ts';

/** A process each of whose calls goes through the gate; the timer is the process's own. */
export function gatedProcess(room: Stockroom, gate: Gate): CountingProcess {
  const ports = room.ports();
  return countingProcess(room, {
    ports: {
      ...ports,
      skus: gated(gate, 'skus', ports.skus),
      actions: gated(gate, 'actions', ports.actions),
      ledger: gated(gate, 'ledger', ports.ledger),
      locations: gated(gate, 'locations', ports.locations),
    },
    store: gated(gate, 'counts', room.counts()),
  });
}

/** The lease of whoever died is over. */
export async function lapse(room: Stockroom, id: CountId): Promise<void> {
  await countsOf(room.db).updateOne({ _id: id }, { $set: { leasedAt: new Date(0) } });
}

export async function stored(room: Stockroom, id: CountId): Promise<StockCount> {
  const read = await room.counts().read(id);
  if (read.kind !== 'found') throw new Error('the count is there');
  return read.value.record;
}

/**
 * A count with a line of each kind: more found, less found, the same, blank, and one that can't be
 * taken off any more.
 */
export async function countOfEveryKind(room: Stockroom, name: string): Promise<StockCount> {
  const process = countingProcess(room);
  const first = `${name}-1`;
  const second = `${name}-2`;
  await room.stockSku(first, { A1: 10, B1: 10 });
  await room.stockSku(second, { A1: 10, B1: 10, C1: 10 });
  const count = await openCount(process, ['A1', 'B1', 'C1'], { skus: [first, second] });
  await tally(process, count.id, [first, 'A1'], 13);
  await tally(process, count.id, [second, 'A1'], 4);
  await tally(process, count.id, [first, 'B1'], 10);
  await tally(process, count.id, [second, 'C1'], 3);
  await done(process.inventory, action(ship('A1', 2), { id: first }));
  await done(process.inventory, action(ship('C1', 9), { id: second }));
  return count;
}

export const everyOutcome = [
  'adjusted',
  'adjusted',
  'unchanged',
  'uncounted',
  'uncounted',
  'recount',
];

/** Closed once: each variance posted by one movement, the record and the stock agreeing. */
export async function expectClosedOnce(room: Stockroom, id: CountId): Promise<void> {
  const count = await stored(room, id);
  expect(count.status).toBe('closed');
  expect(outcomes(count)).toEqual(everyOutcome);
  const [first, second] = count.skus ?? expect.fail('the count names its SKUs');
  if (first === undefined || second === undefined) return expect.fail('two SKUs');
  expect((await room.document(first)).levels).toEqual(
    expect.arrayContaining([
      { location: 'A1', onHand: 11 },
      { location: 'B1', onHand: 10 },
    ]),
  );
  expect((await room.document(second)).levels).toEqual(
    expect.arrayContaining([
      { location: 'A1', onHand: 4 },
      { location: 'B1', onHand: 10 },
      { location: 'C1', onHand: 1 },
    ]),
  );
  for (const [sku, indexes] of [
    [first, [0]],
    [second, [1, 5]],
  ] as const) {
    const own = (await room.entries(sku))
      .map(({ actionId }) => actionId)
      .filter((actionId) => actionId.startsWith('~count/'));
    expect(own.toSorted()).toEqual(indexes.map((index) => `~count/${id}/${index}`));
    expect(await room.faults(sku)).toEqual([]);
  }
}
