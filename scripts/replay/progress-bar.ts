/** A bar on a terminal, a line every two seconds in a log. */
import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from './run.ts';

export interface ProgressBar extends Progress, Disposable {}

/** Goes to the standard error, so that the tables can be piped on their own. */
export function progressBar(total: number): ProgressBar {
  const bar = new SingleBar(
    {
      format: '{bar} {percentage}% | {value}/{total} | {step}',
      stream: process.stderr,
      hideCursor: true,
      // The replay ends itself on Ctrl-C, once the requests under way have been dropped.
      gracefulExit: false,
      noTTYOutput: true,
      notTTYSchedule: 2_000,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0, { step: 'starting' });
  return {
    advance: (step) => {
      bar.increment(1, { step });
    },
    [Symbol.dispose]: () => {
      bar.stop();
    },
  };
}
