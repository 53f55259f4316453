/**
 * What is settled: movements of which it is certain that none older will appear any more.
 *
 * 1. A movement carries the clock of the statement that wrote it, and no statement works longer
 *    than 3 s. So 15 s later every movement of that instant is in its document.
 * 2. What is in a document and not in the ledger was left by a process that died. Every SKU that
 *    has moved since the mark is healed before the mark moves on.
 * 3. A SKU that has not moved since the mark was whole when the mark was set.
 * 4. SKUs are seen to in the order of their newest movement, so a part of them carries the mark to
 *    just before the newest movement of the last one.
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
  /**
   * Sees to at most so many SKUs and moves the mark on as far as they reach.
   * @returns whether more wait.
   */
  readonly some: (limit: number) => Promise<Read<{ readonly more: boolean }>>;
}

export function createSettlement(ports: Ports): Settlement {
  const healPage = createHealing(ports);

  async function healSince(since: Instant): Promise<Recorded> {
    let after: LedgerGap | undefined;
    for (;;) {
      const page = await ports.skus.movedSince({
        since,
        limit: pageSize,
        ...(after === undefined ? {} : { after }),
      });
      if (page.kind === 'unknown') return page;
      const healedAll = await healPage(page.value);
      if (healedAll.kind === 'unknown') return healedAll;
      after = page.value.at(-1);
      if (page.value.length < pageSize) return { kind: 'recorded' };
    }
  }

  async function healSome(
    since: Instant,
    settled: Instant,
    limit: number,
  ): Promise<Read<{ readonly more: boolean }>> {
    let after: LedgerGap | undefined;
    for (;;) {
      const page = await ports.skus.movedSince({ since, limit, ...(after && { after }) });
      if (page.kind === 'unknown') return page;
      const healedAll = await healPage(page.value);
      if (healedAll.kind === 'unknown') return healedAll;
      after = page.value.at(-1);
      const more = after !== undefined && page.value.length === limit;
      const reached = more && after ? parseInstant(Math.min(settled, after.lastAt - 1)) : settled;
      if (reached === undefined) throw new TypeError('an instant before another');
      // Where a whole page moved in one instant, the mark has no place to go to but past them all.
      if (more && reached <= since) continue;
      const advanced = await ports.mark.advance(reached);
      return advanced.kind === 'unknown' ? advanced : { kind: 'found', value: { more } };
    }
  }

  return {
    some: async (limit) => {
      const mark = await ports.mark.read();
      if (mark.kind === 'unknown') return mark;
      const settled = settledAt(mark.value.now);
      if (settled <= mark.value.through) return { kind: 'found', value: { more: false } };
      return healSome(mark.value.through, settled, limit);
    },
    through: async () => {
      const mark = await ports.mark.read();
      if (mark.kind === 'unknown') return mark;
      const settled = settledAt(mark.value.now);
      if (settled <= mark.value.through) return { kind: 'found', value: mark.value.through };
      const done = await healSince(mark.value.through);
      if (done.kind === 'unknown') return done;
      const advanced = await ports.mark.advance(settled);
      return advanced.kind === 'unknown' ? advanced : { kind: 'found', value: settled };
    },
  };
}

function settledAt(now: Instant): Instant {
  const settled = parseInstant(now - settlingMilliseconds);
  if (settled === undefined) throw new TypeError('the clock is before all time');
  return settled;
}

/** @returns what sees to a page of SKUs, a few at once. */
function createHealing(ports: Ports): (page: readonly LedgerGap[]) => Promise<Recorded> {
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

  return async (page) => {
    for (let first = 0; first < page.length; first += atOnce) {
      const results = await Promise.all(page.slice(first, first + atOnce).map(heal));
      const unknown = results.find((result) => result.kind === 'unknown');
      if (unknown !== undefined) return unknown;
    }
    return { kind: 'recorded' };
  };
}
