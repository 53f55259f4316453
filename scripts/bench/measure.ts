/**
 * The order of measurements: strategies that are compared take turns, run by run, so that whatever
 * else the machine does hits all of them alike.
 */
import type { Contender } from './contender.ts';
import type { Row, RunFigures } from './figures.ts';
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
  // The run that warms up is as long as the others, and counts for conservation only.
  for (const cell of cells) await measureOnce(cell, pace, 0);
  const figures = new Map<Cell, RunFigures[]>(cells.map((cell) => [cell, []]));
  for (let run = 1; run <= pace.runs; run += 1) {
    for (const cell of rotated(cells, run)) {
      pace.progress(`${describe(cell)}: run ${run} of ${pace.runs}`);
      figures.get(cell)?.push(await measureOnce(cell, pace, run));
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

async function measureOnce(
  { contender, stock, clients }: Cell,
  { manySkus, seconds, signal }: Pace,
  run: number,
): Promise<RunFigures> {
  signal.throwIfAborted();
  const load = { clients, seed: run * 100, amount: { seconds } };
  const { figures, tallies } = await contender.drive(stock, manySkus, load);
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
