/**
 * Starts a database, prints its URI on stdout and holds it until this process ends:
 *
 *   npm run engine [-- --data-dir DIR]
 *
 * What it stores stays in DIR (.data when not given). Others may use the URI meanwhile.
 */
import { parseArgs } from 'node:util';
import { helped } from '../help.ts';
import { startEngine } from './engine.ts';

if (helped('npm run engine [-- --data-dir DIR]')) process.exit();
const { values } = parseArgs({ options: { 'data-dir': { type: 'string', default: '.data' } } });
const engine = await startEngine({ dataDirectory: values['data-dir'] });
process.stdout.write(`${engine.uri}\n`);

const interrupted = new Promise<void>((resolve) => {
  process.once('SIGINT', () => {
    resolve();
  });
  process.once('SIGTERM', () => {
    resolve();
  });
});
const hold = setInterval(() => undefined, 60_000);
const wasLost = await Promise.race([interrupted.then(() => false), engine.ended.then(() => true)]);
clearInterval(hold);
if (wasLost) throw new Error(`the database ended; see engine.log in ${values['data-dir']}`);
await engine.stop();
