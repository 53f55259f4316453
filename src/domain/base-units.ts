/** Quantities in packs, converted exactly to the base unit of their SKU. */
import type { Quantity } from './quantity.ts';
import { unpack } from './quantity.ts';
import type { Refusal } from './refusal.ts';
import type { SkuDefinition } from './sku.ts';

/** @param path of the quantity in the request's body. */
export function inBaseUnits(
  { baseUnit, packs }: Pick<SkuDefinition, 'baseUnit' | 'packs'>,
  { quantity, unit }: { readonly quantity: Quantity; readonly unit?: string },
  path: string,
): Quantity | Refusal {
  if (unit === undefined || unit === baseUnit) return quantity;
  const pack = packs.find((candidate) => candidate.unit === unit);
  if (!pack) return { code: 'unknown-unit', unit };
  const unpacked = unpack(quantity, pack.contains);
  if (unpacked !== undefined) return unpacked;
  const message = 'comes to more than 1,000,000,000 base units';
  return { code: 'validation', errors: [{ path, message }] };
}
