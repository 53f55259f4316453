/** The command that runs one of this tool's scripts in a process of its own. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Independent of the folder the process starts in. */
export function typescriptCommand(script: string, args: readonly string[]): string[] {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const file = fileURLToPath(new URL(script, import.meta.url));
  return [process.execPath, '--import', loader, file, ...args];
}
