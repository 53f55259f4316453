/**
 * The ledger: every movement ever, one document each. Its entry is also the action's replay
 * marker. An entry is inserted once and never changed; inserting it again is harmless.
 */
import type { Filter } from 'mongodb';
import type { ActionId, Sku } from '../domain/ids.ts';
import type { Movement } from '../domain/movement.ts';
import type { ReservationId } from '../domain/reservation.ts';
import { textOf } from '../inventory/heal.ts';
import type { HistoryQuery, Ledger, Read, Recorded } from '../inventory/ports.ts';
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

async function history(
  movements: Movements,
  { sku, before, limit, location, type, from, to }: HistoryQuery,
): Promise<Read<readonly Movement[]>> {
  const filter: Filter<LedgerDocument> = {
    ...ordinalsOf(sku, 1, before ?? Number.MAX_SAFE_INTEGER),
    ...(location === undefined ? {} : { 'lines.location': location }),
    ...(type === undefined ? {} : { type }),
    ...(from === undefined && to === undefined ? {} : { at: between(from, to) }),
  };
  const asked = await askPlainly(() =>
    movements.find(filter, { sort: { _id: -1 }, limit, maxTimeMS }).toArray(),
  );
  return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value.map(movementOf) };
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
