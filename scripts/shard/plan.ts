/** Which collections are spread over the shards of a cluster, and by what. docs/adr/0018 says why. */

export interface Sharding {
  readonly collection: 'skus' | 'barcodes' | 'actions' | 'movements';
  readonly key: { readonly _id: 'hashed' | 1 };
  readonly why: string;
}

export const shardings: readonly Sharding[] = [
  {
    collection: 'skus',
    key: { _id: 'hashed' },
    why: 'each is read and written by its id alone, and similar ids do not meet on one shard',
  },
  {
    collection: 'barcodes',
    key: { _id: 'hashed' },
    why: 'each is read and written by its code alone, and codes of one maker begin alike',
  },
  {
    collection: 'actions',
    key: { _id: 'hashed' },
    why: 'each is read and written by its id alone, and ids that count upwards do not meet',
  },
  {
    collection: 'movements',
    key: { _id: 1 },
    why: 'a SKU’s ledger lies together, in its order, and splits by ordinal where it is long',
  },
];

/** As somebody would type it into mongosh. */
export function printed(database: string, plan: readonly Sharding[]): string {
  return plan
    .map(({ collection, key, why }) => {
      const target = JSON.stringify(`${database}.${collection}`);
      return `// ${why}\nsh.shardCollection(${target}, ${JSON.stringify(key)});`;
    })
    .join('\n');
}
