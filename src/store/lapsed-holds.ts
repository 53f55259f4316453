/**
 * Holds that have lapsed and still stand in their documents.
 *
 * There is no index by expiry, since every write of a document with many holds would pay for it.
 * The partial index of SKUs that have holds is walked instead, now and then, a page at a time. It is
 * named to the engine: a later page begins after an _id, which led one to walk all SKUs by that.
 */
import type { Document, Filter } from 'mongodb';
import type { Sku } from '../domain/ids.ts';
import type { LapsedHold, ReadLapsedHolds } from '../inventory/lapsed-holds.ts';
import { maxTimeMS } from './client.ts';
import type { Collections, SkuDocument } from './documents.ts';
import { instantOf } from './documents.ts';
import { holdsIndex } from './schema.ts';
import { askPlainly } from './store-error.ts';

const skusRead = 500;

type Standing = Pick<SkuDocument, '_id' | 'reservations'>;

export function createReadLapsedHolds(
  skus: Collections['skus'],
  pageSize = skusRead,
): ReadLapsedHolds {
  return async ({ after, through }) => {
    const range = { $gt: new Date(after), $lte: new Date(through) };
    const holds: LapsedHold[] = [];
    let last: Sku | undefined;
    for (;;) {
      const filter: Filter<SkuDocument> = {
        'reservations.location': { $exists: true },
        reservations: { $elemMatch: { expiresAt: range } },
        ...(last === undefined ? {} : { _id: { $gt: last } }),
      };
      const asked = await askPlainly(() =>
        skus
          .find<Standing>(filter, {
            projection: { reservations: lapsedWithin(range) },
            sort: { _id: 1 },
            hint: holdsIndex,
            limit: pageSize,
            maxTimeMS,
          })
          .toArray(),
      );
      if (asked.kind === 'unknown') return asked;
      holds.push(...asked.value.flatMap(holdsOf));
      last = asked.value.at(-1)?._id;
      if (asked.value.length < pageSize) return { kind: 'found', value: holds };
    }
  };
}

function lapsedWithin({ $gt, $lte }: { readonly $gt: Date; readonly $lte: Date }): Document {
  const cond = {
    $and: [{ $gt: ['$$this.expiresAt', $gt] }, { $lte: ['$$this.expiresAt', $lte] }],
  };
  return { $filter: { input: '$reservations', cond } };
}

function holdsOf({ _id: sku, reservations }: Standing): readonly LapsedHold[] {
  return reservations.flatMap(({ id, location, quantity, expiresAt }) =>
    expiresAt === null ? [] : [{ id, sku, location, quantity, expiresAt: instantOf(expiresAt) }],
  );
}
