/** Purchase orders from a table: a row a line, the rows of one number together one order. */
import type { OrderAnswer } from '../answers.ts';
import type { CsvRow, Table } from './csv.ts';
import { csvOf } from './csv.ts';
import type { Checked, LineFault } from './importing.ts';
import { headFaults, sound } from './importing.ts';

interface OrderedLine {
  readonly line: number;
  readonly sku: string;
  readonly ordered: number;
  readonly unit?: string;
}

export interface NewOrderDefinition {
  readonly number: string;
  readonly supplier: string;
  readonly lines: readonly OrderedLine[];
}

const columns = ['number', 'supplier', 'line', 'sku', 'ordered', 'unit'] as const;

type Existing = Pick<OrderAnswer, 'number' | 'supplier' | 'lines'>;

/** In base units, as the service keeps them. */
export function exportOrders(orders: readonly Existing[]): string {
  return csvOf(
    columns,
    orders.flatMap(({ number, supplier, lines }) =>
      lines.map(({ line, sku, ordered }) => [
        number,
        supplier,
        String(line),
        sku,
        String(ordered),
        '',
      ]),
    ),
  );
}

/** An order that is there already stays as it is; the file can't change it. */
export function checkOrders(
  table: Table,
  existing: readonly Existing[],
): Checked<NewOrderDefinition> {
  const heads = headFaults(table.columns, columns, ['number', 'supplier', 'sku', 'ordered']);
  if (heads.length > 0) return sound(heads, [], [], 0);
  const known = new Set(existing.map(({ number }) => number));
  const orders = new Map<string, NewOrderDefinition>();
  const faults: LineFault[] = [];
  for (const row of table.rows) {
    const fault = addRow(orders, row);
    if (fault !== undefined) faults.push({ line: row.line, fault });
  }
  const all = Array.from(orders.values());
  const added = all.filter(({ number }) => !known.has(number));
  return sound(faults, added, [], all.length - added.length);
}

/** @returns what is wrong with the row. */
function addRow(orders: Map<string, NewOrderDefinition>, { cells }: CsvRow): string | undefined {
  const { number = '', supplier = '', sku = '', ordered = '', unit = '', line = '' } = cells;
  if (number === '' || supplier === '' || sku === '') return 'Number, supplier or SKU is empty.';
  const quantity = Number(ordered);
  if (!/^\d+$/.test(ordered) || quantity < 1) return `“${ordered}” is no whole quantity.`;
  const before = orders.get(number);
  if (before !== undefined && before.supplier !== supplier) {
    return `${number} has the supplier ${before.supplier} on an earlier line.`;
  }
  const lines = before?.lines ?? [];
  const place = line === '' ? lines.length + 1 : Number(line);
  if (!Number.isSafeInteger(place) || place < 1) return `“${line}” is no number of a line.`;
  if (lines.some((other) => other.line === place)) return `${number} has line ${place} already.`;
  const added = { line: place, sku, ordered: quantity, ...(unit === '' ? {} : { unit }) };
  orders.set(number, { number, supplier, lines: [...lines, added] });
  return undefined;
}
