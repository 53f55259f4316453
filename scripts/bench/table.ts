/** The figures as a person reads them. */
import { textTable } from '../replay/text-table.ts';
import type { Row } from './figures.ts';
import { medianOf, rateOf, rateRatio, rowOf } from './figures.ts';
import type { Judged } from './targets.ts';

const nothing = '–';

export function figuresTable(rows: readonly Row[]): string {
  const header = [
    'stock, transport, clients, strategy',
    'movements/s',
    'least–most',
    '× bare',
    '× one',
    'p50 ms',
    'p99 ms',
    'CPU ms own',
    'engine',
    'peak MB',
    'unknown',
  ];
  return textTable(
    header,
    inReadingOrder(rows).map((row) => figuresLine(row, rows)),
  );
}

/** The rows of one comparison stand together, the slowest last. */
function inReadingOrder(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted(
    (one, other) =>
      one.transport.localeCompare(other.transport) * -1 ||
      one.stock.localeCompare(other.stock) * -1 ||
      one.clients - other.clients ||
      (medianOf(other, rateOf) ?? 0) - (medianOf(one, rateOf) ?? 0),
  );
}

function figuresLine(row: Row, rows: readonly Row[]): readonly string[] {
  const rates = row.runs.map(rateOf);
  const besides = (strategy: 'bare' | 'one') =>
    shownRatio(rateRatio(row, rowOf(rows, { ...row, strategy, processes: 1 })));
  const peaks = row.runs.flatMap(({ peakBytes }) => peakBytes ?? []);
  return [
    `${row.stockText}, ${row.transport}, ${row.clients}, ${nameOf(row)}`,
    whole(medianOf(row, rateOf)),
    `${whole(Math.min(...rates))}–${whole(Math.max(...rates))}`,
    besides('bare'),
    besides('one'),
    milliseconds(medianOf(row, (run) => run.p50Ms)),
    milliseconds(medianOf(row, (run) => run.p99Ms)),
    milliseconds(medianOf(row, (run) => run.ownCpuMs)),
    milliseconds(medianOf(row, (run) => run.engineCpuMs)),
    peaks.length === 0 ? nothing : whole(Math.max(...peaks) / 1_000_000),
    whole(row.runs.reduce((sum, run) => sum + run.unknown, 0)),
  ];
}

function nameOf({ strategy, processes }: Row): string {
  return processes === 1 ? strategy : `${strategy} in ${processes} processes`;
}

export function targetsTable(judgements: readonly Judged[]): string {
  const lines = judgements.map(({ name, bound, ratio, met }) => [
    name,
    'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`,
    shownRatio(ratio),
    met === undefined ? 'not measured' : met ? 'met' : 'NOT MET',
  ]);
  return textTable(['target', 'bound', 'ratio', ''], lines);
}

function shownRatio(ratio: number | undefined): string {
  if (ratio === undefined) return nothing;
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2);
}

function whole(value: number | undefined): string {
  return value === undefined ? nothing : Math.round(value).toLocaleString('en-US');
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? nothing : value.toFixed(value < 10 ? 2 : 0);
}
