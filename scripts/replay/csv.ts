/** CSV text → records that know their line. */
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';

/** What is wrong with the input, and where. */
export interface Problem {
  readonly file: string;
  /** Counted from 1; where a record spans several lines, its last. */
  readonly line: number;
  readonly message: string;
}

export interface CsvRecord {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

export interface CsvFile {
  readonly name: string;
  readonly text: string;
}

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

export type Parsed<T> =
  | { readonly kind: 'parsed'; readonly value: T }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/**
 * Reads a file with a header line. A byte order mark, quoted cells, either line ending and blank
 * lines are all taken; columns beyond `columns` are let through and ignored.
 */
export function parseCsv(file: CsvFile, columns: readonly string[]): Parsed<readonly CsvRecord[]> {
  const split = splitRows(file);
  if (split.kind === 'problems') return split;
  const [header, ...rows] = split.value;
  if (!header) return problem(file, 1, 'is empty; a header line is needed');
  const missing = columns.filter((column) => !header.cells.includes(column));
  if (missing.length > 0) {
    const found = header.cells.join(', ');
    return problem(file, header.line, `has no column ${missing.join(', ')}; found: ${found}`);
  }
  const twice = header.cells.find((column, index) => header.cells.indexOf(column) !== index);
  if (twice !== undefined) return problem(file, header.line, `has two columns named ${twice}`);
  const uneven = rows.filter((row) => row.cells.length !== header.cells.length);
  if (uneven.length > 0) {
    const problems = uneven.map((row) => ({
      file: file.name,
      line: row.line,
      message: `has ${row.cells.length} cells where the header has ${header.cells.length}`,
    }));
    return { kind: 'problems', problems };
  }
  const records = rows.map((row) => ({
    line: row.line,
    cells: Object.fromEntries(header.cells.map((column, at) => [column, row.cells[at] ?? ''])),
  }));
  return { kind: 'parsed', value: records };
}

const cells = z.array(z.string());

function splitRows(file: CsvFile): Parsed<readonly Row[]> {
  const rows: Row[] = [];
  try {
    parse(file.text, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (record: unknown, context) => {
        rows.push({ line: context.lines, cells: cells.parse(record) });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = z.number().catch(1).parse(error['lines']);
    return problem(file, line, error.message.replaceAll(/\s+/g, ' '));
  }
  return { kind: 'parsed', value: rows };
}

function problem(
  file: CsvFile,
  line: number,
  message: string,
): { readonly kind: 'problems'; readonly problems: readonly Problem[] } {
  return { kind: 'problems', problems: [{ file: file.name, line, message }] };
}
