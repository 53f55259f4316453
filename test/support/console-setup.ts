/** Builds the console once for the whole run. */
import { buildConsole } from '../../scripts/build-console.ts';

export default buildConsole;
