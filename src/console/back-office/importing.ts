/**
 * What a file would do. It is checked whole before anything is written, and it names what is to be,
 * so the same file sent again after a crash finishes what is missing and changes nothing else.
 */

export interface LineFault {
  readonly line: number;
  readonly fault: string;
}

/** Of what is to be written, nothing where a line is at fault. */
export interface Checked<D> {
  readonly faults: readonly LineFault[];
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly definitions: readonly D[];
}

export function sound<D>(
  faults: readonly LineFault[],
  added: readonly D[],
  changed: readonly D[],
  unchanged: number,
): Checked<D> {
  return {
    faults,
    added: added.length,
    changed: changed.length,
    unchanged,
    definitions: faults.length > 0 ? [] : [...added, ...changed],
  };
}

export function headFaults(
  columns: readonly string[],
  known: readonly string[],
  needed: readonly string[],
): readonly LineFault[] {
  return [
    ...columns
      .filter((name) => !known.includes(name))
      .map((name) => ({ line: 1, fault: `There is no column “${name}”.` })),
    ...needed
      .filter((name) => !columns.includes(name))
      .map((name) => ({ line: 1, fault: `The column “${name}” is missing.` })),
  ];
}
