/**
 * Actions made on this device, sent in order when the network is there.
 *
 * 1. An action has its idempotency key from the moment it is made, and it is kept on the device
 *    before it is sent: whatever happens to the page, it is sent again under the same key.
 * 2. It leaves the queue only with an answer to itself. No answer, 429 and 503 keep it, and with it
 *    everything behind it.
 * 3. What was refused stays visible until somebody has dealt with it; it is not sent again.
 * 4. One tab sends at a time; the keys would keep the effect single, the lock keeps the order.
 * 5. Actions are sent only as the holder who made them: keys of actions belong to a name.
 */
import { signal } from '@preact/signals';
import { v4 as uuid } from 'uuid';
import type { Answer, Problem } from '../api.ts';
import { ask } from '../api.ts';
import { session } from '../session.ts';
import type { DeviceDatabase, Draft, QueuedAction } from './database.ts';
import { deviceDatabase } from './database.ts';

/** What is waiting or refused, the oldest first. */
export const waiting = signal<readonly QueuedAction[]>([]);

/** The last word on actions of this page, for sound and colour. */
export const lastOutcome = signal<Outcome | undefined>(undefined);

export interface Outcome {
  readonly kind: 'done' | 'refused' | 'queued';
  readonly action: QueuedAction;
}

const atOnce = 50;
const retryMs = 5_000;

export async function enqueue(draft: Draft): Promise<void> {
  const holder = session.value?.name;
  if (holder === undefined) throw new Error('nobody is signed in');
  const action = {
    idempotencyKey: uuid(),
    holder,
    madeAt: new Date().toISOString(),
    draft,
    state: 'queued',
  } as const;
  const database = await deviceDatabase();
  // The store gives the place in the order.
  const seq = await database.add('actions', action as QueuedAction);
  lastOutcome.value = { kind: 'queued', action: { ...action, seq } };
  await refresh(database);
  void sendWaiting();
}

/** Somebody has seen the refusal and dealt with it (3). */
export async function dismiss({ seq }: QueuedAction): Promise<void> {
  const database = await deviceDatabase();
  const current = await database.get('actions', seq);
  if (current?.state === 'refused') await database.delete('actions', seq);
  await refresh(database);
}

async function refresh(database: DeviceDatabase): Promise<void> {
  const all = await database.getAll('actions');
  waiting.value = all.filter(({ holder }) => holder === session.value?.name);
}

let retry: ReturnType<typeof setTimeout> | undefined;

/** Sends what waits until it is all answered or an answer fails to come. */
async function sendWaiting(): Promise<void> {
  clearTimeout(retry);
  const database = await deviceDatabase();
  await refresh(database);
  const isThrough = await navigator.locks.request('stockroom-queue', () => sendAll(database));
  if (!isThrough) retry = setTimeout(() => void sendWaiting(), retryMs);
}

/** @returns whether nothing is left to send. */
async function sendAll(database: DeviceDatabase): Promise<boolean> {
  for (;;) {
    const all = await database.getAll('actions');
    const holder = session.value?.name;
    const queued = all.filter((one) => one.state === 'queued' && one.holder === holder);
    const next = together(queued);
    if (next.length === 0) return true;
    const answered = await send(next);
    for (const [action, verdict] of answered) await settle(database, action, verdict);
    await refresh(database);
    if (answered.length < next.length) return false;
  }
}

/** The first action; where it is a movement, with the movements that follow it. */
function together(queued: readonly QueuedAction[]): readonly QueuedAction[] {
  const [first] = queued;
  if (first === undefined) return [];
  if (first.draft.kind === 'tally') return [first];
  const end = queued.findIndex(({ draft }) => draft.kind === 'tally');
  return queued.slice(0, Math.min(end < 0 ? queued.length : end, atOnce));
}

type Verdict = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly why: string };

type Answered = readonly (readonly [QueuedAction, Verdict])[];

/** @returns the answered ones, up to the first that is not (2). */
async function send(actions: readonly QueuedAction[]): Promise<Answered> {
  const [first] = actions;
  if (first?.draft.kind === 'tally') {
    const { count, ...line } = first.draft.tally;
    const { idempotencyKey } = first;
    const path = `/v1/stock-counts/${encodeURIComponent(count)}/lines`;
    const verdict = verdictOf(await ask(path, { method: 'PUT', body: line, idempotencyKey }));
    return verdict === undefined ? [] : [[first, verdict]];
  }
  const items = actions.flatMap(({ idempotencyKey, draft }) =>
    draft.kind === 'movement' ? [{ idempotencyKey, ...draft.movement }] : [],
  );
  const answer = await ask<BatchAnswer>('/v1/movements/batch', { method: 'POST', body: { items } });
  if (answer.kind !== 'ok') {
    const verdict = verdictOf(answer);
    // A batch that is refused as a whole has more than one item: each is asked for itself.
    if (verdict === undefined) return [];
    return actions.length === 1 && first !== undefined
      ? [[first, verdict]]
      : send(actions.slice(0, 1));
  }
  return upToUnanswered(actions, answer.value);
}

interface BatchAnswer {
  readonly results: readonly {
    readonly idempotencyKey: string;
    readonly status: number;
    readonly problem?: Problem;
  }[];
}

function upToUnanswered(actions: readonly QueuedAction[], { results }: BatchAnswer): Answered {
  const verdicts = actions.map((action) => {
    const result = results.find(({ idempotencyKey }) => idempotencyKey === action.idempotencyKey);
    return [action, result && judged(result.status, result.problem)] as const;
  });
  const open = verdicts.findIndex(([, verdict]) => verdict === undefined);
  return verdicts
    .slice(0, open < 0 ? undefined : open)
    .flatMap(([action, verdict]) => (verdict === undefined ? [] : [[action, verdict] as const]));
}

function verdictOf(answer: Answer<unknown>): Verdict | undefined {
  switch (answer.kind) {
    case 'ok':
      return { kind: 'done' };
    case 'problem':
      return judged(answer.problem.status, answer.problem);
    case 'unreachable':
      return undefined;
  }
}

/** 401 waits for a valid key, 429 and 5xx for a better time. */
function judged(status: number, problem: Problem | undefined): Verdict | undefined {
  if (status < 300) return { kind: 'done' };
  if (status === 401 || status === 429 || status >= 500) return undefined;
  return { kind: 'refused', why: problem?.detail ?? String(status) };
}

async function settle(
  database: DeviceDatabase,
  action: QueuedAction,
  verdict: Verdict,
): Promise<void> {
  if (verdict.kind === 'done') await database.delete('actions', action.seq);
  else await database.put('actions', { ...action, state: 'refused', refusal: verdict.why });
  lastOutcome.value = { kind: verdict.kind, action };
}

/** Sends whenever the network may be back. */
export function keepSending(): void {
  window.addEventListener('online', () => void sendWaiting());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void sendWaiting();
  });
  session.subscribe(() => void sendWaiting());
}
