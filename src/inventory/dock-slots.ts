/**
 * Dock slots: opened once for the request that opens them, and shown with what remains of them.
 *
 * 1. A slot's id is made from the request that opens it, and what it was opened with never changes:
 *    a repeat finds its first answer in the slot itself.
 * 2. What is shown as remaining is advice; whoever takes a seat is told by the write.
 */
import type { DockSlot, SlotId } from '../domain/dock-slot.ts';
import { remainingOf } from '../domain/dock-slot.ts';
import type { Instant, WarehouseId } from '../domain/ids.ts';
import type { Page, QueryAnswer } from './answer.ts';
import type { Attempt } from './attempts.ts';
import { slotIdOf } from './dock-ids.ts';
import type { DockPorts, ListSlots, OpenSlot, SlotAnswer, SlotView } from './dock-ports.ts';
import type { Progress } from './keyed-request.ts';
import { claim, isCallers, lookUpClaim } from './keyed-request.ts';
import type { Read } from './ports.ts';
import { unavailable } from './ticket.ts';

type SlotPorts = Pick<DockPorts, 'slots' | 'actions' | 'mark'>;

/** So many slots are shown with what is available. */
const availabilityLimit = 1_000;

export async function attemptOpenSlot(
  ports: SlotPorts,
  request: OpenSlot,
  progress: Progress,
): Promise<Attempt<SlotAnswer>> {
  const { actionId, warehouse, startsAt, endsAt, capacity } = request;
  const id = slotIdOf(actionId);
  const standing = await lookUpClaim(ports.actions, request);
  if (standing.kind === 'unknown' || standing.kind === 'refused') return standing;
  if (standing.kind === 'found' || !isCallers(actionId)) {
    const opened = await ports.slots.read(id);
    if (opened.kind === 'unknown') return opened;
    if (opened.kind === 'found') return answer(opened.value.slot, !progress.mayHaveWritten);
  }
  if (standing.kind === 'missing') {
    const subject = { kind: 'dock-slot', slot: id } as const;
    const claimed = await claim(ports.actions, request, subject, progress);
    if (claimed.kind !== 'recorded') return claimed;
  }
  const opening = { id, warehouse, startsAt, endsAt, capacity, seats: [] };
  const slot: DockSlot = { ...opening, version: 1, lastActionId: actionId };
  const written = await ports.slots.create(slot);
  if (written.kind === 'unknown') progress.mayHaveWritten = true;
  return written.kind === 'written' ? answer(slot, false) : written;
}

function answer(slot: DockSlot, replayed: boolean): SlotAnswer {
  const { id, warehouse, startsAt, endsAt, capacity } = slot;
  return { kind: 'slot', slot: { id, warehouse, startsAt, endsAt, capacity }, replayed };
}

export async function showSlot(
  { slots }: Pick<DockPorts, 'slots'>,
  id: SlotId,
): Promise<QueryAnswer<SlotView>> {
  const read = await slots.read(id);
  switch (read.kind) {
    case 'found':
      return { kind: 'ok', value: viewOf(read.value) };
    case 'missing':
      return { kind: 'not-found' };
    case 'unknown':
      return unavailable(read.cause);
  }
}

function viewOf({
  slot,
  now,
}: {
  readonly slot: Omit<SlotView, 'remaining'> & Parameters<typeof remainingOf>[0];
  readonly now: Instant;
}): SlotView {
  const { id, warehouse, startsAt, endsAt, capacity } = slot;
  return { id, warehouse, startsAt, endsAt, capacity, remaining: remainingOf(slot, now) };
}

async function views(
  { slots }: Pick<DockPorts, 'slots'>,
  query: ListSlots,
): Promise<Read<readonly SlotView[]>> {
  const read = await slots.list(query);
  return read.kind === 'found' ? { kind: 'found', value: read.value.map(viewOf) } : read;
}

/** One more is read than asked for, to know whether more follow. */
export async function listSlots(
  ports: Pick<DockPorts, 'slots'>,
  { limit, ...query }: ListSlots,
): Promise<QueryAnswer<Page<SlotView>>> {
  const read = await views(ports, { ...query, limit: limit + 1 });
  if (read.kind === 'unknown') return unavailable(read.cause);
  const { value } = read;
  return { kind: 'ok', value: { items: value.slice(0, limit), more: value.length > limit } };
}

/** Slots that may still be booked, by the database's clock. */
export async function readAvailability(
  ports: Pick<DockPorts, 'slots' | 'mark'>,
  warehouse?: WarehouseId,
): Promise<Read<readonly SlotView[]>> {
  const mark = await ports.mark.read();
  if (mark.kind === 'unknown') return mark;
  const { now } = mark.value;
  const own = warehouse === undefined ? {} : { warehouse };
  const read = await views(ports, { ...own, from: now, limit: availabilityLimit });
  if (read.kind === 'unknown') return read;
  return { kind: 'found', value: read.value.filter(({ startsAt }) => startsAt > now) };
}
