/** What the soak was asked to do. */
import { parseArgs } from 'node:util';
import { z } from 'zod';

export interface SoakSettings {
  readonly minutes: number;
  readonly clients: number;
  /** The folder for the report and its picture. */
  readonly into: string;
}

export type CommandLine =
  | { readonly kind: 'settings'; readonly settings: SoakSettings }
  | { readonly kind: 'unusable'; readonly message: string };

export const usage = `npm run soak -- [--minutes N] [--clients N] [--into FOLDER]
  --minutes  how long callers work (30)
  --clients  how many there are (12)
  --into     the folder for report.md and figures.svg (.data/soak)
On the database that MONGODB_URI names, which is not killed then, or on an engine of its own.`;

const shape = z.object({
  minutes: z.string().transform(Number).pipe(z.number().min(0.1).max(10_000)).prefault('30'),
  clients: z.string().transform(Number).pipe(z.int().min(1).max(1_000)).prefault('12'),
  into: z.string().min(1).default('.data/soak'),
});

export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const text = { type: 'string' } as const;
    const options = { minutes: text, clients: text, into: text };
    const read = shape.safeParse(parseArgs({ args: [...args], options }).values);
    if (read.success) return { kind: 'settings', settings: read.data };
    const faults = read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`);
    return { kind: 'unusable', message: [...faults, usage].join('\n') };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'unusable', message: `${message}\n${usage}` };
  }
}
