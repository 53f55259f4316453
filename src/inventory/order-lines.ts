/** Lines of orders as callers write them, in base units by the packs that the SKUs have now. */
import type { OrderDecision } from '../domain/change-order.ts';
import { inBaseUnits } from '../domain/base-units.ts';
import type { Sku, OrderNumber } from '../domain/ids.ts';
import type { OrderLine } from '../domain/purchase-order.ts';
import type { Quantity } from '../domain/quantity.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { OrderDraft, SkuCatalogue } from './order-ports.ts';
import type { Unknown } from './ports.ts';

interface WrittenLine {
  readonly sku?: Sku;
  readonly ordered?: Quantity;
  readonly unit?: string;
}

type InBaseUnits<L> =
  | { readonly kind: 'found'; readonly value: readonly Omit<L, 'unit'>[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | Unknown;

/** Refuses SKUs that are not known, and units that they have not. */
export async function orderedInBaseUnits<L extends WrittenLine>(
  catalogue: SkuCatalogue,
  lines: readonly L[],
): Promise<InBaseUnits<L>> {
  const named = Array.from(new Set(lines.flatMap(({ sku }) => sku ?? [])));
  const definitions = await catalogue.definitions(named);
  if (definitions.kind === 'unknown') return definitions;
  const converted: Omit<L, 'unit'>[] = [];
  for (const [index, { unit, ...line }] of lines.entries()) {
    const { sku, ordered } = line;
    const definition = sku === undefined ? undefined : definitions.value.get(sku);
    if (sku !== undefined && definition === undefined) {
      return { kind: 'refused', refusal: { code: 'unknown-sku', sku } };
    }
    if (definition === undefined || ordered === undefined) {
      converted.push(line);
      continue;
    }
    const said = { quantity: ordered, ...(unit === undefined ? {} : { unit }) };
    const quantity = inBaseUnits(definition, said, `/lines/${index}/ordered`);
    if (typeof quantity === 'object') return { kind: 'refused', refusal: quantity };
    converted.push({ ...line, ordered: quantity });
  }
  return { kind: 'found', value: converted };
}

/** A new order. */
export function orderFrom(
  number: OrderNumber,
  { supplier, overReceiptPercent }: OrderDraft,
  lines: readonly Omit<OrderLine, 'received'>[],
): OrderDecision {
  return {
    kind: 'accepted',
    order: {
      number,
      supplier,
      standing: 'open',
      lines: lines.map((line) => ({ ...line, received: 0 })),
      ...(overReceiptPercent === undefined ? {} : { overReceiptPercent }),
      outcomes: [],
      appointments: [],
      version: 1,
    },
  };
}
