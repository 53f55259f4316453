/** Orders, receipts and counts as a key sees them that has warehouses of its own; the rules are those of within-reach.ts. */
import type { HoldId } from '../domain/dock-slot.ts';
import { slotOfHold } from '../domain/dock-slot.ts';
import type { LocationId } from '../domain/ids.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { ReminderId } from '../domain/reminder.ts';
import { isServiceActor, reminderNameOf } from '../domain/reminder.ts';
import type { StockCount } from '../domain/stock-count.ts';
import type { Page, QueryAnswer, Refused, Unavailable } from './answer.ts';
import type {
  CountAnswer,
  CountSummary,
  EndCount,
  ListCounts,
  StockCounts,
} from './count-ports.ts';
import type { CycleCount, CycleCounts, StandingCycleCount } from './cycle-counts.ts';
import type { Dock } from './dock-ports.ts';
import type { PurchaseOrders, Receiving } from './order-ports.ts';
import { filled, partOf } from './parts-within-reach.ts';
import type { Read } from './ports.ts';
import type { Reach, Sees } from './reach.ts';
import type { Reminders } from './reminders.ts';
import { unavailable } from './ticket.ts';
import { answerWithin } from './within-reach.ts';

/** Orders are everybody's; of their appointments a key sees those in its warehouses. */
export function ordersWithin({ warehouses }: Reach, orders: PurchaseOrders): PurchaseOrders {
  const own = new Set(warehouses);
  return {
    ...orders,
    order: async (number) => {
      const answer = await orders.order(number);
      if (answer.kind !== 'ok') return answer;
      const { order, appointments } = answer.value;
      const within = appointments.filter(({ warehouse }) => own.has(warehouse));
      return { kind: 'ok', value: { order, appointments: within } };
    },
  };
}

function shapeOfReceipts({ warehouses }: Reach) {
  const own = new Set(warehouses);
  return {
    locations: ({ lines }: Receipt) => lines.map(({ location }) => location),
    part: ({ appointment, ...receipt }: Receipt, sees: Sees): Receipt | undefined => {
      const lines = receipt.lines.filter(({ location }) => sees(location));
      if (lines.length === 0) return undefined;
      const isSeen = appointment !== undefined && own.has(appointment.warehouse);
      return { ...receipt, lines, ...(isSeen ? { appointment } : {}) };
    },
  };
}

export function receivingWithin(
  reach: Reach,
  receiving: Receiving,
  dock: Pick<Dock, 'slot'>,
): Receiving {
  const receiptShape = shapeOfReceipts(reach);

  /** An appointment elsewhere is as one that is not there. */
  async function refuseElsewhere(
    appointment: HoldId | undefined,
  ): Promise<Refused | Unavailable | undefined> {
    if (appointment === undefined) return undefined;
    const slot = await dock.slot(slotOfHold(appointment));
    if (slot.kind === 'unavailable') return slot;
    if (slot.kind === 'ok' && reach.coversAll([slot.value.warehouse])) return undefined;
    return { kind: 'refused', refusal: { code: 'unknown-appointment', appointment } };
  }

  return {
    receive: async (request) =>
      (await reach.refuseBeyond(request.lines.map(({ location }) => location))) ??
      (await refuseElsewhere(request.appointment)) ??
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
        (after, limit) =>
          receiving.receipts({
            ...query,
            limit,
            ...(after && { after: { at: after.at, id: after.id } }),
          }),
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
    putLine: async (request) => {
      const refusal = await reach.refuseBeyond([request.location]);
      if (refusal !== undefined) return refusal;
      const answer = await counts.putLine(request);
      // A count that lies wholly elsewhere takes no line from here; why, would tell that it is.
      if (answer.kind !== 'refused' || answer.refusal.code === 'idempotency-key-reused') {
        return answer;
      }
      const shown = await partOf(reach, await counts.count(request.id), countShape);
      return shown.kind === 'ok' ? answer : shown;
    },
    close: (request) => ending(request, counts.close),
    cancel: (request) => ending(request, counts.cancel),
    count: async (id) => partOf(reach, await counts.count(id), countShape),
    counts: (query) => listedWithin(reach, counts, query),
    progressAt: counts.progressAt,
  };
}

/** How many lines a count has, and how many are counted, is told of the lines within. */
async function listedWithin(
  reach: Reach,
  counts: StockCounts,
  query: ListCounts,
): Promise<QueryAnswer<Page<CountSummary>>> {
  const listed = await filled(
    reach,
    query.limit,
    (after, limit) =>
      counts.counts({
        ...query,
        limit,
        ...(after && { after: { at: after.openedAt, id: after.id } }),
      }),
    summaryShape,
  );
  if (listed.kind !== 'ok' || listed.value.items.length === 0) return listed;
  const { items } = listed.value;
  const seen = new Set(items.flatMap(({ locations }) => locations));
  const ids = items.map(({ id }) => id);
  const progress = await counts.progressAt(ids, Array.from(seen));
  if (progress.kind === 'unknown') return unavailable(progress.cause);
  const none = { lineCount: 0, countedCount: 0 };
  const cut = items.map((count) => ({ ...count, ...(progress.value.get(count.id) ?? none) }));
  return { kind: 'ok', value: { ...listed.value, items: cut } };
}

const cycleShape = {
  locations: ({ cycleCount }: StandingCycleCount) => cycleCount.locations,
  part: (standing: StandingCycleCount, sees: Sees): StandingCycleCount | undefined => {
    const cycleCount = placesWithin(standing.cycleCount, sees);
    if (cycleCount === undefined) return undefined;
    const isWhole = cycleCount.locations.length === standing.cycleCount.locations.length;
    const { lastFailure, ...rest } = standing.reminder;
    // What failed may name the other locations.
    const reminder = { ...rest, ...(isWhole && lastFailure !== undefined && { lastFailure }) };
    return { ...standing, cycleCount, reminder };
  },
};

/** A name is taken whoever took it: setting one that stands elsewhere is refused, and tells that. */
export function cycleCountsWithin(reach: Reach, cycleCounts: CycleCounts): CycleCounts {
  const refuseStanding = async (name: string) => {
    const standing = await cycleCounts.cycleCount(name);
    if (standing.kind === 'not-found') return undefined;
    if (standing.kind !== 'ok') return standing;
    return reach.refuseBeyond(standing.value.cycleCount.locations);
  };
  const sees = async ({ locations }: CycleCount): Promise<Read<boolean>> => {
    const seen = await reach.seeing(locations);
    return seen.kind === 'unknown' ? seen : { kind: 'found', value: locations.every(seen.value) };
  };
  return {
    ...cycleCounts,
    set: async (request, show) =>
      (await reach.refuseBeyond(request.locations)) ??
      (await refuseStanding(request.name)) ??
      cycleCounts.set(request, show),
    remove: async (request, name, shown) => {
      // One that lies partly within is seen, but cannot be taken away from here.
      const part = await partOf(reach, await cycleCounts.cycleCount(name), cycleShape);
      if (part.kind === 'unavailable') return part;
      const refusal = part.kind === 'ok' ? await refuseStanding(name) : undefined;
      return refusal ?? cycleCounts.remove(request, name, shown, sees);
    },
    cycleCount: async (name) => partOf(reach, await cycleCounts.cycleCount(name), cycleShape),
    cycleCounts: (query) =>
      filled(
        reach,
        query.limit,
        (after, limit) =>
          cycleCounts.cycleCounts({ ...query, limit, ...(after && { after: after.name }) }),
        cycleShape,
      ),
  };
}

/**
 * Callers' reminders belong to no warehouse. The service's own tell of its work everywhere, so they
 * are not there for such a key: a cycle count that is suspended is set again instead.
 */
export function remindersWithin(reminders: Reminders): Reminders {
  const isHidden = (id: ReminderId): boolean => isServiceActor(reminderNameOf(id).actor);
  return {
    ...reminders,
    reminder: async (id) => (isHidden(id) ? { kind: 'not-found' } : reminders.reminder(id)),
    reminders: (query) => reminders.reminders({ ...query, callersOnly: true }),
    resume: async (action, id, show) =>
      isHidden(id) ? { kind: 'not-found' } : reminders.resume(action, id, show),
  };
}
