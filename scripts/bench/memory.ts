/** The most memory a process has held since it was last asked, where the system tells. */
import { readFile, writeFile } from 'node:fs/promises';

/** Forgets the peak so far; without that the peak is the process's whole life's. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}

/** @returns undefined on a system without /proc. */
export async function peakBytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
