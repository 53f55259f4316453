/** Locations from a table, and as one. */
import type { LocationAnswer } from '../answers.ts';
import type { CsvRow, Table } from './csv.ts';
import { csvOf } from './csv.ts';
import type { Checked, LineFault } from './importing.ts';
import { headFaults, sound } from './importing.ts';

export interface LocationDefinition {
  readonly location: string;
  readonly body: {
    readonly warehouse: string;
    readonly kind: 'storage' | 'receiving' | 'quarantine';
    readonly name?: string;
  };
}

const columns = ['location', 'warehouse', 'name', 'kind'] as const;
const idForm = /^[A-Z0-9][A-Z0-9_-]{0,31}$/;

type Existing = Pick<LocationAnswer, 'location' | 'warehouse' | 'name' | 'kind' | 'retiredAt'>;

/** Retired ones are left out: their ids are not used again. */
export function exportLocations(locations: readonly Existing[]): string {
  const standing = locations.filter(({ retiredAt }) => retiredAt === undefined);
  return csvOf(columns, standing.map(cellsOf));
}

function cellsOf({ location, warehouse, name = '', kind }: Existing): readonly string[] {
  return [location, warehouse, name, kind];
}

export function checkLocations(
  table: Table,
  existing: readonly Existing[],
): Checked<LocationDefinition> {
  const heads = headFaults(table.columns, columns, ['location', 'warehouse']);
  if (heads.length > 0) return sound(heads, [], [], 0);
  const known = new Map(existing.map((location) => [location.location, location]));
  const seen = new Map<string, number>();
  const read = table.rows.map((row) => {
    const definition = definitionOf(row);
    if (typeof definition === 'string') return { line: row.line, fault: definition };
    const { location } = definition;
    const fault = againstOthers(definition, known.get(location), seen.get(location));
    seen.set(location, row.line);
    return fault === undefined ? definition : { line: row.line, fault };
  });
  const faults = read.filter((one): one is LineFault => 'fault' in one);
  const definitions = read.filter((one): one is LocationDefinition => 'body' in one);
  const added = definitions.filter(({ location }) => !known.has(location));
  const changed = definitions.filter(({ location, body }) => {
    const before = known.get(location);
    const after = cellsOf({ ...body, location });
    return before !== undefined && JSON.stringify(cellsOf(before)) !== JSON.stringify(after);
  });
  return sound(faults, added, changed, definitions.length - added.length - changed.length);
}

function againstOthers(
  { location, body }: LocationDefinition,
  before: Existing | undefined,
  earlier: number | undefined,
): string | undefined {
  if (earlier !== undefined) return `${location} stands on line ${earlier} already.`;
  if (before?.retiredAt !== undefined) return `${location} is retired; its id is not used again.`;
  if (before !== undefined && before.warehouse !== body.warehouse) {
    return `${location} belongs to ${before.warehouse} for good.`;
  }
  return undefined;
}

function definitionOf({ cells }: CsvRow): LocationDefinition | string {
  const { location = '', warehouse = '', name = '', kind = '' } = cells;
  if (!idForm.test(location)) return `“${location}” is no id of a location: A–Z, 0–9, _ and -.`;
  if (!idForm.test(warehouse)) return `“${warehouse}” is no id of a warehouse: A–Z, 0–9, _ and -.`;
  if (kind !== '' && kind !== 'storage' && kind !== 'receiving' && kind !== 'quarantine') {
    return `There is no kind “${kind}”.`;
  }
  const body = { warehouse, kind: kind === '' ? 'storage' : kind } as const;
  return { location, body: name === '' ? body : { ...body, name } };
}
