/** A plain table; numbers stand to the right, and so do the names of their columns. */
import type { ComponentChildren } from 'preact';

export function Table({
  columns,
  rows,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly key: string | number;
    readonly cells: readonly ComponentChildren[];
  }[];
}) {
  if (rows.length === 0) return null;
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={columns.join(', ')}>
      <table>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th
                key={column}
                scope="col"
                class={
                  rows.some(({ cells }) => typeof cells[place] === 'number') ? 'number' : undefined
                }
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, place) => (
                <td key={place} class={classOf(cell)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Names and dates are not broken at their hyphens; what is longer goes on in the next line. */
const shortText = 24;

function classOf(cell: ComponentChildren): string | undefined {
  if (typeof cell === 'number') return 'number';
  return typeof cell === 'string' && cell.length <= shortText ? 'short' : undefined;
}
