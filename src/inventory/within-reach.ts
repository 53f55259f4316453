/**
 * The use cases as a key sees them that has warehouses of its own.
 *
 * 1. Before anything is asked, each location that a request touches lies within, or the request is
 *    refused. What is named by an id of its own, and lies wholly elsewhere, is as one that is not
 *    there.
 * 2. Of what is answered only what lies within is shown: levels, totals and reservations; of
 *    movements, receipts and counts their lines, and none of them without a line.
 */
import { locationsOf } from '../domain/action.ts';
import type { Sku, WarehouseId } from '../domain/ids.ts';
import type { Movement } from '../domain/movement.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Refused, SkuView, Unavailable } from './answer.ts';
import { placeOf } from './audit.ts';
import type { ExportPage, Inventory, LocationAction } from './inventory.ts';
import type { Shape } from './parts-within-reach.ts';
import { filled, partOf, partsOf } from './parts-within-reach.ts';
import type { Reach } from './reach.ts';
import { beyond } from './reach.ts';
import { unavailable } from './ticket.ts';

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
      if (isBeyond(reach, query)) return beyond;
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
        (after, limit) =>
          inventory.reservationsUnder({ ...query, limit, ...(after && { after: after.place }) }),
        {
          locations: ({ view }) => [view.location],
          part: (entry, sees) => (sees(entry.view.location) ? entry : undefined),
        },
      ),
  };
}

function isBeyond(reach: Reach, { warehouse }: { readonly warehouse?: WarehouseId }): boolean {
  return warehouse !== undefined && !reach.coversAll([warehouse]);
}

function changesWithin(reach: Reach, inventory: Inventory): Pick<Inventory, 'post' | 'reverse'> {
  const { warehouses } = reach;
  return {
    post: async (action) => {
      const refusal = await reach.refuseBeyond(locationsOf(action.change));
      if (refusal !== undefined) return refusal;
      const answer = await inventory.post({ ...action, warehouses });
      if (isRefused(answer)) await touchHold(reach, inventory, action.sku, answer.refusal);
      return answerWithin(reach, answer);
    },
    reverse: async (request) => {
      const original = await inventory.movementOf(request.original);
      if (original.kind !== 'ok') return original;
      const shown = await partOf(reach, original, movementShape);
      if (shown.kind !== 'ok') return shown;
      const refusal = await reach.refuseBeyond(movementShape.locations(original.value));
      return refusal ?? answerWithin(reach, await inventory.reverse(request));
    },
  };
}

/** A hold elsewhere is as one that never was, but it was asked for: that is told. */
async function touchHold(reach: Reach, inventory: Inventory, sku: Sku, refusal: Refusal) {
  if (refusal.code !== 'unknown-reservation') return;
  const held = await inventory.reservation(sku, refusal.reservation);
  if (held.kind === 'ok') await reach.refuseBeyond([held.value.location]);
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
      if (isBeyond(reach, definition)) return beyond;
      return (
        (await refuseForeign(reach, inventory, action)) ?? inventory.putLocation(action, definition)
      );
    },
    retireLocation: async (action) =>
      (await reach.refuseBeyond([action.location])) ?? inventory.retireLocation(action),
    location: async (location) =>
      (await reach.refuseBeyond([location])) ?? inventory.location(location),
    locations: async (query) =>
      isBeyond(reach, query)
        ? beyond
        : inventory.locations({ ...query, warehouses: reach.warehouses }),
    stockAt: async (location, query) =>
      (await reach.refuseBeyond([location])) ?? inventory.stockAt(location, query),
  };
}

/** A location that is new may be made; one that stands elsewhere may not be touched. */
async function refuseForeign(reach: Reach, inventory: Inventory, { location }: LocationAction) {
  const standing = await inventory.location(location);
  if (standing.kind === 'not-found') return undefined;
  if (standing.kind !== 'ok') return standing;
  return isBeyond(reach, standing.value) ? beyond : undefined;
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
      if (isBeyond(reach, query)) return beyond;
      const own = { warehouses: reach.warehouses };
      return filled(
        reach,
        query.limit,
        (after, limit) =>
          inventory.movements({ ...query, ...own, limit, ...(after && { after: placeOf(after) }) }),
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
        (after, limit) =>
          inventory.history({ ...query, limit, ...(after && { before: after.ordinal }) }),
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
): AsyncGenerator<ExportPage> {
  if (isBeyond(reach, query)) {
    yield beyond;
    return;
  }
  const own = { warehouses: reach.warehouses };
  for await (const page of inventory.exportMovements({ ...query, ...own })) {
    if (page.kind !== 'found') {
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
