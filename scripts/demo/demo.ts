/** `npm run demo`: the replay on the sample that ships with the project. */
import { fileURLToPath } from 'node:url';
import { runCommand } from '../replay/replay-folder.ts';

const folder = fileURLToPath(new URL('sample', import.meta.url));

process.exitCode = await runCommand({ name: 'demo', defaultPrefix: 'DEMO', folder });
