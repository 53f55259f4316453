/** Spreads collections over a cluster; nothing is begun unless all of it can be done. */
import type { Db, Document } from 'mongodb';
import type { Sharding } from './plan.ts';

/** What is asked of the cluster. */
export interface Cluster {
  readonly hello: () => Promise<Document>;
  readonly indexes: (collection: string) => Promise<readonly Document[]>;
  readonly shard: (sharding: Sharding) => Promise<void>;
}

export function clusterOf(db: Db): Cluster {
  const admin = db.client.db('admin');
  return {
    hello: () => admin.command({ hello: 1 }),
    indexes: (collection) => db.collection(collection).indexes(),
    shard: async ({ collection, key }) => {
      await admin.command({ shardCollection: `${db.databaseName}.${collection}`, key });
    },
  };
}

/** @returns what stands in the way; nothing was done unless it is empty. */
export async function applyPlan(
  cluster: Cluster,
  plan: readonly Sharding[],
): Promise<readonly string[]> {
  const { msg } = await cluster.hello();
  // The one answer by which a router tells itself from a member.
  if (msg !== 'isdbgrid') {
    return ['MONGODB_URI names no mongos: only the router of a sharded cluster can do this'];
  }
  const obstacles = (await Promise.all(plan.map((one) => obstaclesTo(cluster, one)))).flat();
  if (obstacles.length > 0) return obstacles;
  for (const one of plan) await cluster.shard(one);
  return [];
}

/** Uniqueness holds within one shard only, so a cluster takes it for nothing but the shard key. */
async function obstaclesTo(cluster: Cluster, { collection }: Sharding): Promise<readonly string[]> {
  const indexes = await cluster.indexes(collection);
  return indexes
    .filter(({ name, unique }) => unique === true && name !== '_id_')
    .map(
      ({ name }) =>
        `${collection} cannot be sharded while its index ${String(name)} is unique; docs/adr/0018 says what that takes`,
    );
}
