/** Reads. Each shows what stands at the database's clock, by the same rules as the decisions. */
import type { ActionId, Instant, LocationId, Sku } from '../domain/ids.ts';
import type { KnownLocations, Location } from '../domain/location.ts';
import type { Movement } from '../domain/movement.ts';
import { isLive } from '../domain/reservation.ts';
import type { SkuState } from '../domain/sku.ts';
import { availableAt, carries, onHandAt, placesOf, reservedAt } from '../domain/sku.ts';
import type {
  LevelView,
  Page,
  QueryAnswer,
  SkuView,
  StandingStock,
  Unavailable,
} from './answer.ts';
import type { LevelsAt } from './levels-at.ts';
import { levelsAt } from './levels-at.ts';
import { exportMovements, findMovements } from './audit.ts';
import { healLedger, whole } from './heal.ts';
import type { Inventory, ListSkus } from './inventory.ts';
import type { LocationDirectory } from './location-directory.ts';
import { placesIn } from './places.ts';
import type { HistoryQuery, Interest, Lookup, Ports, Unknown } from './ports.ts';
import { findByReference, findReservation } from './reservation-queries.ts';
import type { Settlement } from './settled.ts';
import { verifySku } from './verify-sku.ts';
import { unavailable } from './ticket.ts';

export type Queries = Omit<Inventory, 'post' | 'reverse' | 'putLocation' | 'retireLocation'>;

const noInterest: Interest = { actions: [], reservations: [], undone: [] };

export function createQueries(
  ports: Ports,
  directory: LocationDirectory,
  settlement: Settlement,
): Queries {
  return {
    ...auditQueries(ports, directory, settlement),
    sku: (sku) => showSku(ports, directory, sku),
    skuByBarcode: async (code) => {
      const claims = await ports.barcodes.read([code]);
      if (claims.kind === 'unknown') return lost(claims);
      const claim = claims.value.get(code);
      if (claim === undefined) return { kind: 'not-found' };
      const shown = await showSku(ports, directory, claim.sku);
      // A claim says who may have the code; the document says whether it does.
      return shown.kind === 'ok' && !carries(shown.value.definition, code)
        ? { kind: 'not-found' }
        : shown;
    },
    skus: (query) => listSkus(ports, directory, query),
    history: (query) => history(ports, query),
    movementOf: (action) => movementOf(ports, action),
    location: async (id) => {
      const read = await ports.locations.read(id);
      return read.kind === 'found' ? ok(read.value.location) : absent(read);
    },
    locations: async ({ warehouse, limit, ...query }) => {
      const one = warehouse === undefined ? {} : { warehouses: [warehouse] };
      const read = await ports.locations.list({ ...query, ...one, limit: limit + 1 });
      return read.kind === 'found' ? ok(page(read.value, limit)) : lost(read);
    },
    stockAt: (location, query) => stockAt(ports, location, query),
  };
}

function auditQueries(
  ports: Ports,
  directory: LocationDirectory,
  settlement: Settlement,
): Pick<
  Queries,
  | 'reservation'
  | 'reservationsUnder'
  | 'levelsAt'
  | 'movements'
  | 'exportMovements'
  | 'verification'
> {
  return {
    reservation: async (sku, id) => looked(await findReservation(ports, sku, id)),
    reservationsUnder: async (query) => looked(await findByReference(ports, query)),
    levelsAt: (sku, at) => levelsOfKnown(ports, sku, at),
    movements: async (query) => looked(await findMovements(ports, settlement, query)),
    exportMovements: (query) => exportMovements(ports, settlement, query),
    verification: async (sku) => looked(await verifySku(ports, directory, sku)),
  };
}

function looked<T>(read: Lookup<T>): QueryAnswer<T> {
  return read.kind === 'found' ? ok(read.value) : absent(read);
}

async function levelsOfKnown(ports: Ports, sku: Sku, at: Instant): Promise<QueryAnswer<LevelsAt>> {
  const healed = await healedState(ports, sku);
  return healed.kind === 'ok' ? looked(await levelsAt(ports.ledger, healed.value, at)) : healed;
}

/** The SKU's state, once all that it counts is in the ledger. */
async function healedState(ports: Ports, sku: Sku): Promise<QueryAnswer<SkuState>> {
  const read = await ports.skus.read(sku, noInterest);
  if (read.kind !== 'found') return absent(read);
  const { state, extent } = read.value;
  const healed = await healLedger(ports, sku, extent.ledgeredThrough, state.movementCount);
  return healed.kind === 'unknown' ? lost(healed) : ok(state);
}

function ok<T>(value: T): { readonly kind: 'ok'; readonly value: T } {
  return { kind: 'ok', value };
}

function lost(unknown: Unknown): Unavailable {
  return unavailable(unknown.cause);
}

function absent(
  read: Unknown | { readonly kind: 'missing' },
): Unavailable | { readonly kind: 'not-found' } {
  return read.kind === 'unknown' ? lost(read) : { kind: 'not-found' };
}

/** One entry more than asked for is read, to know whether more follow. */
function page<T>(read: readonly T[], limit: number): Page<T> {
  return { items: read.slice(0, limit), more: read.length > limit };
}

async function showSku(
  ports: Ports,
  directory: LocationDirectory,
  sku: Sku,
): Promise<QueryAnswer<SkuView>> {
  const read = await ports.skus.read(sku, noInterest);
  if (read.kind !== 'found') return absent(read);
  const { state, now } = read.value;
  const locations = await directory.known(placesOf(state));
  return locations.kind === 'found' ? ok(view(state, locations.value, now)) : lost(locations);
}

function view(state: SkuState, locations: KnownLocations, now: Instant): SkuView {
  const levels = placesOf(state)
    .toSorted()
    .flatMap((id) => levelView(state, locations.get(id), now));
  const sum = (of: (level: LevelView) => number): number =>
    levels.reduce((total, level) => total + of(level), 0);
  return {
    sku: state.sku,
    definition: state.definition,
    version: state.version,
    lastActionId: state.lastActionId,
    movementCount: state.movementCount,
    totals: {
      onHand: sum((level) => level.onHand),
      reserved: sum((level) => level.reserved),
      available: sum((level) => level.available),
    },
    levels,
    reservations: state.reservations
      .filter((reservation) => isLive(reservation, now))
      .map(({ id, location, quantity, expiresAt }) => ({ id, location, quantity, expiresAt })),
    asOf: now,
  };
}

/** A level names a location that exists: none is ever deleted. */
function levelView(
  state: SkuState,
  place: Location | undefined,
  now: Instant,
): readonly LevelView[] {
  if (place === undefined) return [];
  const { location, warehouse, kind } = place;
  return [
    {
      location,
      warehouse,
      kind,
      onHand: onHandAt(state, location),
      reserved: reservedAt(state, location, now),
      available: availableAt(state, location, kind, now),
    },
  ];
}

async function listSkus(
  ports: Ports,
  directory: LocationDirectory,
  { warehouse, limit, ...query }: ListSkus,
): Promise<QueryAnswer<Page<SkuView>>> {
  const standing =
    warehouse === undefined ? undefined : await placesIn(ports.locations, [warehouse]);
  if (standing?.kind === 'unknown') return lost(standing);
  const read = await ports.skus.list({
    ...query,
    ...(standing === undefined ? {} : { standingAt: standing.value }),
    limit: limit + 1,
  });
  if (read.kind === 'unknown') return lost(read);
  const { skus, now } = read.value;
  const { items, more } = page(skus, limit);
  const locations = await directory.known(items.flatMap(placesOf));
  if (locations.kind === 'unknown') return lost(locations);
  return ok({ items: items.map((state) => view(state, locations.value, now)), more });
}

async function stockAt(
  ports: Ports,
  location: LocationId,
  { after, limit }: { readonly after?: Sku; readonly limit: number },
): Promise<QueryAnswer<Page<StandingStock>>> {
  const place = await ports.locations.read(location);
  if (place.kind !== 'found') return absent(place);
  const { kind } = place.value.location;
  const read = await ports.skus.list({
    standingAt: [location],
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  });
  if (read.kind === 'unknown') return lost(read);
  const { skus, now } = read.value;
  const { items, more } = page(skus, limit);
  const standing = items.map((state) => ({
    sku: state.sku,
    description: state.definition.description,
    baseUnit: state.definition.baseUnit,
    onHand: onHandAt(state, location),
    reserved: reservedAt(state, location, now),
    available: availableAt(state, location, kind, now),
  }));
  return ok({ items: standing, more });
}

/** The whole history out of the ledger, after what a crash kept out of it has been entered. */
async function history(
  ports: Ports,
  { limit, ...query }: HistoryQuery,
): Promise<QueryAnswer<Page<Movement>>> {
  const healed = await healedState(ports, query.sku);
  if (healed.kind !== 'ok') return healed;
  const before = Math.min(query.before ?? Infinity, healed.value.movementCount + 1);
  const entries = await ports.ledger.history({ ...query, before, limit: limit + 1 });
  return entries.kind === 'found' ? ok(page(entries.value, limit)) : lost(entries);
}

/**
 * The movement of an action, out of the document of the SKU that its claim names, else out of the
 * ledger. The service's own actions have no claim; their entries stand in the ledger.
 */
export async function movementOf(ports: Ports, action: ActionId): Promise<QueryAnswer<Movement>> {
  const claims = await ports.actions.find([action]);
  if (claims.kind === 'unknown') return lost(claims);
  const claim = claims.value.get(action);
  if (claim?.subject.kind === 'sku') {
    const read = await ports.skus.read(claim.subject.sku, { ...noInterest, actions: [action] });
    if (read.kind !== 'found') return absent(read);
    const retained = read.value.retained.at(0);
    if (retained !== undefined) {
      const movement = whole(claim.subject.sku, retained, claim);
      const recorded = await ports.ledger.record([movement]);
      return recorded.kind === 'recorded' ? ok(movement) : lost(recorded);
    }
  }
  return looked(await ports.ledger.ofAction(action));
}
