/** A database of its own for one strategy that goes through the driver. */
import type { MongoClient } from 'mongodb';
import type { Sku } from '../../src/domain/ids.ts';
import type { SkuDocument } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import type { Standing } from './conservation.ts';
import type { Soil } from './ground.ts';
import { prepareDatabase, seedStock } from './seed.ts';

export interface Entered {
  /** Whether the strategy claims its actions and enters the ledger. */
  readonly ledger: boolean;
}

export function mongoSoil(client: MongoClient, database: string, { ledger }: Entered): Soil {
  const db = client.db(database);
  const { skus, actions, movements } = collectionsOf(db);
  let prepared: Promise<void> | undefined;

  async function standings(wanted: readonly Sku[]): Promise<ReadonlyMap<string, Standing>> {
    const documents = await skus
      .find<Pick<SkuDocument, '_id' | 'levels' | 'movementCount'>>(
        { _id: { $in: [...wanted] } },
        { projection: { levels: 1, movementCount: 1 } },
      )
      .toArray();
    return new Map(
      documents.map(({ _id, levels, movementCount }) => {
        const onHand = levels.reduce((sum, level) => sum + level.onHand, 0);
        return [_id, { onHand, movementCount }];
      }),
    );
  }

  async function entries(): Promise<ReadonlyMap<string, number>> {
    if (!ledger) return new Map();
    return new Map([
      ['claims', await actions.countDocuments()],
      ['ledger entries', await movements.countDocuments()],
    ]);
  }

  return {
    seed: async (stock) => {
      await (prepared ??= prepareDatabase(db));
      await seedStock(db, stock, ledger);
    },
    standings,
    entries,
    drop: async () => {
      await db.dropDatabase();
    },
  };
}
