/** The report of a soak as Markdown: what the checks found, and the figures early and late. */
import { median } from '../bench/statistics.ts';
import type { Happened } from './faults.ts';
import type { Sample, ServiceSample } from './samples.ts';

export interface Outcome {
  readonly minutes: number;
  readonly clients: number;
  readonly engine: string;
  readonly answered: number;
  readonly unanswered: number;
  readonly movements: number;
  readonly happened: readonly Happened[];
  readonly samples: readonly Sample[];
  /** What is wrong, one line each. */
  readonly findings: readonly string[];
}

/** One figure over time; a line a service where each has its own. */
export interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly (readonly (number | undefined)[])[];
}

export function figuresOf(samples: readonly Sample[]): readonly Figure[] {
  const one = (title: string, unit: string, of: (sample: Sample) => number | undefined) => ({
    title,
    unit,
    lines: [samples.map(of)],
  });
  const services = Math.max(0, ...samples.map((sample) => sample.services.length));
  const each = (title: string, unit: string, of: (service: ServiceSample) => number) => ({
    title,
    unit,
    lines: Array.from({ length: services }, (_, index) =>
      samples.map((sample) => {
        const service = sample.services[index];
        return service && of(service);
      }),
    ),
  });
  return [
    one('Requests answered', '/s', ({ answeredPerSecond }) => answeredPerSecond),
    one('Time to an answer, p99', 'ms', ({ p99Ms }) => p99Ms),
    one('Sendings without an answer', '', ({ unanswered }) => unanswered),
    each('Memory of a service', 'MiB', ({ memoryMib }) => memoryMib),
    each('Event loop delay, p99', 'ms', ({ loopDelayMs }) => loopDelayMs),
    one('Largest document of a SKU', 'KiB', ({ largestDocumentKib }) => largestDocumentKib),
    each('Requests that wait for an earlier write', '', ({ waitingRequests }) => waitingRequests),
    each('Connections to the database', '', ({ connections }) => connections),
    each('Operations that wait for a connection', '', ({ waitingOperations }) => waitingOperations),
    one('Sagas unfinished', '', ({ unfinishedSagas }) => unfinishedSagas),
    one('Reminders due', '', ({ remindersDue }) => remindersDue),
  ];
}

export function reportOf(outcome: Outcome, picture: string): string {
  const { minutes, clients, engine, answered, unanswered, movements, findings } = outcome;
  return [
    '# A soak',
    '',
    `${rounded(minutes)} minutes, ${clients} callers, two services, database: ${engine}. ` +
      `${answered} requests were answered and ${unanswered} sendings were not; ` +
      `${movements} movements came of it.`,
    '',
    ...verdict(findings),
    '',
    '## Figures',
    '',
    `![The figures over time](${picture})`,
    '',
    '| | first quarter | last quarter | most |',
    '|---|--:|--:|--:|',
    ...figuresOf(outcome.samples).map(row),
    '',
    'Medians of the samples, over both services; a service that is killed begins anew.',
    '',
    '## What went wrong on purpose',
    '',
    ...outcome.happened.map(({ atMs, what }) => `- ${rounded(atMs / 1_000)} s: ${what}`),
    '',
  ].join('\n');
}

function verdict(findings: readonly string[]): readonly string[] {
  return findings.length === 0
    ? ['**All is well**: the histories explain every answer, and every SKU is verified.']
    : [
        `**${findings.length} things are wrong**:`,
        '',
        ...findings.map((finding) => `- ${finding}`),
      ];
}

function row({ title, unit, lines }: Figure): string {
  const quarter = Math.ceil((lines[0]?.length ?? 0) / 4);
  const numbers = (values: readonly (number | undefined)[]): readonly number[] =>
    values.filter((value) => value !== undefined);
  const early = median(numbers(lines.flatMap((line) => line.slice(0, quarter))));
  const late = median(numbers(lines.flatMap((line) => line.slice(-quarter))));
  const all = numbers(lines.flat());
  const cells = [early, late, all.length === 0 ? undefined : Math.max(...all)].map((value) =>
    value === undefined ? '–' : rounded(value),
  );
  return `| ${title}${unit === '' ? '' : `, ${unit}`} | ${cells.join(' | ')} |`;
}

export function rounded(value: number): string {
  return value.toFixed(Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0);
}
