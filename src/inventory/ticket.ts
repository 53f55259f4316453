/** A request on its way through the mutation path. */
import type { Action } from '../domain/action.ts';
import type { ActionAnswer, Unavailable } from './answer.ts';
import type { Claim, Timer, Unknown, WindowExtent } from './ports.ts';

export interface Ticket {
  readonly action: Action;
  /** Answers the caller, once; further calls change nothing. */
  readonly settle: (answer: ActionAnswer) => void;
  /** Tells the caller of a defect of the service. */
  readonly fail: (defect: unknown) => void;
  readonly settled: () => boolean;
  claim: TicketClaim;
  /** The action is known not to be among the ordinals 1 to this one. */
  absentThrough: number;
  /** A write of this request landed, or its answer was lost: the effect may be its own. */
  mayHaveWritten: boolean;
  /** It is written, and its ledger entry is under way; its answer follows that. */
  isEntering: boolean;
}

export type TicketClaim =
  | { readonly kind: 'none' }
  /** This very attempt made the claim: nothing older can carry the action. */
  | { readonly kind: 'fresh' }
  /** It was there before; an earlier attempt may have had its effect. */
  | { readonly kind: 'standing' };

/** What became of an attempt; requests that are still open after it go into the next. */
export type Attempt = { readonly kind: 'settled' } | { readonly kind: 'lost' } | Unknown;

export function unavailable(cause: string): Unavailable {
  return { kind: 'unavailable', retryAfterSeconds: 1, cause };
}

/** @param issue puts the ticket on its way; the promise has the answer by the deadline. */
export function answered(
  timer: Timer,
  deadlineMilliseconds: number,
  action: Action,
  issue: (ticket: Ticket) => void,
): Promise<ActionAnswer> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const once =
      <A>(then: (argument: A) => void) =>
      (argument: A): void => {
        if (settled) return;
        settled = true;
        callOff();
        then(argument);
      };
    const settle = once(resolve);
    const callOff = timer.after(deadlineMilliseconds, () => {
      settle(unavailable('the deadline passed before the outcome was known'));
    });
    issue({
      action,
      settle,
      fail: once(reject),
      settled: () => settled,
      claim: { kind: 'none' },
      absentThrough: 0,
      mayHaveWritten: false,
      isEntering: false,
    });
  });
}

/** Whether a window that does not hold the action proves that it was never applied. */
export function isCovered(ticket: Ticket, extent: WindowExtent): boolean {
  return extent.from <= ticket.absentThrough + 1;
}

export function claimOf(action: Action): Claim {
  return {
    actionId: action.actionId,
    digest: action.digest,
    operation: action.operation,
    subject: { kind: 'sku', sku: action.sku },
    ...(action.reference === undefined ? {} : { reference: action.reference }),
    ...(action.note === undefined ? {} : { note: action.note }),
  };
}

/** A claim was there before: for this very request, or the key is another request's. */
export function standBy(ticket: Ticket, claim: Claim): void {
  ticket.claim = { kind: 'standing' };
  if (claim.digest !== ticket.action.digest) {
    ticket.settle({ kind: 'refused', refusal: { code: 'idempotency-key-reused' } });
  }
}

export function stillOpen(tickets: readonly Ticket[]): readonly Ticket[] {
  return tickets.filter((ticket) => !ticket.settled() && !ticket.isEntering);
}
