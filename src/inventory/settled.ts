/**
 * What is settled: movements of which it is certain that none older will appear any more.
 *
 * 1. A movement carries the clock of the statement that wrote it, and no statement works longer
 *    than 3 s. So 15 s later every movement of that instant is in its document.
 * 2. What is in a document and not in the ledger was left by a process that died. Every SKU that
 *    has moved since the mark is healed before the mark moves on.
 * 3. A SKU that has not moved since the mark was whole when the mark was set.
 */
import type { Instant, Sku } from '../domain/ids.ts';
import { parseInstant } from '../domain/ids.ts';
import { healLedger } from './heal.ts';
import type { LedgerGap, Ports, Read, Recorded } from './ports.ts';

const settlingMilliseconds = 15_000;
const pageSize = 500;
const atOnce = 8;
const healedLimit = 100_000;

export interface Settlement {
  /** The instant up to which everything is in the ledger. */
  readonly through: () => Promise<Read<Instant>>;
}

export function createSettlement(ports: Ports): Settlement {
  /** What an earlier attempt saw to, so that one that ran out of time was not in vain. */
  const healed = new Map<Sku, number>();

  async function heal(gap: LedgerGap): Promise<Recorded> {
    const { sku, movementCount } = gap;
    const known = Math.max(gap.ledgeredThrough, healed.get(sku) ?? 0);
    const recorded = await healLedger(ports, sku, known, movementCount);
    if (recorded.kind === 'recorded') {
      if (healed.size >= healedLimit) healed.clear();
      healed.set(sku, movementCount);
    }
    return recorded;
  }

  async function healSince(since: Instant): Promise<Recorded> {
    let after: LedgerGap | undefined;
    for (;;) {
      const page = await ports.skus.movedSince({
        since,
        limit: pageSize,
        ...(after === undefined ? {} : { after }),
      });
      if (page.kind === 'unknown') return page;
      for (let first = 0; first < page.value.length; first += atOnce) {
        const some = page.value.slice(first, first + atOnce);
        const results = await Promise.all(some.map(heal));
        const unknown = results.find((result) => result.kind === 'unknown');
        if (unknown !== undefined) return unknown;
      }
      after = page.value.at(-1);
      if (page.value.length < pageSize) return { kind: 'recorded' };
    }
  }

  return {
    through: async () => {
      const mark = await ports.mark.read();
      if (mark.kind === 'unknown') return mark;
      const settled = parseInstant(mark.value.now - settlingMilliseconds);
      if (settled === undefined || settled <= mark.value.through) {
        return { kind: 'found', value: mark.value.through };
      }
      const done = await healSince(mark.value.through);
      if (done.kind === 'unknown') return done;
      const advanced = await ports.mark.advance(settled);
      return advanced.kind === 'unknown' ? advanced : { kind: 'found', value: settled };
    },
  };
}
