/** What the command was asked to do. */
import { parseArgs } from 'node:util';
import type { Sku } from '../../src/domain/ids.ts';
import { parseSku } from '../../src/domain/ids.ts';

export interface VerifyOptions {
  /** Enters what the ledger lacks, then looks again. */
  readonly repair: boolean;
  /** Only this one. */
  readonly sku?: Sku;
}

export type CommandLine =
  | { readonly kind: 'options'; readonly options: VerifyOptions }
  | { readonly kind: 'unusable'; readonly message: string };

export const usage = `npm run verify [-- --repair] [--sku SKU]
  --repair  writes the ledger entries that are missing, and nothing else; then verifies again
  --sku     verifies this SKU only`;

export function readCommandLine(args: readonly string[]): CommandLine {
  const read = parsed(args);
  if (read.kind === 'unusable') return read;
  const { repair, sku: text } = read.values;
  if (text === undefined) return { kind: 'options', options: { repair } };
  const sku = parseSku(text);
  return sku === undefined
    ? { kind: 'unusable', message: `${text} is no SKU\n${usage}` }
    : { kind: 'options', options: { repair, sku } };
}

type Values =
  | {
      readonly kind: 'values';
      readonly values: { readonly repair: boolean; readonly sku?: string | undefined };
    }
  | Extract<CommandLine, { readonly kind: 'unusable' }>;

function parsed(args: readonly string[]): Values {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { repair: { type: 'boolean', default: false }, sku: { type: 'string' } },
    });
    return { kind: 'values', values };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'unusable', message: `${message}\n${usage}` };
  }
}
