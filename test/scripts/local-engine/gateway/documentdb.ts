/** What the engine tests that need DocumentDB itself share. */
import { Client } from 'pg';
import { inject } from 'vitest';

/** True where the run's engine is the gateway under test. */
export const isDocumentDb = inject('engine').kind === 'documentdb';

/** Runs `use` with a PostgreSQL session of its own on the engine of the run. */
export async function withPostgres(
  url: string | undefined,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

/** The PostgreSQL table that holds a collection. */
export async function tableOf(
  client: Client,
  database: string,
  collection: string,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT collection_id::text AS id FROM documentdb_api_catalog.collections
     WHERE database_name = $1 AND collection_name = $2`,
    [database, collection],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`no collection ${database}.${collection}`);
  return `documentdb_data.documents_${id}`;
}

/** Looks until `condition` holds; fails after `limitMs`. */
export async function eventually(
  condition: () => Promise<boolean>,
  limitMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('it did not come about in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
