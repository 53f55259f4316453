/** What was measured, and how figures are set against each other. */
import { median } from './statistics.ts';
import type { StockName } from './stock.ts';

export type Transport = 'in-process' | 'http';
export type StrategyName = 'path' | 'plain' | 'bare' | 'tx' | 'one';

/** One strategy on one stock with so many clients. */
export interface Subject {
  readonly transport: Transport;
  readonly strategy: StrategyName;
  /** How many processes run the strategy; the clients are spread over them. */
  readonly processes: number;
  readonly stock: StockName;
  readonly clients: number;
}

export interface RunFigures {
  readonly movementsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the process that runs the strategy; the largest where there are several. */
  readonly peakBytes: number | undefined;
  /** Processor time a movement, of the strategy's processes and of the engine's. */
  readonly ownCpuMs: number | undefined;
  readonly engineCpuMs: number | undefined;
  /** Movements without a definite answer. */
  readonly unknown: number;
}

export interface Row extends Subject {
  readonly stockText: string;
  readonly runs: readonly RunFigures[];
}

export function medianOf(
  row: Row,
  figure: (run: RunFigures) => number | undefined,
): number | undefined {
  return median(row.runs.flatMap((run) => figure(run) ?? []));
}

export const rateOf = (run: RunFigures): number => run.movementsPerSecond;

export function rowOf(rows: readonly Row[], subject: Subject): Row | undefined {
  return rows.find(
    (row) =>
      row.transport === subject.transport &&
      row.strategy === subject.strategy &&
      row.processes === subject.processes &&
      row.stock === subject.stock &&
      row.clients === subject.clients,
  );
}

/**
 * How much faster one is than the other: the median of the ratios of runs that stood side by side,
 * so that what slows the machine for a while slows both.
 */
export function rateRatio(row: Row | undefined, reference: Row | undefined): number | undefined {
  if (row === undefined || reference === undefined) return undefined;
  return median(
    row.runs.flatMap((run, index) => {
      const beside = reference.runs[index];
      return beside === undefined ? [] : [run.movementsPerSecond / beside.movementsPerSecond];
    }),
  );
}
