/** What a scanner does with goods, as the movement or count line that says it. */
import type { Draft, MovementDraft } from '../device/database.ts';

export const works = ['receive', 'ship', 'transfer', 'adjust', 'count'] as const;
export type Work = (typeof works)[number];

export const reasons = [
  'found',
  'lost',
  'damaged',
  'expired',
  'stolen',
  'recalled',
  'returned',
  'data_correction',
  'other',
] as const;

/** A form as it is filled in; texts as they were typed. */
export interface Filled {
  readonly work: Work;
  readonly sku: string;
  readonly unit: string;
  readonly location: string;
  readonly to: string;
  readonly quantity: string;
  readonly reason: string;
  readonly note: string;
  /** The open count that a counted line goes to. */
  readonly count: string;
}

/** A whole number, of any sign where the work allows it; undefined where the text is none. */
function whole(text: string): number | undefined {
  const value = Number(text);
  return /^[+-]?\d+$/.test(text.trim()) && Number.isSafeInteger(value) ? value : undefined;
}

/** @returns undefined where something is missing yet. */
export function draftOf(filled: Filled): Draft | undefined {
  const { work, sku, unit, location, to, reason, count } = filled;
  const amount = whole(filled.quantity);
  if (amount === undefined || location === '') return undefined;
  const note = filled.note.trim() === '' ? {} : { note: filled.note.trim() };
  switch (work) {
    case 'receive':
    case 'ship':
      if (amount < 1) return undefined;
      return movement({ type: work, sku, location, quantity: amount, unit, ...note });
    case 'transfer':
      if (amount < 1 || to === '' || to === location) return undefined;
      return movement({ type: work, sku, from: location, to, quantity: amount, unit, ...note });
    case 'adjust':
      if (amount === 0 || (reason === 'other' && !('note' in note))) return undefined;
      return movement({ type: work, sku, location, delta: amount, reason, ...note });
    case 'count':
      if (amount < 0 || count === '') return undefined;
      return { kind: 'tally', tally: { count, sku, location, counted: amount } };
  }
}

function movement(body: MovementDraft): Draft {
  return { kind: 'movement', movement: body };
}
