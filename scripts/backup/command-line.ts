/** The one folder that a backup is written to or read from. */
import { parseArgs } from 'node:util';

export type CommandLine =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'unusable'; readonly message: string };

/** A folder to write to, or one to read from. */
type FolderOption = 'out' | 'from';

export const usageOf = (option: FolderOption): string =>
  `npm run ${option === 'out' ? 'backup' : 'restore'} -- --${option} FOLDER`;

export function readFolder(option: FolderOption, args: readonly string[]): CommandLine {
  const usage = usageOf(option);
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
