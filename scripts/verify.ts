/**
 * `npm run verify [-- --repair] [--sku SKU]`: whether every level follows from its history.
 *
 * Looks past the service, straight into the database that MONGODB_URI and MONGODB_DATABASE name, or
 * else into the local engine's on DATA_DIR. Exits 1 where anything is wrong.
 */
import path from 'node:path';
import { readSettings } from '../src/config.ts';
import { startEngine } from './local-engine/engine.ts';
import { helped } from './help.ts';
import { readCommandLine, usage } from './verify/command-line.ts';
import { runVerification } from './verify/run.ts';

async function verify(): Promise<number> {
  if (helped(usage)) return 0;
  const command = readCommandLine(process.argv.slice(2));
  if (command.kind === 'unusable') {
    process.stderr.write(`${command.message}\n`);
    return 2;
  }
  const dataDirectory = path.resolve(process.env['DATA_DIR'] ?? '.data');
  await using engine = await startEngine({ dataDirectory });
  const { mongodbDatabase } = readSettings({ ...process.env, MONGODB_URI: engine.uri });
  return await runVerification(engine.uri, mongodbDatabase, command.options);
}

process.exitCode = await verify().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
