/**
 * The check that ends every run with faults: does the history explain all that callers were told?
 *
 * 1. An answer binds. What was acknowledged is in the history once, as it was asked for and shown;
 *    what was refused each time that it was sent is not in it.
 * 2. No answer binds to nothing: the request is in the history once or not at all.
 * 3. Time binds. What was answered before another request of its SKU was sent comes before it, so
 *    a refusal can be held to the versions that stood while it was under way.
 * 4. Where clocks leave a doubt, the service has the benefit of it: every breach is one.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Breach, Exchange, HistoryMovement, Line, Rule, Run } from './history.ts';
import type { Version } from './replay.ts';
import { availableAt, compareDocument, replay } from './replay.ts';

/** All that was sent under one key. */
interface Request {
  readonly actionId: string;
  readonly exchanges: readonly Exchange[];
  readonly firstSentAt: number;
  /** When the first acknowledgement came; infinite where none did. */
  readonly doneAt: number;
}

/** @returns every rule that the run breaks, and where. */
export function checkHistory(run: Run): readonly Breach[] {
  const requests = requestsOf(run.exchanges);
  const breaches: Breach[] = [];
  const versions = new Map<string, readonly Version[]>();
  for (const [sku, history] of run.histories) {
    const replayed = replay(sku, history);
    versions.set(sku, replayed.versions);
    breaches.push(...replayed.breaches, ...orderBreaches(sku, history, requests));
  }
  for (const document of run.documents) {
    const last = versions.get(document.sku)?.at(-1);
    if (last !== undefined) breaches.push(...compareDocument(last, document));
  }
  const applied = groupedBy([...run.histories.values()].flat(), (movement) => movement.actionId);
  for (const request of requests.values()) {
    const movements = applied.get(request.actionId) ?? [];
    breaches.push(...requestBreaches(request, movements));
    breaches.push(...causeBreaches(request, run, versions, requests));
  }
  return [...breaches, ...ownershipBreaches(run, requests, applied)];
}

function requestsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, Request> {
  const byAction = groupedBy(exchanges, ({ actionId }) => actionId);
  return new Map(
    Array.from(byAction, ([actionId, sent]) => [
      actionId,
      {
        actionId,
        exchanges: sent,
        firstSentAt: least(sent.map(({ sentAt }) => sentAt)),
        doneAt: least(
          sent.flatMap(({ answer, answeredAt }) => (answer.kind === 'done' ? [answeredAt] : [])),
        ),
      },
    ]),
  );
}

function groupedBy<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function least(times: readonly number[]): number {
  return times.reduce((one, other) => Math.min(one, other), Infinity);
}

/** Whoever was answered before another was sent comes before it. */
function orderBreaches(
  sku: string,
  history: readonly HistoryMovement[],
  requests: ReadonlyMap<string, Request>,
): readonly Breach[] {
  const breaches: Breach[] = [];
  let earliest = { doneAt: Infinity, ordinal: 0 };
  for (const { actionId, ordinal } of history.toReversed()) {
    const request = requests.get(actionId);
    if (request === undefined) continue;
    if (earliest.doneAt < request.firstSentAt) {
      const detail = `${earliest.ordinal} was acknowledged before ${ordinal} was sent`;
      breaches.push({ rule: 'answered-before-sent', sku, detail });
    }
    if (request.doneAt < earliest.doneAt) earliest = { doneAt: request.doneAt, ordinal };
  }
  return breaches;
}

function requestBreaches(
  { actionId, exchanges }: Request,
  movements: readonly HistoryMovement[],
): readonly Breach[] {
  const breaches: Breach[] = [];
  const [first] = exchanges;
  if (first === undefined) return [];
  const { asked } = first;
  const breach = (rule: Rule, detail: string): void => {
    breaches.push({ rule, sku: asked.sku, detail: `${actionId}: ${detail}` });
  };
  const done = exchanges.filter(({ answer }) => answer.kind === 'done');
  const [movement, ...more] = movements;
  if (more.length > 0) breach('applied-at-most-once', `it is there ${movements.length} times`);
  if (done.length > 0 && movement === undefined) {
    breach('acknowledged-once', 'it was acknowledged and is not there');
  }
  if (movement !== undefined && exchanges.every(({ answer }) => answer.kind === 'refused')) {
    breach('refused-has-no-effect', `it was refused and is movement ${movement.ordinal}`);
  }
  if (movement !== undefined && !isAsAsked(movement, asked)) {
    breach('as-asked', `movement ${movement.ordinal} is another change than was asked for`);
  }
  for (const detail of changedAnswers(exchanges, movement)) breach('answer-stays', detail);
  return breaches;
}

function isAsAsked(movement: HistoryMovement, asked: Exchange['asked']): boolean {
  return (
    movement.sku === asked.sku &&
    isDeepStrictEqual(bareLines(movement.lines), bareLines(asked.lines))
  );
}

function bareLines(lines: readonly Line[]): readonly string[] {
  return lines.map(({ location, delta }) => `${location} ${delta}`).toSorted();
}

/** Acknowledgements are one and the same, show the movement, and are not taken back. */
function changedAnswers(
  exchanges: readonly Exchange[],
  movement: HistoryMovement | undefined,
): readonly string[] {
  const details: string[] = [];
  const texts = new Set<string>();
  let doneAt = Infinity;
  for (const { answer, answeredAt } of exchanges) {
    if (answer.kind !== 'done') continue;
    texts.add(answer.text);
    doneAt = Math.min(doneAt, answeredAt);
    if (answer.movement && movement && !isDeepStrictEqual(answer.movement, movement)) {
      details.push(`an answer shows another movement than ${movement.ordinal}`);
    }
  }
  if (texts.size > 1) details.push(`${texts.size} different acknowledgements`);
  if (exchanges.some(({ answer, sentAt }) => answer.kind === 'refused' && sentAt > doneAt)) {
    details.push('it was refused after it had been acknowledged');
  }
  return details;
}

/** A refusal for want of stock needs a version, of those that stood meanwhile, that was short. */
function causeBreaches(
  { actionId, exchanges }: Request,
  { histories }: Run,
  versions: ReadonlyMap<string, readonly Version[]>,
  requests: ReadonlyMap<string, Request>,
): readonly Breach[] {
  return exchanges.flatMap((exchange): readonly Breach[] => {
    const { answer, asked } = exchange;
    if (answer.kind !== 'refused' || answer.code !== 'insufficient-stock') return [];
    const { sku, needs } = asked;
    const [least, most] = versionsDuring(exchange, histories.get(sku) ?? [], requests);
    const stood = (versions.get(sku) ?? []).slice(least, most + 1);
    const isCaused =
      needs !== undefined && stood.some((version) => stockFor(needs, version) < needs.quantity);
    if (isCaused) return [];
    const detail = `${actionId}: stock sufficed from version ${least} to ${most}`;
    return [{ rule: 'refused-with-cause', sku, detail }];
  });
}

function stockFor(
  { location, of }: NonNullable<Exchange['asked']['needs']>,
  version: Version,
): number {
  return of === 'on-hand'
    ? (version.onHand.get(location) ?? 0)
    : availableAt(version, location, version.at);
}

/** The versions that can have stood while a request was under way. */
function versionsDuring(
  { sentAt, answeredAt }: Exchange,
  history: readonly HistoryMovement[],
  requests: ReadonlyMap<string, Request>,
): readonly [least: number, most: number] {
  let lowest = 0;
  let highest = history.length;
  for (const [index, { actionId }] of history.entries()) {
    const request = requests.get(actionId);
    if (request === undefined) continue;
    if (request.doneAt < sentAt) lowest = index + 1;
    if (request.firstSentAt > answeredAt) highest = Math.min(highest, index);
  }
  return [lowest, highest];
}

/** Types that the service writes for itself and that move nothing. */
const bookkeeping: ReadonlySet<string> = new Set(['expire', 'void']);

/** Every movement is somebody's: a request's, or a line that a receipt or a count names, once. */
function ownershipBreaches(
  { histories, named = [] }: Run,
  requests: ReadonlyMap<string, Request>,
  applied: ReadonlyMap<string, readonly HistoryMovement[]>,
): readonly Breach[] {
  const breaches: Breach[] = [];
  const place = (sku: string, ordinal: number): string => JSON.stringify([sku, ordinal]);
  const lines = groupedBy(named, ({ sku, ordinal }) => place(sku, ordinal));
  for (const [actionId, movements] of applied) {
    if (requests.has(actionId)) continue;
    for (const { sku, ordinal, type, lines: moved } of movements) {
      const owned = lines.get(place(sku, ordinal)) ?? [];
      if (bookkeeping.has(type) && moved.length === 0) continue;
      const detail = `movement ${ordinal} (${actionId})`;
      if (owned.length === 0) breaches.push({ rule: 'somebody-asked', sku, detail });
      else if (!isDeepStrictEqual(bareLines(moved), bareLines(owned))) {
        breaches.push({ rule: 'as-asked', sku, detail });
      }
    }
  }
  for (const { sku, ordinal } of named) {
    if (histories.get(sku)?.[ordinal - 1]?.ordinal === ordinal) continue;
    const detail = `a line names movement ${ordinal}, which is not there`;
    breaches.push({ rule: 'acknowledged-once', sku, detail });
  }
  return breaches;
}
