/**
 * The plain loop: claim; read, compare-and-swap, retry at once; ledger entry. What the service does
 * without combining, backing off and recognising repeats. It is kept for this comparison only.
 */
import { parseActionId } from '../../../src/domain/ids.ts';
import type { ActionId, Sku } from '../../../src/domain/ids.ts';
import { requestDigest } from '../../../src/inventory/request-digest.ts';
import { createClient } from '../../../src/store/client.ts';
import type { Collections, WindowDocument } from '../../../src/store/documents.ts';
import { collectionsOf } from '../../../src/store/documents.ts';
import { actor, required } from '../stock.ts';
import { conditionalUpdate, ledgerEntry, nextMovement, readState } from './conditional-update.ts';
import type { Mover } from './mover.ts';

export function openPlain(uri: string, database: string): Mover {
  const client = createClient(uri);
  const collections = collectionsOf(client.db(database));
  return {
    move: async (sku, key) => {
      const actionId = required(parseActionId(actor, key));
      await claim(collections, sku, actionId);
      const movement = await swap(collections, sku, actionId);
      await collections.movements.insertOne(ledgerEntry(sku, movement));
      return 'moved';
    },
    close: () => client.close(),
  };
}

async function claim({ actions }: Collections, sku: Sku, actionId: ActionId): Promise<void> {
  await actions.insertOne({
    _id: actionId,
    digest: requestDigest('bench', {}, { sku }),
    operation: 'bench',
    subject: { kind: 'sku', sku },
  });
}

async function swap({ skus }: Collections, sku: Sku, actionId: ActionId): Promise<WindowDocument> {
  for (;;) {
    const before = await readState(skus, sku);
    if (before.onHand < 1) throw new Error(`${sku} has run out`);
    const movement = nextMovement(before, actionId);
    if (await conditionalUpdate(skus, before, movement)) return movement;
  }
}
