/**
 * The order of measurements: strategies that are compared take turns, run by run, so that whatever
 * else the machine does hits all of them alike.
 */
import type { Contender } from './contender.ts';
import type { Row, RunFigures } from './figures.ts';
import type { Load } from './load.ts';
import type { Stock } from './stock.ts';
import { describeStock } from './stock.ts';

/** One row of the table to be. */
export interface Cell {
  readonly contender: Contender;
  readonly stock: Stock;
  readonly clients: number;
}

export interface Pace {
  readonly runs: number;
  readonly seconds: number;
  readonly manySkus: number;
  readonly progress: (text: string) => void;
  /** Ends the bench before the next measurement. */
  readonly signal: AbortSignal;
}

/** @throws ConservationFault as soon as a run has lost or made stock. */
export async function measureSideBySide(
  cells: readonly Cell[],
  pace: Pace,
): Promise<readonly Row[]> {
  for (const { contender, stock } of cells) {
    pace.signal.throwIfAborted();
    await contender.ground.ready(stock);
  }
  for (const cell of cells) await warmUp(cell, pace);
  const figures = new Map<Cell, RunFigures[]>(cells.map((cell) => [cell, []]));
  for (let run = 1; run <= pace.runs; run += 1) {
    for (const cell of rotated(cells, run)) {
      pace.progress(`${describe(cell)}: run ${run} of ${pace.runs}`);
      const amount = { seconds: pace.seconds };
      figures.get(cell)?.push(await measureOnce(cell, pace, { seed: run * 100, amount }));
    }
  }
  return cells.map((cell) => ({
    transport: cell.contender.transport,
    strategy: cell.contender.strategy,
    processes: cell.contender.processes,
    stock: cell.stock.name,
    stockText: describeStock(cell.stock),
    clients: cell.clients,
    runs: figures.get(cell) ?? [],
  }));
}

/**
 * Every SKU is moved once, since a service that runs knows the states of the SKUs it has moved, and
 * then a run as long as the others compiles the code. Both count for conservation only.
 */
async function warmUp(cell: Cell, pace: Pace): Promise<void> {
  const { skus } = cell.stock;
  pace.progress(`${describe(cell)}: warming up`);
  await measureOnce(cell, pace, { seed: 0, amount: { movements: skus.length }, inTurn: true });
  await measureOnce(cell, pace, { seed: 0, amount: { seconds: pace.seconds } });
}

async function measureOnce(
  { contender, stock, clients }: Cell,
  { manySkus, signal }: Pace,
  how: Omit<Load, 'clients'>,
): Promise<RunFigures> {
  signal.throwIfAborted();
  const { figures, tallies } = await contender.drive(stock, manySkus, { ...how, clients });
  contender.ground.credit(stock, tallies);
  await contender.ground.check(stock);
  return figures;
}

/** Nobody is always the first, nor always behind the same other. */
function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const from = by % Math.max(1, items.length);
  return [...items.slice(from), ...items.slice(0, from)];
}

function describe({ contender, stock, clients }: Cell): string {
  const { transport, strategy } = contender;
  return `${transport}, ${describeStock(stock)}, ${clients} clients: ${strategy}`;
}
