/**
 * Stock counts: one document each.
 *
 * 1. Every write is conditional on the version, which grows by one with each.
 * 2. The pairs of an open count stand in an array under a unique index, so that two openings that
 *    both look first cannot both pass. The field goes when the count ends.
 * 3. A line is read and written by its place, without the others.
 */
import type { Collection, Document, Filter } from 'mongodb';
import type { OnHand } from '../domain/quantity.ts';
import type { CountId, CountPair, CountScope, Standing } from '../domain/stock-count.ts';
import { pairText } from '../domain/stock-count.ts';
import type { Actor, LocationId } from '../domain/ids.ts';
import type {
  CountProgress,
  CountStore,
  LineChange,
  LineSlot,
  LineWrite,
} from '../inventory/count-ports.ts';
import type { Lookup, Read } from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { CountDocument, CountLineDocument, SummaryDocument } from './count-documents.ts';
import { lineOf, summaryOf } from './count-documents.ts';
import { createCountRecords, isAbandoned, isOver } from './count-records.ts';
import type { Collections, SkuDocument } from './documents.ts';
import { ask, askPlainly } from './store-error.ts';

type Counts = Collection<CountDocument>;

export function createCountStore(counts: Counts, skus: Collections['skus']): CountStore {
  return {
    ...createCountRecords(counts),
    summary: async (id) => {
      const asked = await askPlainly(() =>
        counts.findOne<SummaryDocument & { readonly isOver: boolean }>(
          { _id: id },
          { projection: { ...summary, isOver }, maxTimeMS },
        ),
      );
      return looked(asked, ({ isOver: leaseIsOver, ...document }) => ({
        version: document.version,
        isAbandoned: isAbandoned(document.status, leaseIsOver),
        count: summaryOf(document),
      }));
    },
    slot: (id, pair) => slot(counts, id, pair),
    putLine: (change) => putLine(counts, change),
    cancel: (id, version, by) => cancel(counts, id, version, by),
    overlapping: (id, pairs) => overlapping(counts, id, pairs),
    list: async ({ status, after, limit }) => {
      const filter: Filter<CountDocument> = {
        ...(status === undefined ? {} : { status }),
        ...(after === undefined ? {} : behind(after)),
      };
      const asked = await askPlainly(() =>
        counts
          .find<SummaryDocument>(filter, {
            projection: summary,
            sort: { openedAt: -1, _id: -1 },
            limit,
            maxTimeMS,
          })
          .toArray(),
      );
      return asked.kind === 'unknown'
        ? asked
        : { kind: 'found', value: asked.value.map(summaryOf) };
    },
    progressAt: (ids, locations) => progressAt(counts, ids, locations),
    standing: (scope) => standing(skus, scope),
  };
}

function looked<D, T>(asked: Read<D | null>, show: (document: D) => T): Lookup<T> {
  if (asked.kind === 'unknown') return asked;
  return asked.value === null ? { kind: 'missing' } : { kind: 'found', value: show(asked.value) };
}

/** A conditional write that matched nothing has lost its race. */
async function written(
  write: () => Promise<{ readonly matchedCount: number }>,
): Promise<LineWrite> {
  const asked = await ask(write);
  switch (asked.kind) {
    case 'found':
      return { kind: asked.value.matchedCount === 0 ? 'lost' : 'written' };
    case 'duplicate':
      return { kind: 'taken' };
    case 'conflict':
      return { kind: 'lost' };
    case 'unknown':
      return asked;
  }
}

const head = {
  version: 1,
  status: 1,
  isBlind: 1,
  locations: 1,
  skus: 1,
  openedWith: 1,
  openedBy: 1,
  openedAt: 1,
  endedBy: 1,
  endedAt: 1,
} as const;

const isCounted = { $gt: ['$$this.tally', null] } as const;

const summary = {
  ...head,
  lineCount: { $size: '$lines' },
  countedCount: { $size: { $filter: { input: '$lines', cond: isCounted } } },
} as const;

async function progressAt(
  counts: Counts,
  ids: readonly CountId[],
  locations: readonly LocationId[],
): ReturnType<CountStore['progressAt']> {
  const isThere = { $in: ['$$this.location', { $literal: locations }] };
  const lines = (cond: Document) => ({ $size: { $filter: { input: '$lines', cond } } });
  const asked = await askPlainly(() =>
    counts
      .find<CountProgress & { readonly _id: CountId }>(
        { _id: { $in: [...ids] } },
        {
          projection: {
            lineCount: lines(isThere),
            countedCount: lines({ $and: [isThere, isCounted] }),
          },
          maxTimeMS,
        },
      )
      .toArray(),
  );
  return asked.kind === 'unknown'
    ? asked
    : { kind: 'found', value: new Map(asked.value.map(({ _id, ...rest }) => [_id, rest])) };
}

interface SlotDocument extends SummaryDocument {
  /** -1 where the pair has no line. */
  readonly index: number;
  readonly line: CountLineDocument;
}

async function slot(counts: Counts, id: CountId, pair: CountPair): Promise<Lookup<LineSlot>> {
  const texts = {
    $map: { input: '$lines', in: { $concat: ['$$this.location', '/', '$$this.sku'] } },
  };
  const index = { $indexOfArray: [texts, { $literal: pairText(pair) }] };
  const line = { $arrayElemAt: ['$lines', index] };
  const asked = await askPlainly(() =>
    counts.findOne<SlotDocument>(
      { _id: id },
      { projection: { ...summary, index, line }, maxTimeMS },
    ),
  );
  return looked(asked, slotOf);
}

function slotOf({ index, line, ...count }: SlotDocument): LineSlot {
  const read = { version: count.version, count: summaryOf(count) };
  if (index < 0) return read;
  const { changedBy } = line;
  return {
    ...read,
    line: {
      index,
      value: lineOf(line),
      ...(changedBy === undefined ? {} : { changedBy }),
    },
  };
}

function putLine(
  counts: Counts,
  { id, version, index, line, changedBy }: LineChange,
): Promise<LineWrite> {
  const next = { version: version + 1 };
  const document: CountLineDocument = { ...line, changedBy };
  return written(() =>
    counts.updateOne(
      { _id: id, version },
      index === undefined
        ? { $set: next, $push: { lines: document, pairs: pairText(line) } }
        : { $set: { ...next, [`lines.${index}`]: document } },
      { maxTimeMS },
    ),
  );
}

function cancel(counts: Counts, id: CountId, version: number, by: Actor): Promise<LineWrite> {
  const set = { version: version + 1, status: 'cancelled', endedBy: by } as const;
  return written(() =>
    counts.updateOne(
      { _id: id, version },
      { $set: set, $currentDate: { endedAt: true }, $unset: { pairs: 1 } },
      { maxTimeMS },
    ),
  );
}

async function overlapping(
  counts: Counts,
  id: CountId,
  pairs: readonly CountPair[],
): ReturnType<CountStore['overlapping']> {
  const texts = pairs.map(pairText);
  const shared = { $setIntersection: ['$pairs', { $literal: texts }] };
  const asked = await askPlainly(() =>
    counts.findOne<{ readonly _id: CountId; readonly shared: readonly string[] }>(
      { _id: { $ne: id }, pairs: { $in: texts } },
      { projection: { shared }, maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  const pair = pairs.find((one) => asked.value?.shared.includes(pairText(one)));
  return asked.value === null || pair === undefined
    ? { kind: 'missing' }
    : { kind: 'found', value: { id: asked.value._id, pair } };
}

function behind({ at, id }: { readonly at: number; readonly id: CountId }): Filter<CountDocument> {
  const date = new Date(at);
  return { $or: [{ openedAt: { $lt: date } }, { openedAt: date, _id: { $lt: id } }] };
}

type StandingDocument = Pick<SkuDocument, '_id' | 'levels'>;

async function standing(
  skus: Collections['skus'],
  { locations, skus: named, limit }: CountScope & { readonly limit: number },
): Promise<Read<Standing>> {
  const places = { $in: [...locations] };
  const filter: Filter<SkuDocument> =
    named === undefined
      ? { levels: { $elemMatch: { location: places, onHand: { $gt: 0 } } } }
      : { _id: { $in: [...named] } };
  const atPlaces: Document = {
    $filter: { input: '$levels', cond: { $in: ['$$this.location', { $literal: locations }] } },
  };
  const asked = await askPlainly(() =>
    skus
      .find<StandingDocument>(filter, {
        projection: { levels: atPlaces },
        sort: { _id: 1 },
        limit,
        batchSize: limit,
        maxTimeMS,
      })
      .toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  return {
    kind: 'found',
    value: new Map(asked.value.map(({ _id, levels }) => [_id, byPlace(levels)])),
  };
}

function byPlace(levels: SkuDocument['levels']): ReadonlyMap<LocationId, OnHand> {
  return new Map(levels.map(({ location, onHand }) => [location, onHand]));
}
