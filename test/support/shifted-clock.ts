/** Loaded before a service process: its clock is off by CLOCK_SHIFT_MS. The database's is not. */
const shift = Number(process.env['CLOCK_SHIFT_MS'] ?? '0');
const TrueDate = Date;

class ShiftedDate extends TrueDate {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(ShiftedDate.now());
    else super(...(given as ConstructorParameters<typeof TrueDate>));
  }

  static override now(): number {
    return TrueDate.now() + shift;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
