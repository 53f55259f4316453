/** The stock that is measured on: which SKUs, how long their windows are, what stands where. */
import type { Actor, LocationId, Sku, WarehouseId } from '../../src/domain/ids.ts';
import { parseActor, parseLocationId, parseSku, parseWarehouseId } from '../../src/domain/ids.ts';
import { windowLimit } from '../../src/domain/movement.ts';

export const stockNames = ['one', 'many', 'many-new'] as const;
export type StockName = (typeof stockNames)[number];

export interface Stock {
  readonly name: StockName;
  readonly skus: readonly Sku[];
  /** Movements in each SKU's window before the first measurement; as many ordinals precede. */
  readonly windowLength: number;
}

export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the bench names a value that the domain refuses');
  return value;
}

export const actor: Actor = required(parseActor('admin'));
export const warehouse: WarehouseId = required(parseWarehouseId('BENCH'));
export const locations: readonly LocationId[] = ['BENCH-1', 'BENCH-2', 'BENCH-3'].map((id) =>
  required(parseLocationId(id)),
);
/** Every measured movement takes one unit from here. */
export const shippedFrom: LocationId = required(locations[0]);

/** What the first movement of each location brings: more than any run can ship. */
export const receivedPerLocation = 100_000_000;

const prefixes: Readonly<Record<StockName, string>> = {
  one: 'ONE',
  many: 'MANY',
  'many-new': 'NEW',
};

export function stockOf(name: StockName, manySkus: number): Stock {
  const count = name === 'one' ? 1 : manySkus;
  return {
    name,
    skus: Array.from({ length: count }, (_, index) => skuAt(name, index)),
    windowLength: name === 'many-new' ? locations.length : windowLimit,
  };
}

export function skuAt(name: StockName, index: number): Sku {
  return required(parseSku(`${prefixes[name]}-${String(index).padStart(6, '0')}`));
}

export function describeStock({ skus, windowLength }: Stock): string {
  const count = skus.length === 1 ? 'one SKU' : `${skus.length.toLocaleString('en-US')} SKUs`;
  return `${count}, ${windowLength === windowLimit ? 'full windows' : 'near-empty windows'}`;
}
