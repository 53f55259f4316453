/**
 * The plan: what is opened, and what is shipped from where. Pure: rows in, plan out.
 *
 * 1. Every order is served whole by one location, which its id alone decides. So each line ships
 *    from one place, and the same order ships from the same place whatever else the folder holds.
 * 2. A location opens with the units of the lines that it serves plus its share of what must
 *    remain. So no ship can run short, in whatever order the ships arrive.
 * 3. A line's identity is its order, its product and which of the pair's lines it is. So a pair
 *    that is listed twice is shipped twice, and a new line elsewhere renames nothing.
 */
import { createHash } from 'node:crypto';
import type { Parsed, Problem } from './csv.ts';
import type { OrderLine, Product, Rows } from './rows.ts';
import { fileNames, quantityLimit } from './rows.ts';

export interface PlannedLocation {
  readonly location: string;
  readonly warehouse: string;
}

interface OpeningLine {
  readonly location: string;
  readonly quantity: number;
}

export interface PlannedSku {
  readonly sku: string;
  readonly product: Product;
  /** Empty for a product that neither sold nor remains. */
  readonly opening: readonly OpeningLine[];
}

export interface PlannedShip {
  readonly sku: string;
  readonly location: string;
  readonly quantity: number;
  readonly orderId: string;
  readonly productId: string;
  /** 1 for the first line of this product in this order. */
  readonly occurrence: number;
}

export interface Plan {
  readonly locations: readonly PlannedLocation[];
  readonly skus: readonly PlannedSku[];
  /** By order date, then as the files have them. */
  readonly ships: readonly PlannedShip[];
  readonly orderCount: number;
}

const warehouses = ['NORTH', 'CENTRAL', 'SOUTH'] as const;

/**
 * @param prefix begins every SKU, warehouse and location, so that two folders can be kept apart in
 *   one service.
 */
export function planReplay(rows: Rows, prefix: string): Parsed<Plan> {
  const locations = warehouses.map((name) => ({
    location: `${prefix}-${name}-01`,
    warehouse: `${prefix}-${name}`,
  }));
  const ships = planShips(rows, locations, prefix);
  const sold = unitsByPlace(ships);
  const skus = rows.products.map((product) => {
    const sku = skuOf(product.productID, prefix);
    return { sku, product, opening: openingOf(sku, product, locations, sold) };
  });
  const problems = skus.flatMap(openingProblems);
  if (problems.length > 0) return { kind: 'problems', problems };
  const plan = { locations, skus, ships, orderCount: rows.orders.length };
  return { kind: 'parsed', value: plan };
}

function skuOf(productId: string, prefix: string): string {
  return `${prefix}-${productId.padStart(4, '0')}`;
}

function planShips(
  rows: Rows,
  locations: readonly PlannedLocation[],
  prefix: string,
): readonly PlannedShip[] {
  const dates = new Map(rows.orders.map((order) => [order.orderID, order.orderDate]));
  const dateOf = (line: OrderLine) => dates.get(line.orderID) ?? '';
  const inOrder = rows.lines.toSorted((a, b) => compare(dateOf(a), dateOf(b)));
  const seen = new Map<string, number>();
  return inOrder.map((line) => {
    const pair = `${line.orderID}/${line.productID}`;
    const occurrence = (seen.get(pair) ?? 0) + 1;
    seen.set(pair, occurrence);
    return {
      sku: skuOf(line.productID, prefix),
      location: servedFrom(line.orderID, locations),
      quantity: line.quantity,
      orderId: line.orderID,
      productId: line.productID,
      occurrence,
    };
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function servedFrom(orderId: string, locations: readonly PlannedLocation[]): string {
  const hash = createHash('sha256').update(orderId).digest().readUInt32BE(0);
  const serving = locations[hash % locations.length];
  if (!serving) throw new RangeError('a plan needs a location');
  return serving.location;
}

type UnitsByPlace = ReadonlyMap<string, number>;

function place(sku: string, location: string): string {
  return `${sku}@${location}`;
}

function unitsByPlace(ships: readonly PlannedShip[]): UnitsByPlace {
  const units = new Map<string, number>();
  for (const { sku, location, quantity } of ships) {
    const at = place(sku, location);
    units.set(at, (units.get(at) ?? 0) + quantity);
  }
  return units;
}

function openingOf(
  sku: string,
  product: Product,
  locations: readonly PlannedLocation[],
  sold: UnitsByPlace,
): readonly OpeningLine[] {
  const share = Math.floor(product.unitsInStock / locations.length);
  const left = product.unitsInStock % locations.length;
  const lines = locations.map(({ location }, index) => ({
    location,
    quantity: (sold.get(place(sku, location)) ?? 0) + share + (index < left ? 1 : 0),
  }));
  return lines.filter((line) => line.quantity > 0);
}

function openingProblems({ product, opening }: PlannedSku): readonly Problem[] {
  const { line, productID } = product;
  return opening
    .filter(({ quantity }) => quantity > quantityLimit)
    .map(({ location, quantity }) => ({
      file: fileNames.products,
      line,
      message: `product ${productID} would open with ${quantity} units at ${location}; one line takes at most ${quantityLimit}`,
    }));
}
