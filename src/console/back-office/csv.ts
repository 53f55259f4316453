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
  const { found, fault } = rowsOf(text.replace(/^\uFEFF/, ''));
  if (fault !== undefined) return { fault };
  const [head, ...body] = found.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (head === undefined) return { fault: 'The file is empty.' };
  const columns = head.cells.map((name) => name.trim());
  return {
    columns,
    rows: body.map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(columns.map((name, place) => [name, plain(cells[place] ?? '')])),
    })),
  };
}

interface FoundRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Whatever separates the most names in the first line. */
function delimiterOf(text: string): string {
  const [head = ''] = text.split(/[\r\n]/, 1);
  const counted = [',', ';', '\t'].map((one) => [one, head.split(one).length] as const);
  return counted.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** A row may span lines, so each is placed by the line breaks before it. */
function rowsOf(text: string): { readonly found: readonly FoundRow[]; readonly fault?: string } {
  const found: FoundRow[] = [];
  let fault: string | undefined;
  let [line, start] = [1, 0];
  Papa.parse<string[]>(text, {
    delimiter: delimiterOf(text),
    step: ({ data, errors, meta: { cursor } }) => {
      const broken = errors.find(({ type }) => type === 'Quotes');
      if (broken !== undefined) fault ??= `Line ${line}: ${broken.message}.`;
      found.push({ line, cells: data });
      line += text.slice(start, cursor).split(/\r\n|\r|\n/).length - 1;
      start = cursor;
    },
  });
  return fault === undefined ? { found } : { found, fault };
}

function plain(cell: string): string {
  return shielded.test(cell) ? cell.slice(1) : cell;
}
