/** So many SKUs that a list of them is long, written past the service, which would take minutes. */
import type { Db } from 'mongodb';
import { collectionsOf } from '../../src/store/documents.ts';
import { seededSku } from '../bench/history.ts';
import { skuAt } from '../bench/stock.ts';

const atOnce = 1_000;

/** MANY-000000 and on, which nothing has happened to yet. */
export async function writeManySkus(db: Db, count: number): Promise<void> {
  const { skus } = collectionsOf(db);
  const at = new Date();
  for (let from = 0; from < count; from += atOnce) {
    const documents = Array.from(
      { length: Math.min(atOnce, count - from) },
      (_, index) => seededSku(skuAt('many', from + index), 0, at).document,
    );
    await skus.insertMany(documents);
  }
}
