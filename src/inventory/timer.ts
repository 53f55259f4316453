/** The process's own time, for deadlines and pauses. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Timer } from './ports.ts';

export const processTimer: Timer = {
  monotonic: () => performance.now(),
  pause: async (milliseconds) => {
    await pause(milliseconds);
  },
  after: (milliseconds, then) => {
    const timeout = setTimeout(then, milliseconds);
    return () => {
      clearTimeout(timeout);
    };
  },
  random: () => Math.random(),
};
