/** The kinds of movements, and why stock is adjusted. */

/** Reasons that a caller may give for an adjustment. */
export const adjustReasons = [
  'found',
  'lost',
  'damaged',
  'expired',
  'stolen',
  'recalled',
  'returned',
  'data_correction',
  'opening_balance',
  'other',
] as const;
export type AdjustReason = (typeof adjustReasons)[number];

export const movementTypes = [
  'receive',
  'ship',
  'transfer',
  'adjust',
  'reserve',
  'change',
  'release',
  'expire',
  'void',
] as const;
export type MovementType = (typeof movementTypes)[number];

/** The closing of a count gives its own, which no caller may send. */
export type MovementReason = AdjustReason | 'count_variance';
