/**
 * The use cases as a key sees them that has warehouses of its own.
 *
 * 1. Before anything is asked, each location that a request touches lies within, or the request is
 *    refused. What a request names by another id, such as a reservation, is looked up first.
 * 2. Of what is answered only what lies within is shown: levels, totals and reservations; of
 *    movements, receipts and counts their lines, and none of them without a line.
 * 3. A page that loses entries so is filled from the next ones, so that a list neither ends early
 *    nor skips.
 */
import { locationsOf } from '../domain/action.ts';
import type { LocationId } from '../domain/ids.ts';
import type { Movement } from '../domain/movement.ts';
import type { ActionAnswer, Page, QueryAnswer, Refused, SkuView, Unavailable } from './answer.ts';
import type { Inventory, LocationAction } from './inventory.ts';
import type { Reach, Sees } from './reach.ts';
import { beyond } from './reach.ts';
import { unavailable } from './ticket.ts';

/** What lies within of a value; undefined where nothing does. */
type Part<T> = (value: T, sees: Sees) => T | undefined;

interface Shape<T> {
  readonly locations: (value: T) => Iterable<LocationId>;
  readonly part: Part<T>;
}

/** @returns the parts of these that lie within, in their order. */
async function partsOf<T>(
  reach: Reach,
  values: readonly T[],
  { locations, part }: Shape<T>,
): Promise<QueryAnswer<readonly T[]>> {
  const sees = await reach.seeing(values.flatMap((value) => Array.from(locations(value))));
  if (sees.kind === 'unknown') return unavailable(sees.cause);
  return { kind: 'ok', value: values.flatMap((value) => part(value, sees.value) ?? []) };
}

/** One value as far as it lies within; `not-found` where nothing of it does. */
export async function partOf<T>(
  reach: Reach,
  answer: QueryAnswer<T>,
  shape: Shape<T>,
): Promise<QueryAnswer<T>> {
  if (answer.kind !== 'ok') return answer;
  const parts = await partsOf(reach, [answer.value], shape);
  if (parts.kind !== 'ok') return parts;
  const [value] = parts.value;
  return value === undefined ? { kind: 'not-found' } : { kind: 'ok', value };
}

/**
 * A page of what lies within, filled from as many pages as it takes (3).
 * @param next asks for the page behind an entry.
 */
export async function filled<T>(
  reach: Reach,
  limit: number,
  next: (after: T | undefined) => Promise<QueryAnswer<Page<T>>>,
  shape: Shape<T>,
): Promise<QueryAnswer<Page<T>>> {
  const items: T[] = [];
  let after: T | undefined;
  for (;;) {
    const page = await next(after);
    if (page.kind !== 'ok') return page;
    const parts = await partsOf(reach, page.value.items, shape);
    if (parts.kind !== 'ok') return parts;
    items.push(...parts.value);
    if (items.length > limit)
      return { kind: 'ok', value: { items: items.slice(0, limit), more: true } };
    after = page.value.items.at(-1);
    if (!page.value.more || after === undefined)
      return { kind: 'ok', value: { items, more: false } };
    if (items.length === limit) return { kind: 'ok', value: { items, more: true } };
  }
}

const movementShape: Shape<Movement> = {
  locations: ({ lines }) => lines.map(({ location }) => location),
  part: (movement, sees) => {
    const lines = movement.lines.filter(({ location }) => sees(location));
    return lines.length === 0 ? undefined : { ...movement, lines };
  },
};

const skuShape: Shape<SkuView> = {
  locations: ({ levels, reservations }) => [
    ...levels.map(({ location }) => location),
    ...reservations.map(({ location }) => location),
  ],
  part: (view, sees) => {
    const levels = view.levels.filter(({ location }) => sees(location));
    const sum = (of: 'onHand' | 'reserved' | 'available'): number =>
      levels.reduce((total, level) => total + level[of], 0);
    return {
      ...view,
      levels,
      reservations: view.reservations.filter(({ location }) => sees(location)),
      totals: { onHand: sum('onHand'), reserved: sum('reserved'), available: sum('available') },
    };
  },
};

export function inventoryWithin(reach: Reach, inventory: Inventory): Inventory {
  return {
    ...inventory,
    ...changesWithin(reach, inventory),
    ...placesWithin(reach, inventory),
    ...historyWithin(reach, inventory),
    sku: async (sku) => partOf(reach, await inventory.sku(sku), skuShape),
    skuByBarcode: async (code) => partOf(reach, await inventory.skuByBarcode(code), skuShape),
    skus: async (query) => {
      if (query.warehouse !== undefined && !reach.covers(query.warehouse)) return beyond;
      const page = await inventory.skus(query);
      if (page.kind !== 'ok') return page;
      const parts = await partsOf(reach, page.value.items, skuShape);
      return parts.kind === 'ok'
        ? { kind: 'ok', value: { ...page.value, items: parts.value } }
        : parts;
    },
    reservation: async (sku, id) =>
      partOf(reach, await inventory.reservation(sku, id), {
        locations: ({ location }) => [location],
        part: (view, sees) => (sees(view.location) ? view : undefined),
      }),
    reservationsUnder: (query) =>
      filled(
        reach,
        query.limit,
        (after) => inventory.reservationsUnder({ ...query, ...(after && { after: after.place }) }),
        {
          locations: ({ view }) => [view.location],
          part: (entry, sees) => (sees(entry.view.location) ? entry : undefined),
        },
      ),
  };
}

function changesWithin(reach: Reach, inventory: Inventory): Pick<Inventory, 'post' | 'reverse'> {
  return {
    post: async (action) => {
      const { change, sku } = action;
      const refusal = await reach.refuseBeyond(locationsOf(change));
      if (refusal !== undefined) return refusal;
      if (change.type === 'change' || change.type === 'commit' || change.type === 'release') {
        const held = await inventory.reservation(sku, change.reservation);
        if (held.kind === 'unavailable' || held.kind === 'refused') return held;
        const outside =
          held.kind === 'ok' ? await reach.refuseBeyond([held.value.location]) : undefined;
        // Only a place that was looked up makes the hold unknown; where it could not be, nobody knows.
        if (outside?.kind === 'unavailable') return outside;
        if (outside !== undefined) return unknownReservation(change.reservation);
      }
      return answerWithin(reach, await inventory.post(action));
    },
    reverse: async (request) => {
      const original = await inventory.movementOf(request.original);
      if (original.kind !== 'ok') return original;
      const refusal = await reach.refuseBeyond(movementShape.locations(original.value));
      return refusal ?? answerWithin(reach, await inventory.reverse(request));
    },
  };
}

/** A hold elsewhere is as one that never was. */
function unknownReservation(
  reservation: Extract<Parameters<Inventory['reservation']>[1], string>,
): ActionAnswer {
  return { kind: 'refused', refusal: { code: 'unknown-reservation', reservation } };
}

/** A refusal for want of stock names other locations; those beyond are left out. */
export async function answerWithin<A extends { readonly kind: string }>(
  reach: Reach,
  answer: A | Refused,
): Promise<A | Refused | Unavailable> {
  if (!isRefused(answer) || answer.refusal.code !== 'insufficient-stock') return answer;
  const { refusal } = answer;
  const sees = await reach.seeing(refusal.locations.map(({ location }) => location));
  if (sees.kind === 'unknown') return unavailable(sees.cause);
  const locations = refusal.locations.filter(({ location }) => sees.value(location));
  return { kind: 'refused', refusal: { ...refusal, locations } };
}

function isRefused(answer: { readonly kind: string } | Refused): answer is Refused {
  return answer.kind === 'refused';
}

function placesWithin(
  reach: Reach,
  inventory: Inventory,
): Pick<Inventory, 'putLocation' | 'retireLocation' | 'location' | 'locations' | 'stockAt'> {
  return {
    putLocation: async (action, definition) => {
      if (!reach.covers(definition.warehouse)) return beyond;
      return (
        (await refuseForeign(reach, inventory, action)) ?? inventory.putLocation(action, definition)
      );
    },
    retireLocation: async (action) =>
      (await reach.refuseBeyond([action.location])) ?? inventory.retireLocation(action),
    location: async (location) =>
      (await reach.refuseBeyond([location])) ?? inventory.location(location),
    locations: async (query) => {
      if (query.warehouse !== undefined && !reach.covers(query.warehouse)) return beyond;
      return filled(
        reach,
        query.limit,
        (after) => inventory.locations({ ...query, ...(after && { after: after.location }) }),
        {
          locations: () => [],
          part: (place) => (reach.covers(place.warehouse) ? place : undefined),
        },
      );
    },
    stockAt: async (location, query) =>
      (await reach.refuseBeyond([location])) ?? inventory.stockAt(location, query),
  };
}

/** A location that is new may be made; one that stands elsewhere may not be touched. */
async function refuseForeign(reach: Reach, inventory: Inventory, { location }: LocationAction) {
  const standing = await inventory.location(location);
  if (standing.kind === 'not-found') return undefined;
  if (standing.kind !== 'ok') return standing;
  return reach.covers(standing.value.warehouse) ? undefined : beyond;
}

function historyWithin(
  reach: Reach,
  inventory: Inventory,
): Pick<
  Inventory,
  'levelsAt' | 'movements' | 'exportMovements' | 'verification' | 'history' | 'movementOf'
> {
  return {
    levelsAt: async (sku, at) =>
      partOf(reach, await inventory.levelsAt(sku, at), {
        locations: ({ levels }) => levels.map(({ location }) => location),
        part: (then, sees) => ({
          ...then,
          levels: then.levels.filter(({ location }) => sees(location)),
        }),
      }),
    movements: async (query) => {
      if (query.warehouse !== undefined && !reach.covers(query.warehouse)) return beyond;
      const own = { warehouses: reach.warehouses };
      return filled(
        reach,
        query.limit,
        (after) => inventory.movements({ ...query, ...own, ...(after && { after }) }),
        movementShape,
      );
    },
    exportMovements: (query) => exportWithin(reach, inventory, query),
    // What is wrong is said with the names of locations; whether anything is wrong is not.
    verification: async (sku) => {
      const verified = await inventory.verification(sku);
      if (verified.kind !== 'ok') return verified;
      const checks = verified.value.checks.map((check) => ({
        ...check,
        detail: check.ok ? check.detail : '',
      }));
      return { kind: 'ok', value: { ...verified.value, checks } };
    },
    history: async (query) => {
      if (query.location !== undefined) {
        const refusal = await reach.refuseBeyond([query.location]);
        if (refusal !== undefined) return refusal;
      }
      return filled(
        reach,
        query.limit,
        (after) => inventory.history({ ...query, ...(after && { before: after.ordinal }) }),
        movementShape,
      );
    },
    movementOf: async (action) => partOf(reach, await inventory.movementOf(action), movementShape),
  };
}

async function* exportWithin(
  reach: Reach,
  inventory: Inventory,
  query: Parameters<Inventory['exportMovements']>[0],
): ReturnType<Inventory['exportMovements']> {
  const own = { warehouses: reach.warehouses };
  for await (const page of inventory.exportMovements({ ...query, ...own })) {
    if (page.kind === 'unknown') {
      yield page;
      return;
    }
    const parts = await partsOf(reach, page.value, movementShape);
    if (parts.kind !== 'ok') {
      yield { kind: 'unknown', cause: 'locations could not be looked up' };
      return;
    }
    yield { kind: 'found', value: parts.value };
  }
}
