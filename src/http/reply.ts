/** What an endpoint answers: a value. respond.ts is the one place that writes it. */
import type { Page, QueryAnswer, Refused, Unavailable } from '../inventory/answer.ts';
import type { ShownAnswer } from '../inventory/keyed-answer.ts';
import type { List } from './cursor.ts';
import { writeCursor } from './cursor.ts';
import type { Problem } from './problem.ts';
import { refusalProblem, unavailable } from './problem.ts';

export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly kind: 'answer';
  readonly status: 200 | 201 | 202;
  readonly body: unknown;
  readonly headers?: Headers;
}

export interface ProblemReply {
  readonly kind: 'problem';
  readonly problem: Problem;
}

/** Text that is made while it is sent. */
export interface StreamReply {
  readonly kind: 'stream';
  readonly headers: Headers;
  readonly text: AsyncIterable<string>;
}

/** Text that is there already, of a media type of its own. */
export interface TextReply {
  readonly kind: 'text';
  readonly mediaType: string;
  readonly text: string;
  readonly headers?: Headers;
}

export type Reply =
  | Answer
  | TextReply
  | ProblemReply
  | StreamReply
  | { readonly kind: 'empty'; readonly status: 204; readonly headers: Headers };

export function problem(value: Problem): ProblemReply {
  return { kind: 'problem', problem: value };
}

export function found(body: unknown, headers: Headers = {}): Answer {
  return { kind: 'answer', status: 200, body, headers };
}

export const notFound = problem({ code: 'not-found', detail: 'Nothing is found under this name.' });

/** The first answer of a change says whether something was made; a repeat says that it is one. */
export function changed(
  body: unknown,
  outcome: { readonly created: boolean; readonly replayed: boolean },
  headers: Headers = {},
): Answer {
  if (outcome.replayed) return found(body, { ...headers, 'Idempotent-Replayed': 'true' });
  return { kind: 'answer', status: outcome.created ? 201 : 200, body, headers };
}

export function declined(answer: Refused | Unavailable): ProblemReply {
  return problem(answer.kind === 'refused' ? refusalProblem(answer.refusal) : unavailable(answer));
}

/** Of a change that may be made twice without harm. */
export function shown(answer: ShownAnswer): Reply {
  switch (answer.kind) {
    case 'shown':
      return changed(answer.body, answer);
    case 'not-found':
      return notFound;
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

export function queried<T>(answer: QueryAnswer<T>, show: (value: T) => Answer): Reply {
  switch (answer.kind) {
    case 'ok':
      return show(answer.value);
    case 'not-found':
      return notFound;
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

/** @param place of an entry in the list, by which the next page begins after it. */
export function pageOf<T, P>(
  page: Page<T>,
  list: List<P>,
  place: (item: T) => P,
  show: (item: T) => unknown,
  headers: Headers = {},
): Answer {
  const last = page.last ?? page.items.at(-1);
  const nextCursor = page.more && last !== undefined ? writeCursor(list, place(last)) : null;
  return found({ items: page.items.map(show), nextCursor }, headers);
}
