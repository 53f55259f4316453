/**
 * The barcodes of a restored database. Claims and SKUs were copied one after the other, while codes
 * went from SKU to SKU: each code that a SKU carries is claimed for it, and where two carry one, it
 * stays with the one that was copied last, since the other had lost it by then.
 */
import type { Db } from 'mongodb';
import type { Sku } from '../../src/domain/ids.ts';
import { claimCarriedCodes } from '../../src/store/barcode-migration.ts';
import type { Collections } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';

export async function settleBarcodes(db: Db): Promise<void> {
  await claimCarriedCodes(db);
  const collections = collectionsOf(db);
  const carrying = collections.skus
    .find({ barcodes: { $exists: true } }, { projection: { barcodes: 1 } })
    .sort({ _id: 1 });
  for await (const { _id: sku, barcodes = [] } of carrying) {
    const codes = barcodes.map(({ code }) => code);
    const others = await collections.barcodes
      .find({ _id: { $in: codes }, sku: { $ne: sku } })
      .toArray();
    for (const { _id: code, sku: other } of others) await settle(collections, code, sku, other);
  }
}

/** SKUs are copied in the order of their ids. */
async function settle(
  { skus, barcodes }: Pick<Collections, 'skus' | 'barcodes'>,
  code: string,
  sku: Sku,
  claimed: Sku,
): Promise<void> {
  const lose = (one: Sku) => skus.updateOne({ _id: one }, { $pull: { barcodes: { code } } });
  const carries = { _id: claimed, 'barcodes.code': code };
  const isNewer = await skus.findOne({ $and: [carries, { _id: { $gt: sku } }] });
  if (isNewer !== null) {
    await lose(sku);
    return;
  }
  if ((await skus.findOne(carries)) !== null) await lose(claimed);
  await barcodes.updateOne({ _id: code }, { $set: { sku } });
}
