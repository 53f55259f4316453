/**
 * The bare driver: one conditional update a movement, and nothing else. No read, no claim, no
 * ledger entry: the writer knows the version from its own write before, and movements of one SKU
 * go one after the other, so that none is lost to another.
 */
import { parseActionId } from '../../../src/domain/ids.ts';
import type { Sku } from '../../../src/domain/ids.ts';
import { createClient } from '../../../src/store/client.ts';
import { collectionsOf } from '../../../src/store/documents.ts';
import { actor, required } from '../stock.ts';
import type { KnownState } from './conditional-update.ts';
import { conditionalUpdate, nextMovement, readState, stateAfter } from './conditional-update.ts';
import type { Mover } from './mover.ts';

export function openBare(uri: string, database: string): Mover {
  const client = createClient(uri);
  const { skus } = collectionsOf(client.db(database));
  const newest = new Map<Sku, Promise<KnownState>>();

  async function update(before: KnownState, key: string): Promise<KnownState> {
    const movement = nextMovement(before, required(parseActionId(actor, key)));
    if (!(await conditionalUpdate(skus, before, movement))) {
      throw new Error(`somebody else writes ${before.sku}`);
    }
    return stateAfter(before);
  }

  return {
    move: async (sku, key) => {
      const after = (newest.get(sku) ?? readState(skus, sku)).then((before) => update(before, key));
      newest.set(sku, after);
      await after;
      return 'moved';
    },
    close: () => client.close(),
  };
}
