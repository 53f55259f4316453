/** A schema of its own for one form of hand-written SQL. */
import type pg from 'pg';
import type { Sku } from '../../src/domain/ids.ts';
import type { Standing } from './conservation.ts';
import type { Soil } from './ground.ts';
import { locations, receivedPerLocation } from './stock.ts';
import type { SqlForm } from './strategies/sql.ts';

const openingOnHand = locations.length * receivedPerLocation;

/** @param schema a name of the bench's own making, safe to stand in a statement. */
export function sqlSoil(pool: pg.Pool, schema: string, form: SqlForm): Soil {
  let created: Promise<unknown> | undefined;

  async function standings(wanted: readonly Sku[]): Promise<ReadonlyMap<string, Standing>> {
    const result = await pool.query<{ sku: string; on_hand: string; movements: string }>(
      `SELECT sku, on_hand, coalesce(moved.movements, 0) AS movements
       FROM ${schema}.stock LEFT JOIN (
         SELECT sku, count(*) AS movements FROM ${schema}.movements GROUP BY sku
       ) AS moved USING (sku)
       WHERE sku = ANY ($1)`,
      [wanted],
    );
    return new Map(
      result.rows.map(({ sku, on_hand, movements }) => [
        sku,
        { onHand: Number(on_hand), movementCount: Number(movements) },
      ]),
    );
  }

  async function entries(): Promise<ReadonlyMap<string, number>> {
    const table = form === 'tx' ? 'keys' : 'movements';
    const result = await pool.query<{ count: string }>(`SELECT count(*) FROM ${schema}.${table}`);
    return new Map([[table, Number(result.rows[0]?.count)]]);
  }

  return {
    seed: async ({ skus }) => {
      await (created ??= pool.query(tables(schema, form)));
      await pool.query(`INSERT INTO ${schema}.stock (sku, on_hand) SELECT unnest($1::text[]), $2`, [
        skus,
        openingOnHand,
      ]);
    },
    standings,
    entries,
    drop: async () => {
      await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    },
  };
}

/** In one statement the movement's own key keeps the promise; the transaction has a table for it. */
function tables(schema: string, form: SqlForm): string {
  return `
    CREATE SCHEMA ${schema};
    CREATE TABLE ${schema}.stock (
      sku text PRIMARY KEY,
      on_hand bigint NOT NULL CHECK (on_hand >= 0)
    );
    CREATE TABLE ${schema}.movements (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      key text NOT NULL ${form === 'one' ? 'UNIQUE' : ''},
      sku text NOT NULL,
      quantity integer NOT NULL,
      on_hand bigint NOT NULL,
      at timestamptz NOT NULL DEFAULT now()
    );
    ${form === 'tx' ? `CREATE TABLE ${schema}.keys (key text PRIMARY KEY);` : ''}`;
}
