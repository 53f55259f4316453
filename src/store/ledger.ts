/**
 * The ledger: every movement ever, one document each. Its entry is also the action's replay
 * marker. An entry is inserted once and never changed; inserting it again is harmless.
 */
import type { Filter } from 'mongodb';
import type { ActionId, LocationId, Sku } from '../domain/ids.ts';
import type { Movement } from '../domain/movement.ts';
import type { ReservationId } from '../domain/reservation.ts';
import { textOf } from '../inventory/heal.ts';
import type {
  HistoryQuery,
  Ledger,
  MovementPlace,
  MovementSearch,
  Read,
  Recorded,
} from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { Collections, LedgerDocument } from './documents.ts';
import { instantOf, particularFields, particularsOf } from './documents.ts';
import { ask, askPlainly } from './store-error.ts';

type Movements = Collections['movements'];

export function createLedger(movements: Movements): Ledger {
  return {
    record: (entries) => record(movements, entries),
    ordinals: async (sku, after, through) => {
      const asked = await askPlainly(() =>
        movements
          .find<Pick<LedgerDocument, '_id'>>(ordinalsOf(sku, after + 1, through + 1), {
            projection: { _id: 1 },
            maxTimeMS,
          })
          .toArray(),
      );
      if (asked.kind === 'unknown') return asked;
      return { kind: 'found', value: new Set(asked.value.map(({ _id }) => _id.ordinal)) };
    },
    byAction: (sku, actions) => byAction(movements, sku, actions),
    ofAction: async (action) => {
      const asked = await askPlainly(() => movements.findOne({ actionId: action }, { maxTimeMS }));
      if (asked.kind === 'unknown') return asked;
      return asked.value === null
        ? { kind: 'missing' }
        : { kind: 'found', value: movementOf(asked.value) };
    },
    entries: ({ sku, after, through, limit }) =>
      listed(movements, ordinalsOf(sku, after + 1, through + 1), { _id: 1 }, limit),
    search: (query) => listed(movements, searchFilter(query), newestFirst, query.limit),
    reservedUnder: ({ reference, after, limit }) =>
      listed(
        movements,
        { reference, type: 'reserve', ...(after === undefined ? {} : afterPlace(after)) },
        newestFirst,
        limit,
      ),
    netByLocation: (sku, after, through) => netByLocation(movements, sku, after, through),
    byReservation: (sku, ids) => byReservation(movements, sku, ids),
    undoing: (sku, actions) => ofSku(movements, sku, { reverses: { $in: [...actions] } }),
    history: (query) => history(movements, query),
  };
}

/** The entries of one SKU with `from` ≤ ordinal < `before`. */
function ordinalsOf(sku: Sku, from: number, before: number): Filter<LedgerDocument> {
  return { _id: { $gte: { sku, ordinal: from }, $lt: { sku, ordinal: before } } };
}

async function record(movements: Movements, entries: readonly Movement[]): Promise<Recorded> {
  const sorted = entries.toSorted(byId);
  const asked = await ask(() =>
    movements.insertMany(sorted.map(documentOf), { ordered: false, maxTimeMS }),
  );
  switch (asked.kind) {
    case 'found':
    case 'duplicate':
      return { kind: 'recorded' };
    case 'conflict':
      return { kind: 'unknown', cause: 'the ledger entries met a conflict' };
    case 'unknown':
      return asked;
  }
}

/** Two bulk writes that take the same documents in different orders would block each other. */
function byId(one: Movement, other: Movement): number {
  if (one.sku !== other.sku) return one.sku < other.sku ? -1 : 1;
  return one.ordinal - other.ordinal;
}

/** Entries of one SKU, oldest first; `filter` names an index that leads to few. */
async function ofSku(
  movements: Movements,
  sku: Sku,
  filter: Filter<LedgerDocument>,
): Promise<Read<readonly Movement[]>> {
  const asked = await askPlainly(() => movements.find(filter, { maxTimeMS }).toArray());
  if (asked.kind === 'unknown') return asked;
  const own = asked.value.filter((document) => document._id.sku === sku);
  return {
    kind: 'found',
    value: own.map(movementOf).toSorted((one, other) => one.ordinal - other.ordinal),
  };
}

async function byAction(
  movements: Movements,
  sku: Sku,
  actions: readonly ActionId[],
): Promise<Read<ReadonlyMap<ActionId, Movement>>> {
  const own = await ofSku(movements, sku, { actionId: { $in: [...actions] } });
  if (own.kind === 'unknown') return own;
  return { kind: 'found', value: new Map(own.value.map((entry) => [entry.actionId, entry])) };
}

async function byReservation(
  movements: Movements,
  sku: Sku,
  ids: readonly ReservationId[],
): Promise<Read<ReadonlyMap<ReservationId, Movement>>> {
  const own = await ofSku(movements, sku, { 'reservation.id': { $in: [...ids] } });
  if (own.kind === 'unknown') return own;
  return {
    kind: 'found',
    // Oldest first, so that the newest of each stays.
    value: new Map(
      own.value.flatMap((entry) => (entry.reservation ? [[entry.reservation.id, entry]] : [])),
    ),
  };
}

function history(
  movements: Movements,
  { sku, before, limit, location, type, from, to }: HistoryQuery,
): Promise<Read<readonly Movement[]>> {
  const filter: Filter<LedgerDocument> = {
    ...ordinalsOf(sku, 1, before ?? Number.MAX_SAFE_INTEGER),
    ...(location === undefined ? {} : { 'lines.location': location }),
    ...(type === undefined ? {} : { type }),
    ...(from === undefined && to === undefined ? {} : { at: between(from, to) }),
  };
  return listed(movements, filter, { _id: -1 }, limit);
}

async function listed(
  movements: Movements,
  filter: Filter<LedgerDocument>,
  sort: Record<string, 1 | -1>,
  limit: number,
): Promise<Read<readonly Movement[]>> {
  const asked = await askPlainly(() =>
    movements.find(filter, { sort, limit, batchSize: limit, maxTimeMS }).toArray(),
  );
  return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value.map(movementOf) };
}

const newestFirst = { at: -1, _id: -1 } as const;

function searchFilter(query: MovementSearch): Filter<LedgerDocument> {
  const { sku, locations, type, actor, reference, from, to, after } = query;
  const upTo = after === undefined || to < after.at ? to : after.at;
  return {
    ...(sku === undefined ? {} : ordinalsOf(sku, 1, Number.MAX_SAFE_INTEGER)),
    ...(locations === undefined ? {} : { 'lines.location': { $in: [...locations] } }),
    ...(type === undefined ? {} : { type }),
    ...(actor === undefined ? {} : { actor }),
    ...(reference === undefined ? {} : { reference }),
    ...(after === undefined ? {} : afterPlace(after)),
    at: between(from, upTo),
  };
}

/** Behind a place in the order of newestFirst. */
function afterPlace({ at, sku, ordinal }: MovementPlace): Filter<LedgerDocument> {
  const date = new Date(at);
  return { $or: [{ at: { $lt: date } }, { at: date, _id: { $lt: { sku, ordinal } } }] };
}

async function netByLocation(
  movements: Movements,
  sku: Sku,
  after: number,
  through: number,
): Promise<Read<ReadonlyMap<LocationId, number>>> {
  const asked = await askPlainly(() =>
    movements
      .aggregate<{ readonly _id: LocationId; readonly net: number }>(
        [
          { $match: ordinalsOf(sku, after + 1, through + 1) },
          { $unwind: '$lines' },
          { $group: { _id: '$lines.location', net: { $sum: '$lines.delta' } } },
        ],
        { maxTimeMS },
      )
      .toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  return { kind: 'found', value: new Map(asked.value.map(({ _id, net }) => [_id, net])) };
}

function between(from: number | undefined, to: number | undefined): { $gte?: Date; $lte?: Date } {
  return {
    ...(from === undefined ? {} : { $gte: new Date(from) }),
    ...(to === undefined ? {} : { $lte: new Date(to) }),
  };
}

function documentOf(movement: Movement): LedgerDocument {
  const { sku, ordinal, actionId, type, lines, actor, at } = movement;
  return {
    _id: { sku, ordinal },
    actionId,
    type,
    lines,
    ...particularFields(movement),
    ...textOf(movement),
    actor,
    at: new Date(at),
  };
}

function movementOf(document: LedgerDocument): Movement {
  const { _id, actionId, type, lines, actor, at } = document;
  return {
    actionId,
    sku: _id.sku,
    ordinal: _id.ordinal,
    type,
    lines,
    ...particularsOf(document),
    ...textOf(document),
    actor,
    at: instantOf(at),
  };
}
