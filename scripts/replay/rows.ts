/** The three files of a folder, parsed and checked whole: rows, or every problem by its line. */
import { z } from 'zod';
import type { CsvFile, CsvRecord, Parsed, Problem } from './csv.ts';
import { parseCsv } from './csv.ts';

export const fileNames = {
  products: 'products.csv',
  orders: 'orders.csv',
  lines: 'order_details.csv',
} as const;

export interface FolderTexts {
  readonly products: string;
  readonly orders: string;
  readonly lines: string;
}

/** What one line of a file moves at most: the service takes no larger quantity. */
export const quantityLimit = 1_000_000_000;

// An id has one spelling, so that text equality is equality: `7` and `007` can't both occur.
const id = z.string().regex(/^[1-9]\d{0,8}$/, 'must be a whole number without leading zeros');

function whole(least: 0 | 1) {
  const message = `must be a whole number from ${least} to 1,000,000,000`;
  return z
    .string()
    .regex(/^(?:0|[1-9]\d{0,9})$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= quantityLimit, message);
}

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/, 'must begin with a date such as 1996-07-04')
  .transform((text) => text.slice(0, 10))
  .refine((day) => isDay(day), 'is not a day of the calendar');

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

const product = z.object({
  productID: id,
  productName: z.string().trim().min(1, 'must not be empty').max(100),
  quantityPerUnit: z.string().trim().max(60),
  unitsInStock: whole(0),
  reorderLevel: whole(0),
  discontinued: z.enum(['0', '1']).transform((flag) => flag === '1'),
});
const order = z.object({ orderID: id, orderDate: date });
const orderLine = z.object({ orderID: id, productID: id, quantity: whole(1) });

type Located<T> = T & { readonly line: number };
export type Product = Readonly<Located<z.infer<typeof product>>>;
type Order = Readonly<Located<z.infer<typeof order>>>;
export type OrderLine = Readonly<Located<z.infer<typeof orderLine>>>;

export interface Rows {
  readonly products: readonly Product[];
  readonly orders: readonly Order[];
  readonly lines: readonly OrderLine[];
}

/** Nothing is sent before this has passed; it reports all it finds, not only the first. */
export function parseRows(texts: FolderTexts): Parsed<Rows> {
  const products = readRows({ name: fileNames.products, text: texts.products }, product);
  const orders = readRows({ name: fileNames.orders, text: texts.orders }, order);
  const lines = readRows({ name: fileNames.lines, text: texts.lines }, orderLine);
  const malformed = [products, orders, lines].flatMap((read) =>
    read.kind === 'problems' ? read.problems : [],
  );
  if (
    products.kind === 'problems' ||
    orders.kind === 'problems' ||
    lines.kind === 'problems' ||
    malformed.length > 0
  ) {
    return { kind: 'problems', problems: malformed };
  }
  const rows: Rows = { products: products.value, orders: orders.value, lines: lines.value };
  const problems = inconsistencies(rows);
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'parsed', value: rows };
}

function readRows<S extends z.ZodObject>(
  file: CsvFile,
  schema: S,
): Parsed<readonly Located<z.infer<S>>[]> {
  const records = parseCsv(file, Object.keys(schema.shape));
  if (records.kind === 'problems') return records;
  const problems: Problem[] = [];
  const rows: Located<z.infer<S>>[] = [];
  for (const record of records.value) {
    const row = schema.safeParse(record.cells);
    if (row.success) rows.push({ ...row.data, line: record.line });
    else problems.push(...row.error.issues.map((issue) => cellProblem(file, record, issue)));
  }
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'parsed', value: rows };
}

function cellProblem(file: CsvFile, record: CsvRecord, issue: z.core.$ZodIssue): Problem {
  const column = issue.path.join('.');
  const found = JSON.stringify(record.cells[column] ?? '');
  return { file: file.name, line: record.line, message: `${column} ${found}: ${issue.message}` };
}

/** What no single row shows: ids that occur twice, and order lines that point nowhere. */
function inconsistencies({ products, orders, lines }: Rows): readonly Problem[] {
  const problems: Problem[] = [];
  const productIds = firstLines(fileNames.products, 'productID', products, problems);
  const orderIds = firstLines(fileNames.orders, 'orderID', orders, problems);
  if (products.length === 0) {
    problems.push({ file: fileNames.products, line: 1, message: 'lists no product' });
  }
  for (const { line, orderID, productID } of lines) {
    const file = fileNames.lines;
    if (!orderIds.has(orderID)) {
      problems.push({ file, line, message: `orderID ${orderID} is not in ${fileNames.orders}` });
    }
    if (!productIds.has(productID)) {
      const message = `productID ${productID} is not in ${fileNames.products}`;
      problems.push({ file, line, message });
    }
  }
  return problems;
}

function firstLines<C extends string>(
  file: string,
  column: C,
  rows: readonly ({ readonly line: number } & Readonly<Record<C, string>>)[],
  problems: Problem[],
): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  for (const row of rows) {
    const first = seen.get(row[column]);
    if (first === undefined) seen.set(row[column], row.line);
    else {
      const message = `${column} ${row[column]} stands in line ${first} already`;
      problems.push({ file, line: row.line, message });
    }
  }
  return seen;
}
