/**
 * A long table of which only what is in sight stands in the page, so that ten thousand rows cost
 * no more than twenty. Rows have one height; a text that is longer is cut and shown on hover.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

const rowHeight = 48;
const rowsInSight = 14;
const rowsAround = 6;

export function Windowed({
  label,
  columns,
  count,
  nearEnd,
  row,
}: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly count: number;
  /** Called when the last rows come into sight. */
  readonly nearEnd: () => void;
  readonly row: (index: number) => readonly ComponentChildren[];
}) {
  const [scrolled, scroll] = useState(0);
  if (count === 0) return null;
  const sample = row(0);
  const first = Math.max(0, Math.min(scrolled, count - rowsInSight) - rowsAround);
  const last = Math.min(count, first + rowsInSight + 2 * rowsAround);
  const indexes = Array.from({ length: last - first }, (_, place) => first + place);
  return (
    <div
      class="windowed"
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={({ currentTarget }) => {
        const top = Math.floor(currentTarget.scrollTop / rowHeight);
        scroll(top);
        if (top + rowsInSight + rowsAround >= count) nearEnd();
      }}
    >
      <table aria-rowcount={count + 1}>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th
                key={column}
                scope="col"
                class={typeof sample[place] === 'number' ? 'number' : undefined}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} columns={columns.length} />
          {indexes.map((index) => (
            <tr key={index} aria-rowindex={index + 2}>
              {row(index).map((cell, place) => (
                <td key={place} class={typeof cell === 'number' ? 'number' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
          <Gap rows={count - last} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for rows out of sight. Its height is set by script: the page's policy bars `style` texts. */
function Gap({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows === 0) return null;
  return (
    <tr aria-hidden="true">
      <td
        colSpan={columns}
        class="gap"
        ref={(cell) => {
          if (cell !== null) cell.style.height = `${rows * rowHeight}px`;
        }}
      />
    </tr>
  );
}
