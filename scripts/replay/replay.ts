/** `npm run replay -- FOLDER`: runs recorded orders through a service and checks what remains. */
import { runCommand } from './replay-folder.ts';

process.exitCode = await runCommand({ name: 'replay', defaultPrefix: 'NW' });
