/**
 * `npm run shard [-- --apply] [--collection NAME]...`: prints how the collections that grow are
 * spread over a sharded cluster, and with --apply does it, through the mongos that MONGODB_URI names.
 */
import { readSettings } from '../src/config.ts';
import { createClient } from '../src/store/client.ts';
import { helped } from './help.ts';
import { applyPlan, clusterOf } from './shard/apply.ts';
import { readCommandLine, usage } from './shard/command-line.ts';
import { printed } from './shard/plan.ts';

async function shard(): Promise<number> {
  if (helped(usage)) return 0;
  const command = readCommandLine(process.argv.slice(2));
  if (command.kind === 'unusable') {
    process.stderr.write(`${command.message}\n`);
    return 2;
  }
  if (!command.apply) {
    // Printing asks no database.
    const { mongodbDatabase } = readSettings({
      ...process.env,
      MONGODB_URI: 'mongodb://not-asked',
    });
    process.stdout.write(`${printed(mongodbDatabase, command.plan)}\n`);
    return 0;
  }
  const { mongodbUri, mongodbDatabase } = readSettings(process.env);
  const client = createClient(mongodbUri);
  try {
    const obstacles = await applyPlan(clusterOf(client.db(mongodbDatabase)), command.plan);
    for (const obstacle of obstacles) process.stderr.write(`${obstacle}.\n`);
    if (obstacles.length > 0) return 1;
    process.stdout.write(`${printed(mongodbDatabase, command.plan)}\n// Done.\n`);
    return 0;
  } finally {
    await client.close();
  }
}

process.exitCode = await shard().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
