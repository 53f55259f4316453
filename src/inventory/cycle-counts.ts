/**
 * Cycle counts: stock counts that open by themselves, again and again, over the same places.
 *
 * 1. A cycle count is a recurring reminder of the service's own, whose payload says what is to be
 *    counted and on whose behalf. There is nothing else that would have to agree with it.
 * 2. The count's opening is named by the delivery, so a delivery that comes twice opens one count.
 * 3. An open count over any of it leaves this time out, which is reported: counts never pile up.
 *    Any other refusal fails the delivery, which ends suspended, where somebody sees it.
 */
import { z } from 'zod';
import type { ActionId, Actor, Instant } from '../domain/ids.ts';
import {
  cycleCountActor,
  parseActor,
  parseLocationId,
  parseSku,
  serviceActionId,
  utf8Length,
} from '../domain/ids.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { ReminderId } from '../domain/reminder.ts';
import { payloadByteLimit, reminderIdOf, reminderNameOf } from '../domain/reminder.ts';
import type { CountScope } from '../domain/stock-count.ts';
import { refuseUnknown } from '../domain/stock-count.ts';
import type { Page, QueryAnswer, Unavailable } from './answer.ts';
import type { CountAction, CountStore, StockCounts } from './count-ports.ts';
import type { ShownAnswer } from './keyed-answer.ts';
import type { Ports, Read, Unknown } from './ports.ts';
import type { Deliver, Delivered, Delivery } from './reminder-delivery.ts';
import type { Report } from './reminder-events.ts';
import type { Recurring, StampedReminder } from './reminder-ports.ts';
import type { Reminders } from './reminders.ts';
import { requestDigest } from './request-digest.ts';
import { unavailable } from './ticket.ts';

/** What is counted each time, and by whose order. */
export interface CycleCount extends CountScope {
  readonly isBlind: boolean;
  readonly setBy: Actor;
}

/** As it stands among its times. */
export interface StandingCycleCount extends StampedReminder {
  readonly name: string;
  readonly recurring: Recurring;
  readonly cycleCount: CycleCount;
}

/** Without `at` it is first due when its cron line says so. */
export interface SetCycleCount extends CountAction, CountScope {
  readonly name: string;
  readonly isBlind: boolean;
  readonly at?: Instant;
  readonly recurring: Recurring;
}

export interface CycleCounts {
  /** Sets it, or replaces what stood under the name. */
  readonly set: (
    request: SetCycleCount,
    show: (standing: StandingCycleCount) => object,
  ) => Promise<ShownAnswer>;
  /**
   * Afterwards there is none of this name, as far as the caller sees; counts that were opened stay.
   * @param sees of what stands there, whether the caller does.
   */
  readonly remove: (
    request: CountAction,
    name: string,
    shown: object,
    sees?: (standing: CycleCount) => Promise<Read<boolean>>,
  ) => Promise<ShownAnswer>;
  readonly cycleCount: (name: string) => Promise<QueryAnswer<StandingCycleCount>>;
  readonly cycleCounts: (query: {
    readonly after?: string;
    readonly limit: number;
  }) => Promise<QueryAnswer<Page<StandingCycleCount>>>;
  /** What a due one calls. */
  readonly deliver: Deliver;
}

export interface CycleCountParts {
  readonly ports: Pick<Ports, 'locations'> & { readonly counts: Pick<CountStore, 'standing'> };
  readonly reminders: Pick<Reminders, 'set' | 'remove' | 'reminder' | 'reminders'>;
  readonly open: StockCounts['open'];
  readonly report: Report;
}

export function createCycleCounts(parts: CycleCountParts): CycleCounts {
  const { ports, reminders } = parts;
  return {
    set: async (request, show) => {
      const { name, at, recurring } = request;
      const payload = JSON.stringify(cycleCountOf(request));
      const refusal = refuseTooLong(payload) ?? (await refuseScope(ports, request));
      if (refusal !== undefined) return refusal;
      const id = idOf(name);
      const reminder = { id, ...(at && { at }), recurring, missed: 'latest', payload } as const;
      return reminders.set(request, reminder, (stamped) => show(standingOf(stamped)));
    },
    remove: (request, name, shown, sees) =>
      reminders.remove(
        request,
        idOf(name),
        shown,
        sees && ((stamped) => sees(standingOf(stamped).cycleCount)),
      ),
    cycleCount: async (name) => {
      const found = await reminders.reminder(idOf(name));
      return found.kind === 'ok' ? { kind: 'ok', value: standingOf(found.value) } : found;
    },
    cycleCounts: async ({ after, limit }) => {
      const place = after === undefined ? {} : { after: idOf(after) };
      const found = await reminders.reminders({ actor: cycleCountActor, ...place, limit });
      if (found.kind !== 'ok') return found;
      const { items, more } = found.value;
      return { kind: 'ok', value: { items: items.map(standingOf), more } };
    },
    deliver: (delivery) => deliver(parts, delivery),
  };
}

function idOf(name: string): ReminderId {
  const id = reminderIdOf({ actor: cycleCountActor, name });
  if (id === undefined) throw new TypeError(`no cycle count can be called ${name}`);
  return id;
}

function cycleCountOf({ locations, skus, isBlind, actor }: SetCycleCount): CycleCount {
  return { locations, ...(skus && { skus }), isBlind, setBy: actor };
}

type Declined = { readonly kind: 'refused'; readonly refusal: Refusal } | Unavailable;

function refuseTooLong(payload: string): Declined | undefined {
  if (utf8Length(payload) <= payloadByteLimit) return undefined;
  const message = `makes more than ${payloadByteLimit} bytes with the locations`;
  return { kind: 'refused', refusal: { code: 'validation', errors: [{ path: '/skus', message }] } };
}

/** What is known stays known, so no repeat of an accepted request is turned away here. */
async function refuseScope(
  { locations, counts }: CycleCountParts['ports'],
  { locations: places, skus }: CountScope,
): Promise<Declined | undefined> {
  const lost = ({ cause }: Unknown): Declined => unavailable(cause);
  const known = await locations.find(places);
  if (known.kind === 'unknown') return lost(known);
  const scope = { locations: places, ...(skus && { skus }) };
  const standing =
    skus === undefined
      ? ({ kind: 'found', value: new Map() } as const)
      : await counts.standing({ ...scope, limit: skus.length });
  if (standing.kind === 'unknown') return lost(standing);
  const refusal = refuseUnknown(scope, known.value, standing.value);
  return refusal === undefined ? undefined : { kind: 'refused', refusal };
}

function parsed<T>(parse: (text: string) => T | undefined) {
  return z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: 'is none', input: text });
    return z.NEVER;
  });
}

const payloadShape = z.object({
  locations: z.array(parsed(parseLocationId)),
  skus: z.array(parsed(parseSku)).exactOptional(),
  isBlind: z.boolean(),
  setBy: parsed(parseActor),
});

/** @throws where the text is none that the service has written. */
function parsePayload(payload = ''): CycleCount {
  const { skus, ...cycleCount } = payloadShape.parse(JSON.parse(payload));
  return { ...cycleCount, ...(skus && { skus }) };
}

function standingOf(stamped: StampedReminder): StandingCycleCount {
  const { id, payload, recurring } = stamped.reminder;
  if (recurring === undefined) throw new TypeError('a cycle count comes again');
  return {
    ...stamped,
    name: reminderNameOf(id).name,
    recurring,
    cycleCount: parsePayload(payload),
  };
}

const operation = 'PUT /v1/cycle-counts/{name}';

async function deliver({ open, report }: CycleCountParts, delivery: Delivery): Promise<Delivered> {
  const { setBy, ...scope } = parsePayload(delivery.payload);
  const { id, name, dueAt } = delivery;
  const digest = requestDigest(operation, { name }, scope);
  const opened = await open({
    ...scope,
    actor: setBy,
    actionId: openingOf(delivery),
    operation,
    digest,
  });
  switch (opened.kind) {
    case 'count':
      return { kind: 'done' };
    case 'refused':
      if (opened.refusal.code !== 'count-overlap') {
        return { kind: 'failed', cause: JSON.stringify(opened.refusal) };
      }
      report({ kind: 'cycle-count-skipped', reminder: id, dueAt, openCount: opened.refusal.count });
      return { kind: 'done' };
    case 'unavailable':
      return { kind: 'failed', cause: opened.cause };
    case 'not-found':
      throw new Error('an opening looks for no count');
  }
}

/** The same for every delivery of one occurrence (2). */
function openingOf({ deliveryId }: Delivery): ActionId {
  return serviceActionId('cycle-count', deliveryId);
}
