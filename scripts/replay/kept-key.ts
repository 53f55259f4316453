/** The API key that the environment or a local start provides. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReplayStopped } from './stopped.ts';

/** The key to use where the command line names none. */
export async function keptKey(environment: NodeJS.ProcessEnv): Promise<string> {
  const given = environment['STOCKROOM_API_KEY'];
  if (given !== undefined && given !== '') return given;
  const file = join(environment['DATA_DIR'] ?? '.data', 'admin-key');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    throw new ReplayStopped(
      `There is no API key: none in --key or STOCKROOM_API_KEY, and none kept in ${file}.\n` +
        '`npm start` keeps one there; run this in the same folder, or set DATA_DIR as it has it.',
    );
  }
}
