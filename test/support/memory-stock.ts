/** The ports of the mutation path in memory. A bulk insertion may reach the database in part. */
import type { ActionId, Instant, LocationId, Sku } from '../../src/domain/ids.ts';
import { epoch, serviceActionId } from '../../src/domain/ids.ts';
import type { Location } from '../../src/domain/location.ts';
import type { Movement } from '../../src/domain/movement.ts';
import { movedThere } from './memory-history.ts';
import type {
  ActionStore,
  AnswerStore,
  Claim,
  KeptAnswer,
  Ledger,
  LedgerMark,
  LocationRead,
  LocationStore,
  Ports,
} from '../../src/inventory/ports.ts';
import { found, lost, missing, pair, recorded } from './memory-records.ts';
import type { MemorySku, MemorySkuParts } from './memory-skus.ts';
import type { MemoryClaim } from './memory-barcodes.ts';
import { memoryBarcodes } from './memory-barcodes.ts';
import { memorySkus } from './memory-skus.ts';

export interface MemoryStock {
  readonly ports: Omit<Ports, 'timer'>;
  readonly skus: Map<Sku, MemorySku>;
  /** Claims of barcodes. */
  readonly codes: Map<string, MemoryClaim>;
  readonly claims: Map<ActionId, Claim>;
  /** Of each SKU, by ordinal. */
  readonly ledger: Map<Sku, Map<number, Movement>>;
}

export interface MemoryStockParts extends Omit<MemorySkuParts, 'documents'> {
  readonly locations: readonly Location[];
  /** Which items of a bulk insertion arrive; all of them where it is left out. */
  readonly arriving?: <T>(items: readonly T[]) => readonly T[];
}

export function memoryStock(parts: MemoryStockParts): MemoryStock {
  const { arriving = everything, clock } = parts;
  const skus = new Map<Sku, MemorySku>();
  const codes = new Map<string, MemoryClaim>();
  const claims = new Map<ActionId, Claim>();
  const ledger = new Map<Sku, Map<number, Movement>>();
  return {
    skus,
    codes,
    claims,
    ledger,
    ports: {
      skus: memorySkus({ ...parts, documents: skus }),
      barcodes: memoryBarcodes(codes, skus, clock),
      actions: memoryActions(claims, arriving),
      ledger: memoryLedger(ledger, arriving),
      mark: memoryMark(clock),
      answers: memoryAnswers(),
      locations: memoryLocations(parts.locations, clock),
    },
  };
}

type Arriving = <T>(items: readonly T[]) => readonly T[];

function everything<T>(items: readonly T[]): readonly T[] {
  return items;
}

export function memoryActions(
  claims = new Map<ActionId, Claim>(),
  arriving: Arriving = everything,
): ActionStore {
  const find = (ids: readonly ActionId[]): ReadonlyMap<ActionId, Claim> =>
    new Map(ids.flatMap((id) => pair(id, claims.get(id))));
  return {
    claim: (asked) => {
      const standing = find(asked.map(({ actionId }) => actionId));
      for (const claim of arriving(asked)) {
        if (!claims.has(claim.actionId)) claims.set(claim.actionId, claim);
      }
      return Promise.resolve({ kind: 'claimed', standing });
    },
    find: (ids) => found(find(ids)),
  };
}

function memoryLedger(ledger: Map<Sku, Map<number, Movement>>, arriving: Arriving): Ledger {
  const ofSku = (sku: Sku): readonly Movement[] =>
    Array.from(ledger.get(sku)?.values() ?? []).toSorted(
      (one, other) => one.ordinal - other.ordinal,
    );
  const all = (): readonly Movement[] => Array.from(ledger.keys()).flatMap(ofSku);
  const among = (sku: Sku, after: number, through: number): readonly Movement[] =>
    ofSku(sku).filter(({ ordinal }) => ordinal > after && ordinal <= through);
  return {
    record: (movements) =>
      recorded(() => {
        for (const movement of arriving(movements)) enter(ledger, movement);
      }),
    ordinals: (sku, after, through) =>
      found(new Set(among(sku, after, through).map(({ ordinal }) => ordinal))),
    byAction: (sku, actions) =>
      found(
        new Map(
          ofSku(sku)
            .filter(({ actionId }) => actions.includes(actionId))
            .map((entry) => [entry.actionId, entry]),
        ),
      ),
    ofAction: (action) => {
      const entry = all().find(({ actionId }) => actionId === action);
      return entry === undefined ? missing : found(entry);
    },
    byReservation: (sku, ids) =>
      found(
        new Map(
          ofSku(sku).flatMap((entry) =>
            entry.reservation !== undefined && ids.includes(entry.reservation.id)
              ? [[entry.reservation.id, entry]]
              : [],
          ),
        ),
      ),
    undoing: (sku, actions) =>
      found(
        ofSku(sku).filter(({ reverses }) => reverses !== undefined && actions.includes(reverses)),
      ),
    entries: ({ sku, after, through, limit }) => found(among(sku, after, through).slice(0, limit)),
    netByLocation: (sku, after, through) => {
      const net = new Map<LocationId, number>();
      for (const { location, delta } of among(sku, after, through).flatMap(({ lines }) => lines)) {
        net.set(location, (net.get(location) ?? 0) + delta);
      }
      return found(net);
    },
    ...movedThere(all, ofSku),
  };
}

function enter(ledger: Map<Sku, Map<number, Movement>>, movement: Movement): void {
  const entries = ledger.get(movement.sku) ?? new Map<number, Movement>();
  ledger.set(movement.sku, entries);
  if (!entries.has(movement.ordinal)) entries.set(movement.ordinal, movement);
}

function memoryMark(clock: { readonly now: Instant }): LedgerMark {
  let through = epoch;
  return {
    read: () => found({ through, now: clock.now }),
    advance: (to) =>
      recorded(() => {
        if (to > through) through = to;
      }),
  };
}

export function memoryAnswers(): AnswerStore {
  const kept = new Map<ActionId, KeptAnswer>();
  return {
    keep: (answer) =>
      recorded(() => {
        if (!kept.has(answer.actionId)) kept.set(answer.actionId, answer);
      }),
    find: (action) => {
      const answer = kept.get(action);
      return answer === undefined ? missing : found(answer);
    },
  };
}

function memoryLocations(
  places: readonly Location[],
  clock: { readonly now: Instant },
): LocationStore {
  const known = new Map<LocationId, LocationRead>(
    places.map((location) => [location.location, { location, changedBy: seededBy }]),
  );
  function put(location: Location, changedBy: ActionId) {
    known.set(location.location, { location, changedBy });
    return Promise.resolve({ kind: 'swapped', location } as const);
  }
  const isUnmoved = (before: LocationRead): boolean =>
    known.get(before.location.location)?.location.version === before.location.version;
  return {
    read: (id) => {
      const read = known.get(id);
      return read === undefined ? missing : found(read);
    },
    find: (ids) => found(new Map(ids.flatMap((id) => pair(id, known.get(id)?.location)))),
    create: (location, definition, by) =>
      known.has(location) ? lost : put({ location, ...definition, version: 1 }, by),
    redefine: (before, definition, by) =>
      isUnmoved(before)
        ? put({ ...before.location, ...definition, version: before.location.version + 1 }, by)
        : lost,
    retire: (before, by) =>
      isUnmoved(before)
        ? put(
            { ...before.location, retiredAt: clock.now, version: before.location.version + 1 },
            by,
          )
        : lost,
    list: ({ warehouses, after, limit }) =>
      found(
        Array.from(known.values(), ({ location }) => location)
          .filter((location) => warehouses?.includes(location.warehouse) ?? true)
          .filter(({ location }) => after === undefined || location > after)
          .toSorted((one, other) => (one.location < other.location ? -1 : 1))
          .slice(0, limit),
      ),
  };
}

const seededBy = serviceActionId('test', 'seeded');
