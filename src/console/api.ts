/** The service's API, as the console asks it. */
import { session, signOut } from './session.ts';
import { texts } from './texts.ts';

/** A problem document (RFC 9457), as far as the console shows it. */
export interface Problem {
  readonly code: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly [member: string]: unknown;
}

/** `unreachable`: nobody knows whether it took effect; the same key asks again. */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly status: number; readonly replayed: boolean; readonly value: T }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly retryAfterSeconds?: number }
  | { readonly kind: 'unreachable' };

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** Made when the action is made, not when it is sent. */
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  /** For a key that is not the session's. */
  readonly key?: string;
  readonly signal?: AbortSignal;
}

const answerWithinMs = 20_000;

/** @param path begins with `/v1/`, its parts percent-encoded. */
export async function ask<T>(path: string, asked: Asked = {}): Promise<Answer<T>> {
  const { method = 'GET', body, signal } = asked;
  const limits = [AbortSignal.timeout(answerWithinMs), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(path, {
      method,
      headers: headersOf(asked),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any(limits),
    });
    return await answerOf<T>(response, asked.key === undefined);
  } catch {
    return { kind: 'unreachable' };
  }
}

const pageSize = 200;

/** Every entry of a list, page after page. */
export async function askAll<T>(path: string, asked: Asked = {}): Promise<Answer<readonly T[]>> {
  const all: T[] = [];
  let cursor: string | null = null;
  for (;;) {
    const answer: Answer<Page<T>> = await ask<Page<T>>(pageOf(path, pageSize, cursor), asked);
    if (answer.kind !== 'ok') return answer;
    all.push(...answer.value.items);
    cursor = answer.value.nextCursor;
    if (cursor === null) return { ...answer, value: all };
  }
}

/** @param path of a list, with its filters. */
export function pageOf(path: string, limit: number, cursor: string | null): string {
  const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${after}`;
}

/** A whole answer in another form than JSON, such as an export. */
export async function askText(path: string, accept: string): Promise<Answer<string>> {
  try {
    const headers = { ...headersOf({}), Accept: accept };
    const response = await fetch(path, { headers });
    if (!response.ok) return await answerOf<string>(response, true);
    return { kind: 'ok', status: response.status, replayed: false, value: await response.text() };
  } catch {
    return { kind: 'unreachable' };
  }
}

function headersOf({ body, idempotencyKey, ifMatch, key }: Asked): Record<string, string> {
  return {
    Authorization: `Bearer ${key ?? session.value?.key ?? ''}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  };
}

/** The service is trusted to answer as its OpenAPI document says. */
async function answerOf<T>(response: Response, isSessions: boolean): Promise<Answer<T>> {
  if (response.ok) {
    const value = (await response.json()) as T;
    const replayed = response.headers.get('Idempotent-Replayed') === 'true';
    return { kind: 'ok', status: response.status, replayed, value };
  }
  if (response.status === 401 && isSessions) signOut();
  const retryAfter = Number(response.headers.get('Retry-After'));
  const problem = (await response.json()) as Problem;
  return {
    kind: 'problem',
    problem,
    ...(retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}),
  };
}

/** A problem in words that say what to do next. */
export function explained(answer: Exclude<Answer<unknown>, { kind: 'ok' }>): string {
  return answer.kind === 'unreachable' ? texts.unreachable : answer.problem.detail;
}
