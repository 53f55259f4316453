/**
 * A limit on everything that is asked of the driver, which can leave an operation without an end: a
 * command whose connection breaks just before it is written waits for a socket that is gone to take
 * more, past every timeout of the driver's own. Whoever waits for it would wait for ever.
 */

/** Longer than the database may work at an operation, and wait for its majority. */
const operationLimitMs = 6_000;

/** The operation may have been applied, and may yet be. */
export class Overdue extends Error {
  override readonly name = 'Overdue';
}

/** @throws Overdue where the operation has not ended within the limit; what it does then is lost. */
export function withinLimit<T>(
  operation: () => Promise<T>,
  limitMs = operationLimitMs,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Overdue(`the driver has said nothing for ${limitMs} ms`));
    }, limitMs);
    const ended = operation().finally(() => {
      clearTimeout(timer);
    });
    ended.then(resolve, reject);
  });
}
