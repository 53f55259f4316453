/** The stock as verification reads it, past the service. */
import type { ActionId, Sku } from '../../src/domain/ids.ts';
import type { LocationDirectory } from '../../src/inventory/location-directory.ts';
import { createLocationDirectory } from '../../src/inventory/location-directory.ts';
import type { Ports, Read } from '../../src/inventory/ports.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import { createClient } from '../../src/store/client.ts';
import type { Collections } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { openStore } from '../../src/store/open-store.ts';

export interface Stock extends AsyncDisposable {
  readonly ports: Ports;
  readonly directory: LocationDirectory;
  readonly collections: Pick<Collections, 'skus' | 'actions' | 'movements'>;
}

/** Nothing is made in the database: what is not there is not there. */
export function openStock(uri: string, database: string): Stock {
  const store = openStore(uri, database);
  const client = createClient(uri);
  const ports = { ...store.ports, timer: processTimer };
  return {
    ports,
    directory: createLocationDirectory(ports.locations, processTimer),
    collections: collectionsOf(client.db(database)),
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await client.close();
    },
  };
}

const pageSize = 1_000;

/** The SKUs' names, page by page in their order. */
export async function* skuPages({ collections }: Stock): AsyncGenerator<readonly Sku[]> {
  let after: Sku | undefined;
  for (;;) {
    const page = await collections.skus
      .find(after === undefined ? {} : { _id: { $gt: after } }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(pageSize)
      .toArray();
    if (page.length > 0) yield page.map(({ _id }) => _id);
    after = page.at(-1)?._id;
    if (page.length < pageSize) return;
  }
}

/**
 * Claims on a SKU that have led to nothing: the request was given up, or is under way. Each is
 * harmless, since its key still means the same request.
 */
export async function countClaimsWithoutEffect(stock: Stock, sku?: Sku): Promise<number> {
  const { actions, movements } = stock.collections;
  let count = 0;
  let after: ActionId | undefined;
  for (;;) {
    const claims = await actions
      .find(
        {
          'subject.kind': 'sku',
          ...(sku === undefined ? {} : { 'subject.sku': sku }),
          ...(after === undefined ? {} : { _id: { $gt: after } }),
        },
        { projection: { subject: 1 } },
      )
      .sort({ _id: 1 })
      .limit(pageSize)
      .toArray();
    const ids = claims.map(({ _id }) => _id);
    const entered = await movements
      .find({ actionId: { $in: ids } }, { projection: { actionId: 1 } })
      .toArray();
    const known = new Set(entered.map(({ actionId }) => actionId));
    for (const { _id, subject } of claims) {
      if (known.has(_id) || subject.kind !== 'sku') continue;
      if (!(await hadEffect(stock.ports, subject.sku, _id))) count += 1;
    }
    after = ids.at(-1);
    if (ids.length < pageSize) return count;
  }
}

/** Whether an action that is not in the ledger has left its trace elsewhere. */
async function hadEffect(ports: Ports, sku: Sku, action: ActionId): Promise<boolean> {
  const read = await ports.skus.read(sku, { actions: [action], reservations: [], undone: [] });
  if (read.kind === 'unknown') throw new Error(read.cause);
  if (read.kind === 'found') {
    if (read.value.retained.length > 0 || read.value.definedBy === action) return true;
  }
  const kept = await ports.answers.find(action);
  if (kept.kind === 'unknown') throw new Error(kept.cause);
  return kept.kind === 'found';
}

/** How many of a SKU's ordinals the ledger has. */
export async function countEntered(
  { ledger }: Ports,
  sku: Sku,
  through: number,
): Promise<Read<number>> {
  const entered = await ledger.ordinals(sku, 0, through);
  return entered.kind === 'unknown' ? entered : { kind: 'found', value: entered.value.size };
}
