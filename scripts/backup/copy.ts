/**
 * Copies a database while the service goes on writing to it, so that what is restored explains
 * itself. The order does it:
 *
 * 1. An answer is not kept without its effect: kept answers come before what they tell of.
 * 2. No saga is ahead of the stock: counts, orders and receipts come before the SKUs. What is
 *    behind is resumed after the restoring, and recognises what it had done.
 * 3. An order and its receipts are of one moment: they are read until the receipts are the same
 *    before and after the order.
 * 4. A SKU's ledger is read after its document, and only as far as the document goes. So every
 *    movement of the document is in its window or in the copied ledger.
 * 5. Claims of barcodes come before the SKUs, so that none is newer than what they are claimed for;
 *    the restoring sets right what moved meanwhile (settle-barcodes.ts).
 * 6. Claims come after the SKUs, so that each movement's claim is there. One without an effect
 *    only says what its key means.
 * 7. Slots of the dock come before the ledger of their holds, which holds what has left them, and
 *    before the orders, which are told of a hold before it has a seat.
 */
import type { Db, Document } from 'mongodb';
import { z } from 'zod';
import type { LineFile, Written } from './line-file.ts';
import { writeLines } from './line-file.ts';
import { fileOf } from './manifest.ts';

/** Numbers keep their types. */
const exact = { promoteValues: false } as const;
const pageSize = 200;
const triesLimit = 50;

export interface Copied {
  readonly collections: readonly ({ readonly name: string } & Written)[];
  readonly leftOut: number;
}

export async function copyAll(db: Db, folder: string): Promise<Copied> {
  const copied: ({ readonly name: string } & Written)[] = [];
  let leftOut = 0;
  const written = async (
    names: readonly string[],
    fill: (files: readonly LineFile[]) => unknown,
  ) => {
    const files = names.map((name) => writeLines(fileOf(folder, name)));
    await fill(files);
    for (const [index, file] of files.entries()) {
      copied.push({ name: names[index] ?? '', ...(await file.close()) });
    }
  };
  const plainly = (name: string) => written([name], ([file]) => file && copyPlain(db, name, file));

  const first = ['marks', 'answers', 'counts', 'barcodes', 'dockSlots', 'dockBookings'];
  for (const name of first) await plainly(name);
  await written(
    ['orders', 'receipts'],
    ([orders, receipts]) => orders && receipts && copyOrders(db, orders, receipts),
  );
  await written(['skus', 'movements'], async ([skus, movements]) => {
    if (skus && movements) leftOut = await copySkus(db, skus, movements);
  });
  for (const name of ['actions', 'locations']) await plainly(name);
  const known = new Set(copied.map(({ name }) => name));
  const listed = await db.listCollections({}, { nameOnly: true }).toArray();
  const others = listed.map(({ name }) => name).filter((name) => !known.has(name));
  for (const name of others.filter((one) => !one.startsWith('system.')).toSorted()) {
    await plainly(name);
  }
  return { collections: copied, leftOut };
}

function idOf(document: Document | undefined): unknown {
  return document?.['_id'];
}

/** By key, so that nothing is passed over while documents change their places. */
async function* pages(
  db: Db,
  name: string,
  bounds: { readonly after?: unknown; readonly through?: unknown } = {},
): AsyncGenerator<readonly Document[]> {
  const { through } = bounds;
  let { after } = bounds;
  for (;;) {
    const range = {
      ...(after === undefined ? {} : { $gt: after }),
      ...(through === undefined ? {} : { $lte: through }),
    };
    const filter: Document = Object.keys(range).length === 0 ? {} : { _id: range };
    const page = await db
      .collection(name)
      .find(filter, { sort: { _id: 1 }, limit: pageSize, ...exact })
      .toArray();
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = idOf(page.at(-1));
  }
}

async function copyPlain(db: Db, name: string, file: LineFile): Promise<void> {
  for await (const page of pages(db, name)) {
    for (const document of page) await file.write(document);
  }
}

async function copyOrders(db: Db, orders: LineFile, receipts: LineFile): Promise<void> {
  const receiptsOf = (number: unknown) =>
    db
      .collection('receipts')
      .find({ number }, { sort: { _id: 1 }, ...exact })
      .toArray();
  for await (const page of pages(db, 'orders')) {
    for (const document of page) {
      const _id = idOf(document);
      let before = await receiptsOf(_id);
      for (let tries = 1; ; tries += 1) {
        const order = await db.collection('orders').findOne<Document>({ _id } as Document, exact);
        const after = await receiptsOf(_id);
        if (isSame(before, after)) {
          if (order !== null) await orders.write(order);
          for (const receipt of after) await receipts.write(receipt);
          break;
        }
        if (tries === triesLimit) throw new Error(`order ${String(_id)} does not come to rest`);
        before = after;
      }
    }
  }
}

function isSame(before: readonly Document[], after: readonly Document[]): boolean {
  const versions = (receipts: readonly Document[]) =>
    receipts.map(({ _id, version }) => `${String(_id)} ${String(version)}`).join();
  return versions(before) === versions(after);
}

const ledgerId = z.object({ sku: z.string(), ordinal: z.unknown().transform(Number) });

/** @returns how many ledger entries came after their SKU was copied. */
async function copySkus(db: Db, skus: LineFile, movements: LineFile): Promise<number> {
  let leftOut = 0;
  let after: unknown;
  for await (const page of pages(db, 'skus')) {
    const reach = new Map<string, number>();
    for (const document of page) {
      await skus.write(document);
      reach.set(String(idOf(document)), Number(document['movementCount']));
    }
    const last = idOf(page.at(-1));
    // Ids of the ledger compare by their SKU first.
    const through = { sku: last, ordinal: Number.MAX_SAFE_INTEGER };
    const bounds = after === undefined ? { through } : { after, through };
    for await (const entries of pages(db, 'movements', bounds)) {
      for (const entry of entries) {
        const { sku, ordinal } = ledgerId.parse(idOf(entry));
        if (ordinal <= (reach.get(sku) ?? 0)) await movements.write(entry);
        else leftOut += 1;
      }
    }
    after = through;
  }
  return leftOut;
}
