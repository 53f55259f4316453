/**
 * SKU documents.
 *
 * 1. `read` fetches the document without its window, and of the window only the asked-for actions.
 * 2. `swap` is one conditional write that sends what changes, not the document; it lands on exactly
 *    the state that it was decided on, or not at all.
 */
import type { Document, Filter } from 'mongodb';
import type { Instant, Sku } from '../domain/ids.ts';
import { epoch } from '../domain/ids.ts';
import type { SkuState } from '../domain/sku.ts';
import type {
  Interest,
  Lookup,
  SkuChange,
  SkuQuery,
  SkuRead,
  SkuStore,
  Swap,
  WindowExtent,
} from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { Collections, SkuDocument, WindowDocument, WindowEdges } from './documents.ts';
import { definitionFields, instantOf, stateOf, windowMovementOf } from './documents.ts';
import { changeStages, isBefore } from './sku-change.ts';
import type { Asked } from './store-error.ts';
import { ask, askPlainly, isRefusedByValidator } from './store-error.ts';

type Skus = Collections['skus'];

type ReadDocument = Omit<SkuDocument, 'movements'> & {
  readonly retained?: readonly WindowDocument[];
  readonly now: Date;
};

/** Every field but the window. */
const withoutWindow = {
  description: 1,
  baseUnit: 1,
  packs: 1,
  barcodes: 1,
  reorderPoint: 1,
  status: 1,
  definedBy: 1,
  definedVersion: 1,
  levels: 1,
  reservations: 1,
  lastActionId: 1,
  version: 1,
  movementCount: 1,
  ledgeredThrough: 1,
  lastAt: 1,
} as const;

export function createSkuStore(skus: Skus): SkuStore {
  return {
    read: (sku, interest) => read(skus, sku, interest),
    create: (after, until) => create(skus, after, until),
    swap: (change) => swap(skus, change),
    window: async (sku, after) => {
      const asked = await askPlainly(() =>
        skus.findOne<{ readonly movements: readonly WindowDocument[] }>(
          { _id: sku },
          { projection: { _id: 0, movements: retained(after) }, maxTimeMS },
        ),
      );
      if (asked.kind === 'unknown') return asked;
      return { kind: 'found', value: (asked.value?.movements ?? []).map(windowMovementOf) };
    },
    snapshot: async (sku) => {
      const asked = await askPlainly(() =>
        skus.findOne<ReadDocument & Pick<SkuDocument, 'movements'>>(
          { _id: sku },
          { projection: { ...readProjection(noInterest), movements: 1 }, maxTimeMS },
        ),
      );
      if (asked.kind === 'unknown') return asked;
      if (asked.value === null) return { kind: 'missing' };
      const { state, extent, now } = skuReadOf(asked.value);
      const window = asked.value.movements.map(windowMovementOf);
      return { kind: 'found', value: { state, extent, now, window } };
    },
    movedSince: (query) => movedSince(skus, query),
    list: (query) => list(skus, query),
  };
}

const noInterest: Interest = { actions: [], reservations: [], undone: [] };

async function movedSince(
  skus: Skus,
  { since, after, limit }: Parameters<SkuStore['movedSince']>[0],
): ReturnType<SkuStore['movedSince']> {
  const from = new Date(after?.lastAt ?? since);
  const filter: Filter<SkuDocument> =
    after === undefined
      ? { lastAt: { $gt: from } }
      : {
          lastAt: { $gte: from },
          $or: [{ lastAt: { $gt: from } }, { lastAt: from, _id: { $gt: after.sku } }],
        };
  const asked = await askPlainly(() =>
    skus
      .find(filter, {
        projection: { lastAt: 1, ledgeredThrough: 1, movementCount: 1 },
        sort: { lastAt: 1, _id: 1 },
        limit,
        maxTimeMS,
      })
      .toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  return {
    kind: 'found',
    value: asked.value.map(({ _id: sku, lastAt, ledgeredThrough, movementCount }) => ({
      sku,
      lastAt: instantOf(lastAt),
      ledgeredThrough,
      movementCount,
    })),
  };
}

function retained(after: number): Document {
  return { $filter: { input: '$movements', cond: { $gt: ['$$this.ordinal', after] } } };
}

async function read(skus: Skus, sku: Sku, interest: Interest): Promise<Lookup<SkuRead>> {
  const asked = await askPlainly(() =>
    skus.findOne<ReadDocument>({ _id: sku }, { projection: readProjection(interest), maxTimeMS }),
  );
  if (asked.kind === 'unknown') return asked;
  if (asked.value === null) return { kind: 'missing' };
  return { kind: 'found', value: skuReadOf(asked.value) };
}

function readProjection(interest: Interest): Document {
  const wanted = [
    ['actionId', interest.actions],
    ['reservation.id', interest.reservations],
    ['reverses', interest.undone],
  ] as const;
  const conditions = wanted
    .filter(([, values]) => values.length > 0)
    .map(([field, values]) => ({ $in: [`$$this.${field}`, { $literal: values }] }));
  const retained = { $filter: { input: '$movements', cond: { $or: conditions } } };
  return {
    ...withoutWindow,
    ...(conditions.length === 0 ? {} : { retained }),
    oldest: edge(0),
    newest: edge(-1),
    now: '$$NOW',
  };
}

function edge(index: 0 | -1): Document {
  // Taken off the one movement: a path through the array would build another of its length.
  return {
    $let: {
      vars: { movement: { $arrayElemAt: ['$movements', index] } },
      in: { ordinal: '$$movement.ordinal', bytesThrough: '$$movement.bytesThrough' },
    },
  };
}

function skuReadOf(document: ReadDocument): SkuRead {
  const state = stateOf(document);
  return {
    state,
    extent: extentOf(document, state.movementCount, document.ledgeredThrough),
    definedBy: document.definedBy,
    definedVersion: document.definedVersion,
    retained: (document.retained ?? []).map(windowMovementOf),
    now: instantOf(document.now),
  };
}

function extentOf(
  { oldest, newest }: WindowEdges,
  movementCount: number,
  ledgeredThrough: number,
): WindowExtent {
  return {
    from: oldest?.ordinal ?? movementCount + 1,
    ledgeredThrough,
    bytesFrom: oldest?.bytesThrough ?? 0,
    bytesThrough: newest?.bytesThrough ?? 0,
  };
}

async function create(skus: Skus, after: SkuState, until: Instant | undefined): Promise<Swap> {
  const document: SkuDocument = {
    _id: after.sku,
    ...definitionFields(after.definition),
    definedBy: after.lastActionId,
    definedVersion: after.version,
    levels: after.levels,
    reservations: [],
    lastActionId: after.lastActionId,
    version: after.version,
    movementCount: 0,
    movements: [],
    ledgeredThrough: 0,
    lastAt: new Date(epoch),
  };
  const asked =
    until === undefined
      ? await ask(() => skus.insertOne(document, { maxTimeMS }))
      : await insertBefore(skus, document, until);
  if (asked.kind === 'found') return { kind: 'swapped', at: epoch, extent: extentOf({}, 0, 0) };
  return asked.kind === 'unknown' ? asked : { kind: 'lost' };
}

/**
 * An insertion knows no condition, and an upsert's filter is none of the document that it makes.
 * So past the time it makes one that the validator refuses: nothing but an id.
 */
async function insertBefore(
  skus: Skus,
  document: SkuDocument,
  until: Instant,
): Promise<Asked<unknown>> {
  const made = { $cond: [isBefore(until), { $literal: document }, { _id: '$_id' }] };
  try {
    return await ask(() =>
      skus.updateOne(
        // A SKU that stands has a version: then its id is taken.
        { _id: document._id, version: { $exists: false } },
        [{ $replaceWith: made }],
        { upsert: true, maxTimeMS },
      ),
    );
  } catch (error) {
    if (isRefusedByValidator(error)) return { kind: 'conflict' };
    throw error;
  }
}

async function swap(skus: Skus, change: SkuChange): Promise<Swap> {
  const { before, after, until, ledgeredThrough } = change;
  const asked = await ask(() =>
    skus.findOneAndUpdate(
      {
        _id: before.sku,
        version: before.version,
        lastActionId: before.lastActionId,
        ...(until === undefined ? {} : { $expr: isBefore(until) }),
      },
      changeStages(change),
      {
        projection: { _id: 0, lastAt: 1, oldest: edge(0), newest: edge(-1) },
        returnDocument: 'after',
        maxTimeMS,
      },
    ),
  );
  switch (asked.kind) {
    case 'found':
      return asked.value === null
        ? { kind: 'lost' }
        : {
            kind: 'swapped',
            at: instantOf(asked.value.lastAt),
            extent: extentOf(asked.value, after.movementCount, ledgeredThrough),
          };
    case 'conflict':
    case 'duplicate':
      return { kind: 'lost' };
    case 'unknown':
      return asked;
  }
}

async function list(skus: Skus, query: SkuQuery): ReturnType<SkuStore['list']> {
  const asked = await askPlainly(() =>
    skus
      .find<ReadDocument>(listFilter(query), {
        projection: { ...withoutWindow, now: '$$NOW' },
        sort: { _id: 1 },
        limit: query.limit,
        maxTimeMS,
      })
      .toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  const [first] = asked.value;
  const now = first === undefined ? epoch : instantOf(first.now);
  return { kind: 'found', value: { skus: asked.value.map(stateOf), now } };
}

function listFilter({ after, contains, standingAt }: SkuQuery): Filter<SkuDocument> {
  const conditions: Filter<SkuDocument>[] = [];
  if (after !== undefined) conditions.push({ _id: { $gt: after } });
  if (contains !== undefined) {
    const literally = { $regex: contains.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), $options: 'i' };
    conditions.push({ $or: [{ _id: literally }, { description: literally }] });
  }
  if (standingAt !== undefined) {
    const location = { $in: standingAt };
    conditions.push({
      $or: [
        { levels: { $elemMatch: { location, onHand: { $gt: 0 } } } },
        { 'reservations.location': location },
      ],
    });
  }
  return conditions.length === 0 ? {} : { $and: conditions };
}
