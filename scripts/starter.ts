/**
 * npm that is told to end ends, and leaves what it started to itself. Whatever npm runs and is to
 * end with it looks after its starter.
 */

const lookEveryMs = 500;

/** Calls once whoever started this process is gone; it keeps no process up. */
export function whenStarterIsGone(call: () => void): void {
  const starter = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(looking);
    call();
  }, lookEveryMs).unref();
}
