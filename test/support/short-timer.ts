import type { Timer } from '../../src/inventory/ports.ts';
import { briskTimer } from './receiving.ts';

/** The time of a request is up after so many pauses. */
export function shortTimer(): Timer {
  const calls = new Set<() => void>();
  let pauses = 0;
  return {
    ...briskTimer(),
    pause: () => {
      pauses += 1;
      if (pauses > 20) for (const call of calls) call();
      return Promise.resolve();
    },
    after: (_, then) => {
      calls.add(then);
      return () => calls.delete(then);
    },
  };
}
