/**
 * What a user writes by hand in SQL instead: a table of stock with the guard, a key a movement and
 * a row a movement. `tx` is the transaction everybody writes first; `one` makes the same promise
 * in one statement. Statements are prepared, connections pooled.
 */
import type { QueryConfig } from 'pg';
import pg from 'pg';
import type { Mover } from './mover.ts';

export type SqlForm = 'tx' | 'one';

const connections = 20;

export async function openSql(form: SqlForm, postgres: string, schema: string): Promise<Mover> {
  const pool = new pg.Pool({
    connectionString: postgres,
    max: connections,
    application_name: 'stockroom-bench',
    options: `-c search_path=${schema}`,
  });
  await pool.query('SELECT 1');
  const take = form === 'tx' ? inTransaction : inOneStatement;
  return {
    move: async (sku, key) => {
      if (!(await take(pool, sku, key))) throw new Error(`${sku} has run out or ${key} is taken`);
      return 'moved';
    },
    close: () => pool.end(),
  };
}

async function inTransaction(pool: pg.Pool, sku: string, key: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(insertKey(key));
    const taken = await client.query<{ on_hand: string }>(takeStock(sku));
    const [row] = taken.rows;
    if (row !== undefined) await client.query(insertMovement(sku, key, row.on_hand));
    await client.query(row === undefined ? 'ROLLBACK' : 'COMMIT');
    return row !== undefined;
  } finally {
    client.release();
  }
}

const insertKey = (key: string): QueryConfig => ({
  name: 'insert-key',
  text: 'INSERT INTO keys (key) VALUES ($1)',
  values: [key],
});

const takeStock = (sku: string): QueryConfig => ({
  name: 'take-stock',
  text: 'UPDATE stock SET on_hand = on_hand - $2 WHERE sku = $1 AND on_hand >= $2 RETURNING on_hand',
  values: [sku, 1],
});

const insertMovement = (sku: string, key: string, onHand: string): QueryConfig => ({
  name: 'insert-movement',
  text: 'INSERT INTO movements (key, sku, quantity, on_hand) VALUES ($1, $2, $3, $4)',
  values: [key, sku, -1, onHand],
});

async function inOneStatement(pool: pg.Pool, sku: string, key: string): Promise<boolean> {
  const result = await pool.query({
    name: 'take-once',
    text: `
      WITH taken AS (
        UPDATE stock SET on_hand = on_hand - $3
        WHERE sku = $2 AND on_hand >= $3
          AND NOT EXISTS (SELECT FROM movements WHERE movements.key = $1)
        RETURNING on_hand
      )
      INSERT INTO movements (key, sku, quantity, on_hand)
      SELECT $1, $2, -$3, on_hand FROM taken
      RETURNING on_hand`,
    values: [key, sku, 1],
  });
  return result.rowCount === 1;
}
