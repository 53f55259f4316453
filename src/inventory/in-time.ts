/** Waiting for something for so long, and no longer. */
import type { Timer } from './ports.ts';

/**
 * @param until monotonic milliseconds.
 * @returns undefined where the time is up first; the work goes on all the same.
 */
export function inTime<T>(
  timer: Pick<Timer, 'monotonic' | 'after'>,
  until: number,
  work: Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const callOff = timer.after(Math.max(0, until - timer.monotonic()), () => {
      resolve(undefined);
    });
    work.then(resolve, reject).finally(callOff);
  });
}
