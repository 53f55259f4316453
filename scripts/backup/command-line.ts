/** The one folder that a backup is written to or read from. */
import { parseArgs } from 'node:util';

export type CommandLine =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'unusable'; readonly message: string };

export function readFolder(option: 'out' | 'from', args: readonly string[]): CommandLine {
  const usage = `npm run ${option === 'out' ? 'backup' : 'restore'} -- --${option} FOLDER`;
  try {
    const options = { [option]: { type: 'string' } } as const;
    const folder = parseArgs({ args: [...args], options }).values[option];
    return typeof folder === 'string' && folder !== ''
      ? { kind: 'folder', folder }
      : { kind: 'unusable', message: usage };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'unusable', message: `${message}\n${usage}` };
  }
}
