/** Writes a stock straight into a database, past the service, which would take minutes for it. */
import type { Db } from 'mongodb';
import { parseActionId } from '../../src/domain/ids.ts';
import type { Collections } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { prepareSchema } from '../../src/store/schema.ts';
import { seededSku } from './history.ts';
import type { Stock } from './stock.ts';
import { actor, locations, required, warehouse } from './stock.ts';

/** Some 2 MB of full windows go in one message. */
const skusAtOnce = 20;
const entriesAtOnce = 5_000;

/** Collections, validators and indexes as the service makes them, and the locations. */
export async function prepareDatabase(db: Db): Promise<void> {
  await prepareSchema(db);
  await collectionsOf(db).locations.insertMany(
    locations.map((location) => ({
      _id: location,
      warehouse,
      kind: 'storage',
      version: 1,
      changedBy: required(parseActionId(actor, `bench-${location}`)),
    })),
  );
}

/** @param withLedger a strategy that never touches the ledger is measured without one. */
export async function seedStock(
  db: Db,
  { skus, windowLength }: Stock,
  withLedger: boolean,
): Promise<void> {
  const collections = collectionsOf(db);
  const at = new Date();
  for (let from = 0; from < skus.length; from += skusAtOnce) {
    const seeded = skus
      .slice(from, from + skusAtOnce)
      .map((sku) => seededSku(sku, windowLength, at));
    await collections.skus.insertMany(seeded.map(({ document }) => document));
    if (withLedger)
      await enter(
        collections,
        seeded.flatMap(({ ledger }) => ledger),
      );
  }
}

async function enter(
  { movements }: Collections,
  entries: Parameters<Collections['movements']['insertMany']>[0],
): Promise<void> {
  const parts = Array.from({ length: Math.ceil(entries.length / entriesAtOnce) }, (_, part) =>
    entries.slice(part * entriesAtOnce, (part + 1) * entriesAtOnce),
  );
  await Promise.all(parts.map((part) => movements.insertMany(part, { ordered: false })));
}
