/** A CPU profile of this process, and where the time of one goes. */
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { z } from 'zod';

/** Profiles the work and writes the profile where Chrome's developer tools can open it. */
export async function profiled<T>(file: string, work: () => Promise<T>): Promise<T> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 500 });
    await session.post('Profiler.start');
    const result = await work();
    const { profile } = await session.post('Profiler.stop');
    await writeFile(file, JSON.stringify(profile));
    return result;
  } finally {
    session.disconnect();
  }
}

const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

export interface SelfTime {
  readonly where: string;
  /** Of the time that the process was at work. */
  readonly percent: number;
}

/** @returns the functions that spend the most time in their own code, while there is any to do. */
export function topSelfTimes(profileText: string, count: number): readonly SelfTime[] {
  const profile = cpuProfile.parse(JSON.parse(profileText));
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const spent = new Map<string, number>();
  let whole = 0;
  for (const [index, id] of profile.samples.entries()) {
    const where = names.get(id) ?? '(unknown)';
    if (where === '(idle)') continue;
    const microseconds = profile.timeDeltas[index] ?? 0;
    spent.set(where, (spent.get(where) ?? 0) + microseconds);
    whole += microseconds;
  }
  return Array.from(spent, ([where, microseconds]) => ({
    where,
    percent: (100 * microseconds) / whole,
  }))
    .toSorted((one, other) => other.percent - one.percent)
    .slice(0, count);
}

function nameOf(frame: z.infer<typeof cpuProfile>['nodes'][number]['callFrame']): string {
  const file = frame.url.replace(/^.*\/(src|scripts|node_modules)\//, '$1/');
  const name = frame.functionName === '' ? '(anonymous)' : frame.functionName;
  return file === '' ? name : `${name} ${file}:${frame.lineNumber + 1}`;
}
