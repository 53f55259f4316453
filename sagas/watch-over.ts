/**
 * Looks now and then for sagas that nobody carries on, whatever became of their alarms. It waits for
 * none of them: one that makes no headway holds up no other.
 */
import type { Timer } from '../src/inventory/ports.ts';

/**
 * A lease and one such pause stay below the 30 s within which a saga goes on. Together with the look
 * for due reminders, an idle service asks the database less than once a second.
 */
const pauseMilliseconds = 12_000;

/** Resolves soon after the stop; what was begun by then is its runs' affair. */
export async function watchOver(
  timer: Timer,
  resumeAbandoned: readonly (() => void)[],
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    for (const resume of resumeAbandoned) resume();
    await pauseUntil(timer, stopping);
  }
}

function pauseUntil(timer: Timer, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      callOff();
      stopping.removeEventListener('abort', end);
      resolve();
    };
    const callOff = timer.after(pauseMilliseconds, end);
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
  });
}
