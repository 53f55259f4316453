/** Work on many items, a few at a time. */
import { setMaxListeners } from 'node:events';

/**
 * Starts the items in their order, at most `width` at once. The first failure aborts those under
 * way and is thrown once they have ended.
 */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  // Each of the workers may listen to it, and a warning past ten of them would be no leak.
  setMaxListeners(width * 2, either);
  const waiting = items.values();
  const worker = async () => {
    // The iterator is shared: whoever is free takes the next item.
    for (const item of waiting) {
      if (either.aborted) return;
      try {
        await work(item, either);
      } catch (error) {
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  either.throwIfAborted();
}
