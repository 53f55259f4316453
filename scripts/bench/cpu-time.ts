/**
 * How much processor time processes have spent, where the system tells. On a busy machine it says
 * more than the clock on the wall, and it shows who spends it.
 */
import { readFile, readdir } from 'node:fs/promises';

interface ProcessTimes {
  readonly parent: number;
  readonly milliseconds: number;
}

/** The kernel's unit of a process's times, on every Linux that Node runs on. */
const millisecondsATick = 10;

/**
 * The time of a process with all its descendants, those that ended included.
 * @returns undefined on a system without /proc, or when the process is gone.
 */
export async function cpuMilliseconds(root: number): Promise<number | undefined> {
  const processes = await listProcesses();
  if (!processes.has(root)) return undefined;
  let sum = 0;
  for (const [pid, { milliseconds }] of processes) {
    if (descends(processes, pid, root)) sum += milliseconds;
  }
  return sum;
}

function descends(
  processes: ReadonlyMap<number, ProcessTimes>,
  pid: number,
  root: number,
): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = processes.get(at)?.parent) {
    if (at === root) return true;
  }
  return false;
}

async function listProcesses(): Promise<ReadonlyMap<number, ProcessTimes>> {
  const names = await readdir('/proc').catch(() => []);
  const read = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      // A process may end between the listing and this.
      const times = parseStat(await readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''));
      return times === undefined ? [] : [[Number(name), times] as const];
    });
  return new Map((await Promise.all(read)).flat());
}

/** The command's name stands in parentheses and may hold anything, so the fields begin behind it. */
export function parseStat(stat: string): ProcessTimes | undefined {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const parent = fields[1];
  // User and system time, the process's own and that of its children which have ended.
  const ticks = fields.slice(11, 15);
  if (parent === undefined || ticks.length < 4) return undefined;
  return { parent, milliseconds: ticks.reduce((sum, tick) => sum + tick, 0) * millisecondsATick };
}
