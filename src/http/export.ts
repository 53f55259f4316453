/** The forms in which a whole list of movements goes out, a page of them at a time. */
import { stringify } from 'csv-stringify/sync';
import type { Movement } from '../domain/movement.ts';
import type { ExportPage } from '../inventory/inventory.ts';
import { instantText } from './instant-text.ts';
import { movementView } from './movement-view.ts';

export interface ExportForm {
  readonly contentType: string;
  readonly fileName: string;
  /** What stands before the first movement. */
  readonly head: string;
  readonly write: (movements: readonly Movement[]) => string;
}

/**
 * The text of an export, a piece for each page.
 * @throws when a page does not come: whoever reads on has to learn that the rest is missing.
 */
export async function* exportText(
  form: ExportForm,
  first: readonly Movement[],
  rest: AsyncIterator<ExportPage>,
): AsyncGenerator<string> {
  try {
    yield form.head + form.write(first);
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      if (next.value.kind === 'unknown') throw new Error(next.value.cause);
      if (next.value.kind === 'refused')
        throw new TypeError('an export is refused at once or never');
      if (next.value.value.length > 0) yield form.write(next.value.value);
    }
  } finally {
    // A reader that goes away leaves pages that nobody asks for any more.
    await rest.return?.();
  }
}

export const ndjson: ExportForm = {
  contentType: 'application/x-ndjson',
  fileName: 'movements.ndjson',
  head: '',
  write: (movements) =>
    movements.map((movement) => `${JSON.stringify(movementView(movement))}\n`).join(''),
};

const columns = [
  'actionId',
  'sku',
  'ordinal',
  'type',
  'location',
  'delta',
  'onHand',
  'reason',
  'reference',
  'note',
  'reservation',
  'reverses',
  'actor',
  'at',
];

/** One row a line; a movement that changes no level has one row without one. */
export const csv: ExportForm = {
  contentType: 'text/csv; charset=utf-8; header=present',
  fileName: 'movements.csv',
  head: rowsText([columns]),
  write: (movements) => rowsText(movements.flatMap(rowsOf)),
};

type Cell = string | number;

/** RFC 4180: lines end with CR LF, and quotes stand only where they have to. */
function rowsText(rows: readonly (readonly Cell[])[]): string {
  return stringify([...rows], { record_delimiter: 'windows' });
}

function rowsOf(movement: Movement): readonly (readonly Cell[])[] {
  const { actionId, sku, ordinal, type, lines, actor, at } = movement;
  const { reason, reference, note, reservation, reverses } = movement;
  const before = [literal(actionId), literal(sku), ordinal, type];
  const after = [
    literal(reason),
    literal(reference),
    literal(note),
    literal(reservation?.id),
    literal(reverses),
    literal(actor),
    instantText(at),
  ];
  if (lines.length === 0) return [[...before, '', '', '', ...after]];
  return lines.map(({ location, delta, onHand }) => [...before, location, delta, onHand, ...after]);
}

/** Text that a spreadsheet would take for a formula is led by an apostrophe; an import takes it off. */
function literal(text = ''): string {
  return /^[=+\-@\t\r']/.test(text) ? `'${text}` : text;
}
