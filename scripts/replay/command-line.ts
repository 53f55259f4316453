/** What the command was asked to do. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ReplayStopped } from './stopped.ts';

export interface ReplayOptions {
  readonly folder: string;
  readonly url: string;
  readonly prefix: string;
  /** Undefined where the command line names none. */
  readonly key: string | undefined;
}

/** A command of this family: one that is told its folder, or one that brings it. */
export interface Command {
  readonly name: string;
  readonly defaultPrefix: string;
  readonly folder?: string;
}

export const usageOf = ({ name, folder }: Command): string =>
  [
    `npm run ${name} --${folder === undefined ? ' FOLDER' : ''} [--url ADDRESS] [--key KEY] [--prefix PREFIX]`,
    ...(folder === undefined
      ? ['  FOLDER    holds products.csv, orders.csv and order_details.csv']
      : []),
    '  --url     the service (default http://127.0.0.1:8080, or its port that PORT names)',
    '  --key     an API key; else STOCKROOM_API_KEY, else the one that `npm start` keeps in DATA_DIR',
    '  --prefix  begins each SKU, warehouse and location, so that two folders stay apart',
  ].join('\n');

const url = z.url({ protocol: /^https?$/, error: '--url takes an http or https address' });
// Room for the rest of a location's id, which has 32 characters at most.
const prefix = z
  .string()
  .regex(/^[A-Z0-9]{1,12}$/, '--prefix takes 1 to 12 capital letters and digits');

/** @throws ReplayStopped with the usage where the command can't be read. */
export function readCommandLine(
  command: Command,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ReplayOptions {
  const { values, positionals } = parsed(command, args);
  const folder = command.folder ?? positionals[0];
  if (folder === undefined || positionals.length !== (command.folder === undefined ? 1 : 0)) {
    throw new ReplayStopped(usageOf(command));
  }
  return {
    folder,
    url: checked(url, values.url ?? localUrl(env), command),
    prefix: checked(prefix, values.prefix ?? command.defaultPrefix, command),
    key: values.key,
  };
}

/** Where `npm start` listens with the same settings; one that is set to nothing is not set. */
function localUrl({ PORT: port = '' }: NodeJS.ProcessEnv): string {
  return `http://127.0.0.1:${port === '' ? '8080' : port}`;
}

function parsed(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        prefix: { type: 'string' },
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ReplayStopped(`${message}\n${usageOf(command)}`);
  }
}

function checked(schema: z.ZodType<string>, value: string, command: Command): string {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const messages = result.error.issues.map((issue) => issue.message).join('; ');
  throw new ReplayStopped(`${messages}\n${usageOf(command)}`);
}
