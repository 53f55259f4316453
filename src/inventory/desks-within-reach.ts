/** Receipts and counts as a key sees them that has warehouses of its own; the rules are those of within-reach.ts. */
import type { LocationId } from '../domain/ids.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { StockCount } from '../domain/stock-count.ts';
import type { CountAnswer, CountSummary, EndCount, StockCounts } from './count-ports.ts';
import type { CycleCounts, StandingCycleCount } from './cycle-counts.ts';
import type { Receiving } from './order-ports.ts';
import type { Reach, Sees } from './reach.ts';
import { answerWithin, filled, partOf } from './within-reach.ts';

const receiptShape = {
  locations: ({ lines }: Receipt) => lines.map(({ location }) => location),
  part: (receipt: Receipt, sees: Sees): Receipt | undefined => {
    const lines = receipt.lines.filter(({ location }) => sees(location));
    return lines.length === 0 ? undefined : { ...receipt, lines };
  },
};

export function receivingWithin(reach: Reach, receiving: Receiving): Receiving {
  return {
    receive: async (request) =>
      (await reach.refuseBeyond(request.lines.map(({ location }) => location))) ??
      receiving.receive(request),
    reverse: async (request) => {
      const standing = await receiving.receipt(request.number, request.receipt);
      if (standing.kind !== 'ok') return standing;
      // One that lies wholly elsewhere is as one that is not there.
      const shown = await partOf(reach, standing, receiptShape);
      if (shown.kind !== 'ok') return shown;
      const touched = receiptShape.locations(standing.value);
      const refusal = await reach.refuseBeyond(touched);
      return refusal ?? answerWithin(reach, await receiving.reverse(request));
    },
    receipt: async (number, id) => partOf(reach, await receiving.receipt(number, id), receiptShape),
    receipts: (query) =>
      filled(
        reach,
        query.limit,
        (after) =>
          receiving.receipts({ ...query, ...(after && { after: { at: after.at, id: after.id } }) }),
        receiptShape,
      ),
  };
}

function placesWithin<C extends { readonly locations: readonly LocationId[] }>(
  count: C,
  sees: Sees,
): C | undefined {
  const locations = count.locations.filter(sees);
  return locations.length === 0 ? undefined : { ...count, locations };
}

const summaryShape = {
  locations: ({ locations }: CountSummary) => locations,
  part: (count: CountSummary, sees: Sees) => placesWithin(count, sees),
};

const countShape = {
  locations: ({ locations, lines }: StockCount) => [
    ...locations,
    ...lines.map(({ location }) => location),
  ],
  part: (count: StockCount, sees: Sees): StockCount | undefined => {
    const lines = count.lines.filter(({ location }) => sees(location));
    return placesWithin({ ...count, lines }, sees);
  },
};

export function countsWithin(reach: Reach, counts: StockCounts): StockCounts {
  const ending = async (
    request: EndCount,
    end: (request: EndCount) => Promise<CountAnswer>,
  ): Promise<CountAnswer> => {
    const standing = await counts.count(request.id);
    if (standing.kind !== 'ok') return standing;
    const shown = await partOf(reach, standing, countShape);
    if (shown.kind !== 'ok') return shown;
    return (await reach.refuseBeyond(countShape.locations(standing.value))) ?? end(request);
  };
  return {
    open: async (request) => (await reach.refuseBeyond(request.locations)) ?? counts.open(request),
    putLine: async (request) =>
      (await reach.refuseBeyond([request.location])) ?? counts.putLine(request),
    close: (request) => ending(request, counts.close),
    cancel: (request) => ending(request, counts.cancel),
    count: async (id) => partOf(reach, await counts.count(id), countShape),
    counts: (query) =>
      filled(
        reach,
        query.limit,
        (after) =>
          counts.counts({
            ...query,
            ...(after && { after: { at: after.openedAt, id: after.id } }),
          }),
        summaryShape,
      ),
  };
}

const cycleShape = {
  locations: ({ cycleCount }: StandingCycleCount) => cycleCount.locations,
  part: (standing: StandingCycleCount, sees: Sees): StandingCycleCount | undefined => {
    const cycleCount = placesWithin(standing.cycleCount, sees);
    return cycleCount && { ...standing, cycleCount };
  },
};

export function cycleCountsWithin(reach: Reach, cycleCounts: CycleCounts): CycleCounts {
  const refuseStanding = async (name: string) => {
    const standing = await cycleCounts.cycleCount(name);
    if (standing.kind === 'not-found') return undefined;
    if (standing.kind !== 'ok') return standing;
    return reach.refuseBeyond(standing.value.cycleCount.locations);
  };
  return {
    ...cycleCounts,
    set: async (request, show) =>
      (await reach.refuseBeyond(request.locations)) ??
      (await refuseStanding(request.name)) ??
      cycleCounts.set(request, show),
    remove: async (request, name, shown) =>
      (await refuseStanding(name)) ?? cycleCounts.remove(request, name, shown),
    cycleCount: async (name) => partOf(reach, await cycleCounts.cycleCount(name), cycleShape),
    cycleCounts: (query) =>
      filled(
        reach,
        query.limit,
        (after) => cycleCounts.cycleCounts({ ...query, ...(after && { after: after.name }) }),
        cycleShape,
      ),
  };
}
