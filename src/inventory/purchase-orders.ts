/**
 * Purchase orders: one document each, changed by compare-and-swap on its version. Receipts change
 * it too, in a way of their own.
 *
 * 1. A repeat is recognised among the kept answers, or in the document, which names the request
 *    that changed it last.
 * 2. The first answer is kept before it is given, and by whoever comes next before another change
 *    takes its place in the document. What was kept first is what every repeat is answered.
 * 3. An order ends once; what it has credited by then is finished all the same. One that is
 *    cancelled gives up its appointments: somebody is to look after that before it is cancelled.
 */
import { nextToGiveUp } from '../domain/appointment.ts';
import type { Progress } from './keyed-request.ts';
import { untilAnswered } from './keyed-request.ts';
import type { OrderDecision } from '../domain/change-order.ts';
import { alterOrder, endOrder } from '../domain/change-order.ts';
import type { PurchaseOrder } from '../domain/purchase-order.ts';
import type { Ok, Unavailable } from './answer.ts';
import type { Dock } from './dock-ports.ts';
import { inTime } from './in-time.ts';
import type { OrderAnswer, OrderChange, OrderDraft, OrderRead } from './order-ports.ts';
import type { GiveUpAppointments, OrderAction, OrderStore, OrderWrite } from './order-ports.ts';
import type { AppointmentView, OrderView, PurchaseOrders } from './order-ports.ts';
import type { SkuCatalogue } from './order-ports.ts';
import { orderFrom, orderedInBaseUnits } from './order-lines.ts';
import type { ActionStore, AnswerStore, Claim, Lookup, Recorded, Timer } from './ports.ts';
import type { Unknown } from './ports.ts';
import { unavailable } from './ticket.ts';

export interface OrderPorts {
  readonly orders: OrderStore;
  readonly catalogue: SkuCatalogue;
  readonly actions: ActionStore;
  readonly answers: AnswerStore;
  readonly dock: Pick<Dock, 'holdOf'>;
  readonly appointments: GiveUpAppointments;
  readonly timer: Timer;
}

type Change =
  | { readonly kind: 'create'; readonly draft: OrderDraft }
  | { readonly kind: 'change'; readonly change: OrderChange }
  | { readonly kind: 'end'; readonly standing: 'closed' | 'cancelled' };

type Attempt = OrderAnswer | { readonly kind: 'lost' } | Unknown;

/** @param deadlineMilliseconds by when a request has its answer, definite or not. */
export function createPurchaseOrders(
  ports: OrderPorts,
  deadlineMilliseconds: number,
): PurchaseOrders {
  const put = (action: OrderAction, change: Change): Promise<OrderAnswer> =>
    changeWithin(ports, deadlineMilliseconds, action, change);
  return {
    create: (action, draft) => put(action, { kind: 'create', draft }),
    change: (action, change) => put(action, { kind: 'change', change }),
    end: async (action, standing) => {
      const until = ports.timer.monotonic() + deadlineMilliseconds;
      const answer = await put(action, { kind: 'end', standing });
      if (answer.kind === 'order' && standing === 'cancelled') {
        // The order is cancelled, and is answered so; its seats are most often free by then.
        await inTime(ports.timer, until, ports.appointments.carryOn(action.number));
      }
      return answer;
    },
    order: async (number) => {
      const read = await ports.orders.read(number);
      if (read.kind === 'unknown') return unavailable(read.cause);
      return read.kind === 'found' ? viewOf(ports, read.value.order) : { kind: 'not-found' };
    },
    orders: async ({ limit, ...query }) => {
      const read = await ports.orders.list({ ...query, limit: limit + 1 });
      if (read.kind === 'unknown') return unavailable(read.cause);
      const items = read.value.slice(0, limit);
      return { kind: 'ok', value: { items, more: read.value.length > limit } };
    },
  };
}

/** With those appointments that have a seat or had one; what is about to get one shows nowhere. */
async function viewOf(
  { dock }: OrderPorts,
  order: PurchaseOrder,
): Promise<Ok<OrderView> | Unavailable> {
  const appointments: AppointmentView[] = [];
  // One after another: an order may have more than there are connections to the database.
  for (const { hold, warehouse } of order.appointments) {
    const seen = await dock.holdOf(hold);
    if (seen.kind === 'unavailable') return seen;
    if (seen.kind === 'ok') appointments.push({ ...seen.value, warehouse });
  }
  return { kind: 'ok', value: { order, appointments } };
}

async function changeWithin(
  ports: OrderPorts,
  deadlineMilliseconds: number,
  action: OrderAction,
  change: Change,
): Promise<OrderAnswer> {
  return untilAnswered(ports.timer, deadlineMilliseconds, (progress) =>
    attemptChange(ports, action, change, progress),
  );
}

async function attemptChange(
  ports: OrderPorts,
  action: OrderAction,
  change: Change,
  progress: Progress,
): Promise<Attempt> {
  const read = await ports.orders.read(action.number);
  if (read.kind === 'unknown') return read;
  const current = read.kind === 'found' ? read.value : null;
  const claims = await ports.actions.find([action.actionId]);
  if (claims.kind === 'unknown') return claims;
  const claim = claims.value.get(action.actionId);
  if (claim !== undefined && claim.digest !== action.digest) return reused;
  const repeat = await firstAnswer(ports, current, action, claim);
  if (repeat.kind === 'unknown') return repeat;
  if (repeat.kind === 'found') {
    return { kind: 'order', order: repeat.value, replayed: !progress.mayHaveWritten };
  }
  // To end it once more in the same way is the same as once.
  if (current !== null && change.kind === 'end' && current.order.standing === change.standing) {
    return answerStanding(ports, current.order, action, claim, progress);
  }
  const judged = await judge(ports, current, action, change);
  if (judged.kind !== 'accepted') return judged;
  const claimed = await claimOnce(ports, action, claim);
  if (claimed.kind !== 'recorded') return claimed;
  if (nextToGiveUp(judged.order) !== undefined) {
    const armed = await ports.appointments.arm(action.number);
    if (armed.kind === 'unknown') return armed;
  }
  const written = await write(ports, current, judged.order, action);
  if (written.kind === 'unknown') progress.mayHaveWritten = true;
  if (written.kind !== 'written') return written;
  progress.mayHaveWritten = true;
  const first = await keepFirst(ports, action, written.order);
  return first.kind === 'found' ? { kind: 'order', order: first.value, replayed: false } : first;
}

/** It is as the request wants it: the key is the request's all the same, and its answer is kept. */
async function answerStanding(
  ports: OrderPorts,
  order: PurchaseOrder,
  action: OrderAction,
  claim: Claim | undefined,
  progress: Progress,
): Promise<Attempt> {
  const claimed = await claimOnce(ports, action, claim);
  if (claimed.kind !== 'recorded') return claimed;
  progress.mayHaveWritten = true;
  const first = await keepFirst(ports, action, order);
  return first.kind === 'found' ? { kind: 'order', order: first.value, replayed: false } : first;
}

const reused: OrderAnswer = { kind: 'refused', refusal: { code: 'idempotency-key-reused' } };

function isCallers({ actionId }: Pick<OrderAction, 'actionId'>): boolean {
  return !actionId.startsWith('~');
}

async function firstAnswer(
  ports: OrderPorts,
  current: OrderRead | null,
  action: OrderAction,
  claim: Claim | undefined,
): Promise<Lookup<PurchaseOrder>> {
  if (current?.changedBy === action.actionId) {
    const first = await keepFirst(ports, action, current.order);
    return first.kind === 'lost' ? { kind: 'missing' } : first;
  }
  return claim === undefined ? { kind: 'missing' } : keptAnswer(ports, action);
}

async function keptAnswer(
  { answers }: OrderPorts,
  { actionId }: Pick<OrderAction, 'actionId'>,
): Promise<Lookup<PurchaseOrder>> {
  const kept = await answers.find(actionId);
  if (kept.kind !== 'found') return kept;
  return kept.value.kind === 'order'
    ? { kind: 'found', value: kept.value.order }
    : { kind: 'missing' };
}

/** Keeps the answer, unless one was kept before. @returns the one that is kept (2). */
async function keepFirst(
  ports: OrderPorts,
  action: Pick<OrderAction, 'actionId'>,
  order: PurchaseOrder,
): Promise<
  { readonly kind: 'found'; readonly value: PurchaseOrder } | { readonly kind: 'lost' } | Unknown
> {
  if (!isCallers(action)) return { kind: 'found', value: order };
  const shown = { ...order, outcomes: [], appointments: [] };
  const { actionId } = action;
  const kept = await ports.answers.keep({ actionId, kind: 'order', order: shown });
  if (kept.kind === 'unknown') return kept;
  const first = await keptAnswer(ports, action);
  return first.kind === 'missing' ? { kind: 'lost' } : first;
}

/** `lost` when somebody else has just made the claim: then everything is looked at again. */
async function claimOnce(
  ports: OrderPorts,
  action: OrderAction,
  claim: Claim | undefined,
): Promise<Recorded | { readonly kind: 'lost' }> {
  if (claim !== undefined || !isCallers(action)) return { kind: 'recorded' };
  const { actionId, digest, operation, number } = action;
  const claimed = await ports.actions.claim([
    { actionId, digest, operation, subject: { kind: 'order', order: number } },
  ]);
  if (claimed.kind === 'unknown') return claimed;
  return claimed.standing.size === 0 ? { kind: 'recorded' } : { kind: 'lost' };
}

async function judge(
  ports: OrderPorts,
  current: OrderRead | null,
  { number }: OrderAction,
  change: Change,
): Promise<OrderDecision | { readonly kind: 'not-found' } | Unknown> {
  if (change.kind === 'create') {
    if (current !== null) {
      return { kind: 'refused', refusal: { code: 'purchase-order-exists', number } };
    }
    const { draft } = change;
    const lines = await orderedInBaseUnits(ports.catalogue, draft.lines);
    return lines.kind === 'found' ? orderFrom(number, draft, lines.value) : lines;
  }
  if (current === null) return { kind: 'not-found' };
  if (change.kind === 'end') return endOrder(current.order, change.standing);
  const { lines: named = [], ...rest } = change.change;
  const skus = new Map(current.order.lines.map(({ line, sku }) => [line, sku]));
  const lines = await orderedInBaseUnits(
    ports.catalogue,
    named.map((line) => withSku(line, line.sku ?? skus.get(line.line))),
  );
  return lines.kind === 'found'
    ? alterOrder(current.order, { ...rest, lines: lines.value })
    : lines;
}

function withSku<L extends { readonly sku?: S }, S>(line: L, sku: S | undefined): L {
  return sku === undefined ? line : { ...line, sku };
}

async function write(
  ports: OrderPorts,
  current: OrderRead | null,
  order: PurchaseOrder,
  { actionId }: OrderAction,
): Promise<OrderWrite> {
  if (current === null) return ports.orders.create(order, actionId);
  const kept = await keepFirst(ports, { actionId: current.changedBy }, current.order);
  if (kept.kind === 'unknown') return kept;
  return ports.orders.swap(current, order, actionId);
}
