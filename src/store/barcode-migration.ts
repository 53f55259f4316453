/**
 * Claims for the codes that SKUs carry already: in a database of a version that told the owner of a
 * code by a unique index of `skus`, and in one that was restored.
 *
 * The index stays until every code is claimed. So what is left undone is begun anew, and a claim
 * that is there stays as it is. Processes of such a version must not run meanwhile: they make none.
 */
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { epoch } from '../domain/ids.ts';
import type { Sku } from '../domain/ids.ts';
import type { BarcodeDocument } from './documents.ts';
import { collectionsOf } from './documents.ts';
import { ask } from './store-error.ts';

const formerIndex = 'barcode';
const indexNotFound = 27;
const pageSize = 500;

export async function replaceBarcodeIndex(db: Db): Promise<void> {
  const indexes = await db.collection('skus').indexes();
  if (indexes.every(({ name }) => name !== formerIndex)) return;
  await claimCarriedCodes(db);
  try {
    await db.collection('skus').dropIndex(formerIndex);
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof Error && 'code' in error && error.code === indexNotFound)) throw error;
  }
}

/** @throws where the database cannot be asked. */
export async function claimCarriedCodes(db: Db): Promise<void> {
  const { skus, barcodes } = collectionsOf(db);
  let after: Sku | undefined;
  for (;;) {
    const page = await skus
      .find(after === undefined ? {} : { _id: { $gt: after } }, {
        projection: { barcodes: 1 },
        sort: { _id: 1 },
        limit: pageSize,
      })
      .toArray();
    const claims = page.flatMap(({ _id: sku, barcodes: codes = [] }) =>
      codes.map(({ code }) => insertion({ code, sku })),
    );
    if (claims.length > 0) {
      const asked = await ask(() => barcodes.bulkWrite(claims, { ordered: false }));
      if (asked.kind === 'unknown') throw new Error(asked.cause);
    }
    after = page.at(-1)?._id;
    if (page.length < pageSize) return;
  }
}

function insertion({
  code,
  sku,
}: {
  readonly code: string;
  readonly sku: Sku;
}): AnyBulkWriteOperation<BarcodeDocument> {
  const by = '~carried';
  const document = { _id: code, sku, madeBy: by, heldBy: by, until: new Date(epoch) };
  return { insertOne: { document } };
}
