/** `npm run shard`, as its user runs it, against a database that is no cluster. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { applyPlan, clusterOf } from '../../../scripts/shard/apply.ts';
import type { Sharding } from '../../../scripts/shard/plan.ts';
import { shardings } from '../../../scripts/shard/plan.ts';
import { prepareSchema } from '../../../src/store/schema.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const script = fileURLToPath(new URL('../../../scripts/shard.ts', import.meta.url));

async function shard(uri: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MONGODB_URI: uri, MONGODB_DATABASE: database.name },
  });
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode, out, err };
}

describe('npm run shard', () => {
  it('prints what would be done, without any database', async () => {
    const { code, out } = await shard('');
    expect(code).toBe(0);
    expect(out).toContain(`sh.shardCollection("${database.name}.skus", {"_id":"hashed"});`);
  });

  it('meets no unique index in what the service prepares', async () => {
    const prepared = database.client.db(`${database.name}_p`);
    try {
      await prepareSchema(prepared);
      const cluster = { ...clusterOf(prepared), hello: () => Promise.resolve({ msg: 'isdbgrid' }) };
      const sharded: string[] = [];
      const shard = ({ collection }: Sharding) => {
        sharded.push(collection);
        return Promise.resolve();
      };
      expect(await applyPlan({ ...cluster, shard }, shardings)).toEqual([]);
      expect(sharded).toEqual(['skus', 'barcodes', 'actions', 'movements']);
    } finally {
      await prepared.dropDatabase();
    }
  });

  it('refuses a server that is no router, and changes nothing', async () => {
    const { code, out, err } = await shard(database.uri, '--apply');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('MONGODB_URI names no mongos');
    expect(await database.db.listCollections().toArray()).toEqual([]);
  });
});
