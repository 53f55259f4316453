/**
 * Clients: each asks for one thing after the other, and sends it under its key until it has a
 * definite answer. What it got is taken down, attempt by attempt.
 */
import safeStableStringify from 'safe-stable-stringify';
import type { Action } from '../../src/domain/action.ts';
import type { ActionId, Instant } from '../../src/domain/ids.ts';
import type { Movement } from '../../src/domain/movement.ts';
import type { Refusal } from '../../src/domain/refusal.ts';
import type { CountId } from '../../src/domain/stock-count.ts';
import type { ActionAnswer, NotFound } from '../../src/inventory/answer.ts';
import type { CountAnswer, LineAnswer } from '../../src/inventory/count-ports.ts';
import type { AskedLine, OrderAnswer, ReceiptAnswer } from '../../src/inventory/order-ports.ts';
import { requestDigest } from '../../src/inventory/request-digest.ts';
import { actionId, actor, definition, onHand, place, quantity, sku } from '../support/actions.ts';
import { envelope, receiptOfKey } from '../support/receiving.ts';
import { orderNumber } from './database.ts';
import type { Process } from './process.ts';
import type { Asked, Plot } from './scenario.ts';
import type { Stage } from './stage.ts';

export type Verdict =
  /** Acknowledged: the effect that was shown, as text, and the movement where it is one. */
  | { readonly kind: 'acked'; readonly as: string; readonly movement?: Movement }
  | { readonly kind: 'refused'; readonly refusal: Refusal | { readonly code: 'not-found' } }
  /** Nothing definite: no answer, or one that asks to come again. */
  | { readonly kind: 'open' };

/** One sending of a request and what came of it. */
export interface Sending {
  readonly plot: Plot;
  readonly sentAt: Instant;
  readonly sentStep: number;
  readonly answeredAt: Instant;
  readonly verdict: Verdict;
}

export interface Clients {
  readonly sendings: readonly Sending[];
  /** The counts that were opened, by the keys that opened them. */
  readonly counts: ReadonlyMap<string, CountId>;
  readonly areDone: () => boolean;
  /** Asks once more for everything that was acknowledged. */
  readonly askAgain: () => void;
}

type Answer = ActionAnswer | NotFound | ReceiptAnswer | OrderAnswer | CountAnswer | LineAnswer;

/** @param pick a process that is alive. */
export function startClients(
  stage: Stage,
  plots: readonly Plot[],
  pick: () => Process,
  report: (defect: unknown) => void,
): Clients {
  const sendings: Sending[] = [];
  const counts = new Map<string, CountId>();
  const timer = stage.timer();
  let working = 0;

  function work(job: () => Promise<unknown>): void {
    working += 1;
    job()
      .catch(report)
      .finally(() => (working -= 1));
  }

  async function send(plot: Plot): Promise<Verdict> {
    await stage.turn();
    const process = pick();
    const [sentAt, sentStep] = [stage.clock.now, stage.steps()];
    stage.note(() => `client ${plot.client} asks ${process.life.name}: ${toldOf(plot)}`);
    const answer = await unlessDead(process, () => ask(process, plot, counts));
    const verdict: Verdict = answer === undefined ? { kind: 'open' } : verdictOf(answer);
    if (answer?.kind === 'count') counts.set(plot.key, answer.count.id);
    stage.note(
      () => `client ${plot.client} learns of ${plot.key}: ${toldVerdict(verdict, answer)}`,
    );
    sendings.push({ plot, sentAt, sentStep, answeredAt: stage.clock.now, verdict });
    return verdict;
  }

  async function pursue(plot: Plot): Promise<void> {
    while ((await send(plot)).kind === 'open') await timer.pause(stage.random.below(400));
  }

  async function live(own: readonly Plot[]): Promise<void> {
    for (const plot of own) {
      if ('of' in plot.asked && isOfCount(plot.asked) && !counts.has(plot.asked.of)) continue;
      await Promise.all(Array.from({ length: plot.copies }, () => pursue(plot)));
    }
  }

  for (const client of new Set(plots.map((plot) => plot.client))) {
    work(() => live(plots.filter((plot) => plot.client === client)));
  }
  return {
    sendings,
    counts,
    areDone: () => working === 0,
    askAgain: () => {
      const acked = sendings.filter(({ verdict }) => verdict.kind === 'acked');
      for (const plot of new Set(acked.map((sending) => sending.plot))) work(() => pursue(plot));
    },
  };
}

function isOfCount(asked: Asked): boolean {
  return ['count-line', 'close-count', 'cancel-count'].includes(asked.kind);
}

/** undefined where the process dies on it. A defect of the service is thrown. */
function unlessDead(process: Process, work: () => Promise<Answer>): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    process.life.onDeath(() => {
      resolve(undefined);
    });
    work().then((answer) => {
      if (process.life.isAlive()) resolve(answer);
    }, reject);
  });
}

function ask(process: Process, plot: Plot, counts: ReadonlyMap<string, CountId>): Promise<Answer> {
  const { asked, key } = plot;
  switch (asked.kind) {
    case 'move':
      return process.inventory.post({
        ...enveloped(plot),
        sku: sku(asked.sku),
        change: asked.change,
      });
    case 'undo':
      return process.inventory.reverse({ ...enveloped(plot), original: actionId(asked.of) });
    case 'receive': {
      const lines = asked.lines.map(([line, at, units]): AskedLine => ({
        line,
        location: place(at),
        quantity: quantity(units),
      }));
      return process.receiving.receive({ ...ofOrder(key, asked), lines });
    }
    case 'send-back':
      return process.receiving.reverse({ ...ofOrder(key, asked), receipt: receiptOfKey(asked.of) });
    case 'open-count': {
      const scope = { locations: asked.places.map(place), skus: asked.skus.map(sku) };
      return process.counts.open({ ...enveloped(plot), ...scope, isBlind: false });
    }
    case 'count-line': {
      const pair = { sku: sku(asked.sku), location: place(asked.place) };
      const id = countOf(counts, asked.of);
      return process.counts.putLine({
        ...enveloped(plot),
        id,
        ...pair,
        counted: onHand(asked.counted),
      });
    }
    case 'cancel-count':
      return process.counts.cancel({ ...enveloped(plot), id: countOf(counts, asked.of) });
    case 'end-order':
      return process.purchaseOrders.end(ofOrder(key, asked), asked.standing);
    case 'define': {
      const barcodes = (asked.codes ?? []).map((code) => ({ code }));
      const defined = { ...definition, description: asked.description, barcodes };
      const change = { type: 'define', definition: defined } as const;
      return process.inventory.post({ ...enveloped(plot), sku: sku(asked.sku), change });
    }
    case 'close-count':
      return process.counts.close({ ...enveloped(plot), id: countOf(counts, asked.of) });
  }
}

function countOf(counts: ReadonlyMap<string, CountId>, key: string): CountId {
  const id = counts.get(key);
  if (id === undefined) throw new TypeError(`${key} has opened no count`);
  return id;
}

function enveloped({
  key,
  asked,
  note,
}: Plot): Omit<Action, 'sku' | 'change'> & { readonly actionId: ActionId } {
  const operation = asked.kind;
  return {
    actionId: actionId(key),
    actor,
    operation,
    digest: requestDigest(operation, {}, asked),
    ...(note === undefined ? {} : { note }),
  };
}

function ofOrder(key: string, asked: Asked) {
  return envelope(asked.kind, orderNumber, key, asked);
}

function verdictOf(answer: Answer): Verdict {
  switch (answer.kind) {
    case 'moved':
      return { kind: 'acked', as: stable(answer.movement), movement: answer.movement };
    case 'receipt':
      return { kind: 'acked', as: answer.receipt.id };
    case 'count':
      return { kind: 'acked', as: answer.count.id };
    case 'line':
      return { kind: 'acked', as: stable(answer.line) };
    case 'refused':
      return answer;
    case 'not-found':
      return { kind: 'refused', refusal: { code: 'not-found' } };
    case 'unavailable':
      return { kind: 'open' };
    case 'defined':
      return { kind: 'acked', as: stable(answer.defined) };
    case 'order':
      return { kind: 'acked', as: stable(answer.order) };
  }
}

export function stable(value: unknown): string {
  return safeStableStringify(value) ?? '';
}

function toldOf({ key, asked }: Plot): string {
  return `${key} = ${JSON.stringify(asked)}`;
}

function toldVerdict(verdict: Verdict, answer: Answer | undefined): string {
  switch (verdict.kind) {
    case 'acked':
      return verdict.movement === undefined ? 'done' : `done, #${verdict.movement.ordinal}`;
    case 'refused':
      return `refused, ${verdict.refusal.code}`;
    case 'open':
      return answer === undefined ? 'nothing, the process is gone' : 'nothing in time';
  }
}
