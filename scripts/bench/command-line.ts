/** What the bench was asked to do. */
import { parseArgs } from 'node:util';
import { z } from 'zod';

const sectionNames = [
  ...(['in-process', 'http', 'processes', 'endurance', 'holds'] as const),
  ...(['receipts', 'alarms', 'idle', 'profile'] as const),
] as const;
export type SectionName = (typeof sectionNames)[number];

export interface BenchSettings {
  readonly runs: number;
  readonly seconds: number;
  readonly sections: ReadonlySet<SectionName>;
  readonly clients: readonly number[];
  readonly manySkus: number;
  readonly alarms: number;
  readonly idleSeconds: number;
  readonly jsonFile: string | undefined;
  readonly uri: string | undefined;
  readonly postgres: string | undefined;
  /** Movements after which memory and cost are compared. */
  readonly endurance: { readonly few: number; readonly many: number };
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `npm run bench -- [options]
  --quick            one short run of each: whether it works, not how fast it is
  --runs N           runs of each figure, whose median is shown (5)
  --seconds N        of each run (2)
  --only A,B         in-process, http (both by default); processes, endurance, holds,
                     receipts, alarms, idle, profile
  --clients A,B      1,16,64
  --skus N           how many "many SKUs" are (1000)
  --movements A,B    endurance: compare after A and after B movements (100000,1000000)
  --alarms N         how many are due at once (10000)
  --idle-seconds N   how long an idle service is watched (20)
  --profile          the same as --only profile
  --json FILE        writes everything that was measured
  --uri URI          a database, instead of the engine that the project gets for itself
  --postgres URL     the PostgreSQL server of that database, for the SQL references`;

const wholeNumber = z.string().transform(Number).pipe(z.int().min(1));
const list = z.string().transform((text) => text.split(','));

const shape = z.object({
  quick: z.boolean().default(false),
  profile: z.boolean().default(false),
  runs: wholeNumber.optional(),
  seconds: z.string().transform(Number).pipe(z.number().min(0.1)).optional(),
  only: list.pipe(z.array(z.enum(sectionNames))).optional(),
  clients: list.pipe(z.array(wholeNumber)).prefault('1,16,64'),
  skus: wholeNumber.prefault('1000'),
  movements: list.pipe(z.tuple([wholeNumber, wholeNumber])).prefault('100000,1000000'),
  alarms: wholeNumber.prefault('10000'),
  'idle-seconds': wholeNumber.prefault('20'),
  json: z.string().optional(),
  uri: z.string().optional(),
  postgres: z.string().optional(),
});

/** @throws UsageError with what is wrong. */
export function readBenchSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): BenchSettings {
  const read = shape.safeParse(values(args));
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`);
    throw new UsageError(faults.join('\n'));
  }
  const { quick, profile, movements, ...given } = read.data;
  const [few, many] = movements;
  return {
    runs: given.runs ?? (quick ? 1 : 5),
    seconds: given.seconds ?? (quick ? 1 : 2),
    sections: new Set(given.only ?? (profile ? ['profile'] : ['in-process', 'http'])),
    clients: given.clients,
    manySkus: given.skus,
    alarms: given.alarms,
    idleSeconds: given['idle-seconds'],
    jsonFile: given.json,
    uri: given.uri ?? env['MONGODB_URI'],
    postgres: given.postgres,
    endurance: { few, many },
  };
}

function values(args: readonly string[]): object {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: flag,
        profile: flag,
        runs: text,
        seconds: text,
        only: text,
        clients: text,
        skus: text,
        movements: text,
        alarms: text,
        'idle-seconds': text,
        json: text,
        uri: text,
        postgres: text,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
