/**
 * `npm run soak [-- --minutes N]`: callers of every kind at two services, for long, while now and then
 * something goes wrong on purpose. Exits 1 where the histories don't explain what callers were told.
 */
import { helped } from './help.ts';
import { readCommandLine, usage } from './soak/command-line.ts';
import { runSoak } from './soak/run.ts';

async function soak(): Promise<number> {
  if (helped(usage)) return 0;
  const command = readCommandLine(process.argv.slice(2));
  if (command.kind === 'unusable') {
    process.stderr.write(`${command.message}\n`);
    return 2;
  }
  const isWell = await runSoak(command.settings, (line) => process.stdout.write(`${line}\n`));
  return isWell ? 0 : 1;
}

const exitCode = await soak().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  return 1;
});
// A caller who has no answer asks on; once the report is out nobody waits for it.
process.exit(exitCode);
