/** What an auditor asks of all SKUs: what moved, when, by whom. */
import type { Actor, Instant, Sku, WarehouseId } from '../domain/ids.ts';
import type { Movement } from '../domain/movement.ts';
import type { MovementType } from '../domain/movement-type.ts';
import type { Page } from './answer.ts';
import { placesIn } from './places.ts';
import type { MovementPlace, MovementSearch, Ports, Read } from './ports.ts';
import type { Stride } from './search-backwards.ts';
import { firstStride, searchBackwards } from './search-backwards.ts';
import type { Settlement } from './settled.ts';

export interface FindMovements {
  readonly sku?: Sku;
  readonly warehouse?: WarehouseId;
  /** What concerns one of these, where no one is named. */
  readonly warehouses?: readonly WarehouseId[];
  readonly type?: MovementType;
  readonly actor?: Actor;
  readonly reference?: string;
  readonly from?: Instant;
  readonly to?: Instant;
}

export type MovementPage = Page<Movement>;

const exportPageSize = 1_000;

export function placeOf({ at, sku, ordinal }: Movement): MovementPlace {
  return { at, sku, ordinal };
}

/** One page, newest first. It ends where everything older is settled, so that nothing appears behind a reader. */
export async function findMovements(
  ports: Ports,
  settlement: Settlement,
  query: FindMovements & { readonly after?: MovementPlace; readonly limit: number },
): Promise<Read<MovementPage>> {
  const scope = await scopeOf(ports, settlement, query);
  if (scope.kind === 'unknown') return scope;
  const { after, limit } = query;
  return pageOf(ports, scope.value, { after, limit }, firstStride());
}

type Scope = Omit<MovementSearch, 'after' | 'limit'>;

async function scopeOf(
  ports: Ports,
  settlement: Settlement,
  { sku, warehouse, warehouses, type, actor, reference, from, to }: FindMovements,
): Promise<Read<Scope>> {
  const settled = await settlement.through();
  if (settled.kind === 'unknown') return settled;
  const within = warehouse === undefined ? warehouses : [warehouse];
  const locations = within === undefined ? undefined : await placesIn(ports.locations, within);
  if (locations?.kind === 'unknown') return locations;
  const scope: Scope = {
    ...(sku === undefined ? {} : { sku }),
    ...(locations === undefined ? {} : { locations: locations.value }),
    ...(type === undefined ? {} : { type }),
    ...(actor === undefined ? {} : { actor }),
    ...(reference === undefined ? {} : { reference }),
    ...(from === undefined ? {} : { from }),
    to: to !== undefined && to < settled.value ? to : settled.value,
  };
  return { kind: 'found', value: scope };
}

async function pageOf(
  ports: Ports,
  scope: Scope,
  { after, limit }: { readonly after: MovementPlace | undefined; readonly limit: number },
  stride: Stride,
): Promise<Read<MovementPage>> {
  // One more than asked for, to know whether more follow.
  const query = { ...scope, ...(after === undefined ? {} : { after }), limit: limit + 1 };
  const read = await searchBackwards(ports, query, stride);
  if (read.kind === 'unknown') return read;
  return {
    kind: 'found',
    value: { items: read.value.slice(0, limit), more: read.value.length > limit },
  };
}

/**
 * Everything that matches, page by page, newest first. What settles while it runs is newer than
 * its first page and stays out.
 * @returns each page; `unknown` ends it: the reader knows that the rest is missing.
 */
export async function* exportMovements(
  ports: Ports,
  settlement: Settlement,
  query: FindMovements,
): AsyncGenerator<Read<readonly Movement[]>> {
  const scope = await scopeOf(ports, settlement, query);
  if (scope.kind === 'unknown') {
    yield scope;
    return;
  }
  const stride = firstStride();
  let after: MovementPlace | undefined;
  for (;;) {
    const page = await pageOf(ports, scope.value, { after, limit: exportPageSize }, stride);
    if (page.kind === 'unknown') {
      yield page;
      return;
    }
    yield { kind: 'found', value: page.value.items };
    const last = page.value.items.at(-1);
    if (!page.value.more || last === undefined) return;
    after = placeOf(last);
  }
}
