/**
 * Bulk sending: what arrives while a bulk is under way goes together in the next.
 *
 * 1. No timer: what arrives alone is sent at once.
 * 2. A sender learns the outcome of the bulk that its items were in, never of another.
 */

export interface BulkRules {
  /** How many bulks may be under way at a time. */
  readonly underWayLimit: number;
  /** The most items a bulk takes; a sender's items stay together. */
  readonly itemsLimit: number;
}

interface Waiting<T, R> {
  readonly items: readonly T[];
  readonly resolve: (outcome: R) => void;
  readonly reject: (defect: unknown) => void;
}

/** @param send sends one bulk. */
export function inBulk<T, R>(
  rules: BulkRules,
  send: (items: readonly T[]) => Promise<R>,
): (items: readonly T[]) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let underWay = 0;

  function next(): readonly Waiting<T, R>[] {
    let count = 0;
    const fits = waiting.findIndex(({ items }) => {
      count += items.length;
      return count > rules.itemsLimit;
    });
    return waiting.splice(0, fits === -1 ? waiting.length : Math.max(1, fits));
  }

  function dispatch(): void {
    while (underWay < rules.underWayLimit && waiting.length > 0) {
      underWay += 1;
      void carry(next());
    }
  }

  async function carry(bulk: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const outcome = await send(bulk.flatMap(({ items }) => items));
      for (const { resolve } of bulk) resolve(outcome);
    } catch (defect) {
      for (const { reject } of bulk) reject(defect);
    } finally {
      underWay -= 1;
      dispatch();
    }
  }

  return (items) =>
    new Promise((resolve, reject) => {
      waiting.push({ items, resolve, reject });
      dispatch();
    });
}
