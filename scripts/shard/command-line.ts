/** What the command was asked to do. */
import { parseArgs } from 'node:util';
import type { Sharding } from './plan.ts';
import { shardings } from './plan.ts';

export type CommandLine =
  | { readonly kind: 'plan'; readonly plan: readonly Sharding[]; readonly apply: boolean }
  | { readonly kind: 'unusable'; readonly message: string };

export const usage = `npm run shard [-- --apply] [--collection NAME]...
  --apply       carries out what is printed otherwise
  --collection  only these of skus, barcodes, actions and movements`;

export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        apply: { type: 'boolean', default: false },
        collection: { type: 'string', multiple: true, default: [] },
      },
    });
    const names = values.collection;
    const unknown = names.find((name) => shardings.every(({ collection }) => collection !== name));
    if (unknown !== undefined) return unusable(`${unknown} is not sharded`);
    const plan = shardings.filter(
      ({ collection }) => names.length === 0 || names.includes(collection),
    );
    return { kind: 'plan', plan, apply: values.apply };
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error));
  }
}

function unusable(message: string): CommandLine {
  return { kind: 'unusable', message: `${message}\n${usage}` };
}
