/**
 * `npm run restore -- --from FOLDER`: puts a backup into an empty database, of whatever engine, then verifies every SKU.
 *
 * The database is the one that MONGODB_URI and MONGODB_DATABASE name, or else the local engine's on
 * DATA_DIR.
 */
import path from 'node:path';
import { readSettings } from '../src/config.ts';
import { readFolder, usageOf } from './backup/command-line.ts';
import { restore, tellOf } from './backup/run.ts';
import { helped } from './help.ts';
import { startEngine } from './local-engine/engine.ts';
import { runVerification } from './verify/run.ts';

async function run(): Promise<number> {
  if (helped(usageOf('from'))) return 0;
  const command = readFolder('from', process.argv.slice(2));
  if (command.kind === 'unusable') {
    process.stderr.write(`${command.message}\n`);
    return 2;
  }
  const dataDirectory = path.resolve(process.env['DATA_DIR'] ?? '.data');
  await using engine = await startEngine({ dataDirectory });
  const { mongodbDatabase } = readSettings({ ...process.env, MONGODB_URI: engine.uri });
  const manifest = await restore(engine.uri, mongodbDatabase, command.folder);
  process.stdout.write(`${tellOf(manifest)}\n`);
  return await runVerification(engine.uri, mongodbDatabase, { repair: false });
}

process.exitCode = await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
