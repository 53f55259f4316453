/** The targets, each a ratio within one run of the bench. A target is shown, never enforced. */
import type { Row, Subject } from './figures.ts';
import { medianOf, rateRatio, rowOf } from './figures.ts';

export interface Target {
  readonly name: string;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly ratio: (rows: readonly Row[]) => number | undefined;
}

export interface Judged {
  readonly name: string;
  readonly bound: Target['bound'];
  /** Undefined where this run did not measure what it takes. */
  readonly ratio: number | undefined;
  readonly met: boolean | undefined;
}

/** What a section says that is no row of movements. */
export interface SectionResult {
  readonly targets: readonly Judged[];
  readonly text: string;
}

const hot: Subject = {
  transport: 'in-process',
  strategy: 'path',
  processes: 1,
  stock: 'one',
  clients: 64,
};
const hotOverHttp: Subject = { ...hot, transport: 'http' };
const spread: Subject = { ...hot, stock: 'many', clients: 16 };
/** Clients of the runs with several processes; it divides by three. */
export const clientsOfProcesses = 63;
const three: Subject = { ...hot, processes: 3, clients: clientsOfProcesses };

const rates = (subject: Subject, reference: Partial<Subject>) => (rows: readonly Row[]) =>
  rateRatio(rowOf(rows, subject), rowOf(rows, { ...subject, ...reference }));

const targets: readonly Target[] = [
  {
    name: '1a  one SKU, 64 clients: path / plain loop',
    bound: { atLeast: 50 },
    ratio: rates(hot, { strategy: 'plain' }),
  },
  {
    name: '1b  one SKU, 64 clients: path / SQL in one statement',
    bound: { atLeast: 2 },
    ratio: rates(hot, { strategy: 'one' }),
  },
  {
    name: '2a  over HTTP, 64 clients: one SKU / many SKUs',
    bound: { atLeast: 0.9 },
    ratio: rates(hotOverHttp, { stock: 'many' }),
  },
  {
    name: '2b  over HTTP, 64 clients, one SKU: service / SQL in one statement',
    bound: { atLeast: 1.2 },
    ratio: rates(hotOverHttp, { strategy: 'one' }),
  },
  {
    name: '3   many SKUs, 16 clients: path / bare update',
    bound: { atLeast: 0.6 },
    ratio: rates(spread, { strategy: 'bare' }),
  },
  {
    name: '3*  the same, as the first target had it',
    bound: { atLeast: 0.4 },
    ratio: rates(spread, { strategy: 'bare' }),
  },
  {
    name: '4   one SKU, 64 clients: p99 / p50 of the path',
    bound: { atMost: 4 },
    ratio: (rows) => spreadOfLatency(rowOf(rows, hot)),
  },
  {
    name: '5a  one SKU, 63 clients: three processes / one process',
    bound: { atLeast: 0.25 },
    ratio: rates(three, { processes: 1 }),
  },
  {
    name: '5b  one SKU, 63 clients, three processes: path / plain loop',
    bound: { atLeast: 20 },
    ratio: rates(three, { strategy: 'plain' }),
  },
];

function spreadOfLatency(row: Row | undefined): number | undefined {
  return row && medianOf(row, (run) => run.p99Ms / run.p50Ms);
}

export function judge(rows: readonly Row[]): readonly Judged[] {
  return targets.map(({ name, bound, ratio }) => judged(name, bound, ratio(rows)));
}

export function judged(name: string, bound: Target['bound'], ratio: number | undefined): Judged {
  const met =
    ratio === undefined
      ? undefined
      : 'atLeast' in bound
        ? ratio >= bound.atLeast
        : ratio <= bound.atMost;
  return { name, bound, ratio, met };
}
