/** What the records of sagas say, held against the orders and the stock that they are about. */
import type { LocationId, Sku } from '../../src/domain/ids.ts';
import { isUndone, nextStep } from '../../src/domain/receipt.ts';
import type { LineOutcome, Receipt } from '../../src/domain/receipt.ts';
import { closingOf, closingStep } from '../../src/domain/stock-count.ts';
import type { StockCount } from '../../src/domain/stock-count.ts';
import type { Database, Happened } from './database.ts';

export function sagaFaults(database: Database): readonly string[] {
  const receipts = Array.from(database.receipts.values(), ({ record }) => record);
  const counts = Array.from(database.counts.values(), ({ record }) => record);
  const moved = new Map<string, Happened>(
    Array.from(database.history.values())
      .flat()
      .map((movement) => [movement.actionId, movement]),
  );
  const told = new Set<string>();
  const faults = [
    ...receipts.flatMap((receipt) => receiptFaults(receipt, moved, told)),
    ...counts.flatMap((count) => countFaults(database, count, moved, told)),
    ...creditFaults(database, receipts),
  ];
  for (const id of moved.keys()) {
    const isOfSaga = /^~(receipt|receipt-reversal|count)\//.test(id);
    if (isOfSaga && !told.has(id)) faults.push(`8: no record tells of ${id}`);
  }
  return faults;
}

function creditFaults({ orders }: Database, receipts: readonly Receipt[]): readonly string[] {
  const faults: string[] = [];
  for (const { order } of orders.values()) {
    if (order.outcomes.length > 0) faults.push('8: the order keeps what it decided');
    for (const { line, received, ordered } of order.lines) {
      const brought = receipts
        .flatMap(({ lines }) => lines)
        .filter((one) => one.line === line)
        .filter(({ stocked, reversed }) => stocked?.kind === 'moved' && !isUndone(reversed))
        .reduce((sum, { quantity }) => sum + quantity, 0);
      if (received !== brought || received > ordered) {
        faults.push(`8: line ${line} is credited with ${received}, ${brought} of ${ordered} came`);
      }
    }
  }
  return faults;
}

function receiptFaults(
  receipt: Receipt,
  moved: ReadonlyMap<string, Happened>,
  told: Set<string>,
): readonly string[] {
  const { id, lines, state } = receipt;
  const faults = nextStep(receipt) === undefined ? [] : [`9: receipt ${id} is ${state}`];
  for (const [index, { stocked, reversed, quantity }] of lines.entries()) {
    const steps = [
      [`~receipt/${id}/${index}`, stocked, quantity],
      [`~receipt-reversal/${id}/${index}`, reversed, 0 - quantity],
    ] as const;
    for (const [action, outcome, units] of steps) {
      const movement = moved.get(action);
      if (outcome === undefined) continue;
      told.add(action);
      if (!agrees(outcome, movement, units)) faults.push(`8: ${action} is not as its record says`);
    }
  }
  return faults;
}

function agrees(outcome: LineOutcome, movement: Happened | undefined, units: number): boolean {
  if (movement === undefined) return false;
  switch (outcome.kind) {
    case 'moved':
      return outcome.ordinal === movement.ordinal && movement.lines[0]?.delta === units;
    case 'failed':
      return movement.type === 'void' && movement.refused === outcome.code;
  }
}

function countFaults(
  database: Database,
  count: StockCount,
  moved: ReadonlyMap<string, Happened>,
  told: Set<string>,
): readonly string[] {
  const { id, lines, status } = count;
  const faults = closingStep(count) === undefined ? [] : [`9: count ${id} is ${status}`];
  for (const [index, line] of lines.entries()) {
    const { tally, outcome, sku, location } = line;
    const action = `~count/${id}/${index}`;
    if (tally !== null) {
      const stood = levelAfter(database, sku, location, tally.asOfOrdinal);
      if (stood !== tally.onHand)
        faults.push(`8: line ${index} of ${id} counted against ${tally.onHand}, ${stood} stood`);
    }
    if (outcome?.kind !== 'adjusted' && outcome?.kind !== 'recount') continue;
    told.add(action);
    const closing = closingOf(line);
    const movement = moved.get(action);
    const isPosted =
      outcome.kind === 'recount'
        ? movement?.type === 'void'
        : closing.kind === 'post' && movement?.lines[0]?.delta === closing.delta;
    if (!isPosted || movement?.ordinal !== outcome.ordinal) {
      faults.push(`8: ${action} is not as its record says`);
    }
  }
  return faults;
}

function levelAfter(
  { history }: Database,
  sku: Sku,
  location: LocationId,
  ordinal: number,
): number {
  return (history.get(sku) ?? [])
    .slice(0, ordinal)
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => (line.location === location ? sum + line.delta : sum), 0);
}
