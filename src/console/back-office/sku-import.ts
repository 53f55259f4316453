/**
 * SKUs from a table. A file is checked whole before anything is written; each line replaces one
 * SKU, so the same file sent again after a crash finishes what is missing and changes nothing else.
 */
import type { SkuAnswer } from '../answers.ts';
import type { CsvRow, Table } from './csv.ts';
import { csvOf } from './csv.ts';
import type { Checked, LineFault } from './importing.ts';
import { headFaults, sound } from './importing.ts';

export interface SkuDefinition {
  readonly sku: string;
  readonly body: {
    readonly description: string;
    readonly baseUnit: string;
    readonly packs: readonly { readonly unit: string; readonly contains: number }[];
    readonly barcodes: readonly { readonly code: string; readonly unit?: string }[];
    readonly reorderPoint?: number;
    readonly status: 'active' | 'discontinued';
  };
}

export const skuColumns = [
  'sku',
  'description',
  'baseUnit',
  'packs',
  'barcodes',
  'reorderPoint',
  'status',
] as const;

type Existing = Pick<
  SkuAnswer,
  'sku' | 'description' | 'baseUnit' | 'packs' | 'barcodes' | 'reorderPoint' | 'status' | 'totals'
>;

export function exportSkus(skus: readonly Existing[]): string {
  return csvOf(skuColumns, skus.map(cellsOf));
}

export function cellsOf(sku: Omit<Existing, 'totals'>): readonly string[] {
  return [
    sku.sku,
    sku.description,
    sku.baseUnit,
    sku.packs.map(({ unit, contains }) => `${held(unit)}=${contains}`).join(' | '),
    sku.barcodes
      .map(({ code, unit }) => (unit === undefined ? held(code) : `${held(code)}=${held(unit)}`))
      .join(' | '),
    sku.reorderPoint === undefined ? '' : String(sku.reorderPoint),
    sku.status,
  ];
}

/** What the file would do, and what is wrong with it, line by line. */
export function checkSkus(
  { columns, rows }: Table,
  existing: readonly Existing[],
): Checked<SkuDefinition> {
  const heads = headFaults(columns, skuColumns, ['sku', 'description']);
  if (heads.length > 0) return sound(heads, [], [], 0);
  const known = new Map(existing.map((sku) => [sku.sku, sku]));
  const owners = new Map(
    existing.flatMap(({ sku, barcodes }) => barcodes.map(({ code }) => [code, sku] as const)),
  );
  const inFile = new Set(rows.map(({ cells }) => cells['sku'] ?? ''));
  const seen = new Map<string, number>();
  const codes = new Map<string, number>();
  const read = rows.map((row) => {
    const definition = definitionOf(row);
    if (typeof definition === 'string') return { line: row.line, fault: definition };
    const fault = againstOthers(definition, row.line, { known, owners, inFile, seen, codes });
    return fault === undefined ? definition : { line: row.line, fault };
  });
  const faults = read.filter((one): one is LineFault => 'fault' in one);
  const definitions = read.filter((one): one is SkuDefinition => 'body' in one);
  const added = definitions.filter(({ sku }) => !known.has(sku));
  const changed = definitions.filter((definition) => differs(definition, known));
  return sound(faults, added, changed, definitions.length - added.length - changed.length);
}

function differs({ sku, body }: SkuDefinition, known: ReadonlyMap<string, Existing>): boolean {
  const before = known.get(sku);
  if (before === undefined) return false;
  return JSON.stringify(cellsOf({ ...body, sku })) !== JSON.stringify(cellsOf(before));
}

interface Others {
  readonly known: ReadonlyMap<string, Existing>;
  /** Of barcodes that are given already. */
  readonly owners: ReadonlyMap<string, string>;
  readonly inFile: ReadonlySet<string>;
  /** SKUs and codes of earlier lines. */
  readonly seen: Map<string, number>;
  readonly codes: Map<string, number>;
}

function againstOthers(
  { sku, body }: SkuDefinition,
  line: number,
  { known, owners, inFile, seen, codes }: Others,
): string | undefined {
  const earlier = seen.get(sku);
  if (earlier !== undefined) return `${sku} stands on line ${earlier} already.`;
  seen.set(sku, line);
  const before = known.get(sku);
  if (before !== undefined && before.baseUnit !== body.baseUnit && before.totals.onHand > 0) {
    return `The base unit of ${sku} can’t change from ${before.baseUnit} while stock stands.`;
  }
  for (const { code } of body.barcodes) {
    const other = codes.get(code);
    if (other !== undefined) return `Barcode ${code} stands on line ${other} already.`;
    codes.set(code, line);
    const owner = owners.get(code);
    // One that the file also defines may give the code up.
    if (owner !== undefined && owner !== sku && !inFile.has(owner)) {
      return `Barcode ${code} belongs to ${owner}.`;
    }
  }
  return undefined;
}

/** @returns the definition, or what is wrong with the line. */
export function definitionOf({ cells }: CsvRow): SkuDefinition | string {
  const cell = (name: string): string => cells[name] ?? '';
  const sku = cell('sku').normalize('NFC');
  if (sku === '' || sku !== sku.trim() || /\p{Cc}/u.test(sku)) {
    return 'The SKU is empty, or has white space at an end or control characters.';
  }
  if (Array.from(sku).length > 64) return 'The SKU has more than 64 characters.';
  const description = cell('description');
  if (description.trim() === '') return 'The description is empty.';
  const packs = pairsOf(cell('packs'));
  const wrong = packs.find(({ value }) => value === undefined || !isPackSize(value));
  if (wrong !== undefined)
    return `“${wrong.name}” is no pack: write unit=contains, such as case=12.`;
  const reorder = cell('reorderPoint');
  if (!/^\d*$/.test(reorder)) return `The reorder point “${reorder}” is no whole number.`;
  const status = cell('status') || 'active';
  if (status !== 'active' && status !== 'discontinued') return `There is no status “${status}”.`;
  return {
    sku,
    body: {
      description,
      baseUnit: cell('baseUnit') || 'each',
      packs: packs.map(({ name, value }) => ({ unit: name, contains: Number(value) })),
      barcodes: pairsOf(cell('barcodes')).map(({ name, value }) => ({
        code: name,
        ...(value === undefined ? {} : { unit: value }),
      })),
      ...(reorder === '' ? {} : { reorderPoint: Number(reorder) }),
      status,
    },
  };
}

function isPackSize(text: string): boolean {
  const size = Number(text);
  return /^\d+$/.test(text) && size >= 2 && size <= 1_000_000;
}

interface Pair {
  readonly name: string;
  readonly value?: string;
}

/** `a=1 | b=2`. */
function pairsOf(text: string): readonly Pair[] {
  return text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', value] = part.split('=').map((side) => freed(side.trim()));
      return value === undefined ? { name } : { name, value };
    });
}

/** A name that holds a separator of the cell is written as in an address. */
function held(name: string): string {
  return name.replace(/[%=|]/g, encodeURIComponent);
}

function freed(text: string): string {
  return text.replace(/%(?:25|3D|7C)/gi, decodeURIComponent);
}
