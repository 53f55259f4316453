/**
 * Keyed requests whose effect may be repeated without harm: the claim, the effect, and what was
 * shown of it, kept for repeats.
 *
 * A crash between effect and kept answer lets a repeat have the effect again. Where that would
 * undo what others did meanwhile, this is not the way.
 */
import type { NotFound, Refused, Unavailable } from './answer.ts';
import type { KeyedRequest } from './keyed-request.ts';
import { claim, isCallers, lookUpClaim, untilAnswered } from './keyed-request.ts';
import type { ActionStore, AnswerStore, ClaimSubject, Timer, Unknown } from './ports.ts';

export interface KeyedPorts {
  readonly actions: ActionStore;
  readonly answers: AnswerStore;
  readonly timer: Timer;
}

export interface Shown {
  readonly kind: 'shown';
  readonly body: unknown;
  readonly created: boolean;
}

export type ShownAnswer =
  (Shown & { readonly replayed: boolean }) | NotFound | Refused | Unavailable;

/** @param effect has its effect, or has it already. */
export function shownOnce(
  ports: KeyedPorts,
  deadlineMilliseconds: number,
  request: KeyedRequest,
  subject: ClaimSubject,
  effect: () => Promise<Shown | NotFound | Unknown>,
): Promise<ShownAnswer> {
  const { actions, answers, timer } = ports;
  const { actionId } = request;
  return untilAnswered<ShownAnswer>(timer, deadlineMilliseconds, async (progress) => {
    const found = await lookUpClaim(actions, request);
    if (found.kind === 'unknown' || found.kind === 'refused') return found;
    if (found.kind === 'found') {
      const kept = await answers.find(actionId);
      if (kept.kind === 'unknown') return kept;
      if (kept.kind === 'found' && kept.value.kind === 'reminder') {
        const body: unknown = JSON.parse(kept.value.shown);
        return { kind: 'shown', body, created: false, replayed: !progress.mayHaveWritten };
      }
    } else {
      const claimed = await claim(actions, request, subject, progress);
      if (claimed.kind !== 'recorded') return claimed;
    }
    const shown = await effect();
    if (shown.kind !== 'shown') return shown;
    if (isCallers(actionId)) {
      const text = JSON.stringify(shown.body);
      progress.mayHaveWritten = true;
      const kept = await answers.keep({ actionId, kind: 'reminder', shown: text });
      if (kept.kind === 'unknown') return kept;
    }
    return { ...shown, replayed: false };
  });
}
