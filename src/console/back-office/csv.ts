/**
 * Tables as CSV.
 *
 * 1. What is exported imports again unchanged.
 * 2. A text that a spreadsheet would take for a formula is exported behind an apostrophe, and one
 *    that begins with apostrophes before such a text gets one more, so that (1) holds.
 * 3. A file may begin with a byte order mark and separate by commas, semicolons or tabs.
 */
import Papa from 'papaparse';

export interface Table {
  readonly columns: readonly string[];
  /** With the line of the file that each began on. */
  readonly rows: readonly CsvRow[];
}

export interface CsvRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

const formula = /^'*[=+\-@\t\r]/;
const shielded = /^'+[=+\-@\t\r]/;

export function csvOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const shieldedRows = rows.map((row) =>
    row.map((cell) => (formula.test(cell) ? `'${cell}` : cell)),
  );
  return `${Papa.unparse({ fields: [...columns], data: shieldedRows }, { newline: '\r\n' })}\r\n`;
}

/** @returns what is wrong with the file as a file, where it cannot be read. */
export function readCsv(text: string): Table | { readonly fault: string } {
  const { data, errors, meta } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken !== undefined) return { fault: `${broken.message} (row ${(broken.row ?? 0) + 1})` };
  const [head, ...body] = data;
  if (head === undefined || meta.aborted) return { fault: 'The file is empty.' };
  const columns = head.map((name) => name.trim());
  return {
    columns,
    rows: body.map((row, index) => ({
      line: index + 2,
      cells: Object.fromEntries(columns.map((name, place) => [name, plain(row[place] ?? '')])),
    })),
  };
}

function plain(cell: string): string {
  return shielded.test(cell) ? cell.slice(1) : cell;
}
