/** The service over HTTP. Sends again, under the same key, until it has a definite answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { KeyedRequest } from './requests.ts';
import { isPassing, pauseMs } from './retry.ts';
import { ReplayStopped } from './stopped.ts';

export type Reply =
  | {
      readonly kind: 'done';
      readonly status: number;
      readonly body: unknown;
      readonly replayed: boolean;
      /** How often the request was sent beyond the first time. */
      readonly retries: number;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly detail: string;
      readonly retries: number;
    };

export interface ServiceClient {
  readonly send: (request: KeyedRequest, signal: AbortSignal) => Promise<Reply>;
  readonly get: (path: string, signal: AbortSignal) => Promise<Reply>;
}

interface Attempt {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const attemptTimeoutMs = 15_000;
/** Long enough for a service or its database to be started again under the load. */
const giveUpAfterMs = 120_000;

/** @param patienceMs how long one request is sent again before the run stops. */
export function serviceClient(
  url: string,
  apiKey: string,
  patienceMs = giveUpAfterMs,
): ServiceClient {
  const send = (request: KeyedRequest, signal: AbortSignal) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': request.key,
    };
    const { method, path } = request;
    const body = JSON.stringify(request.body);
    return untilDefinite(new URL(path, url), { method, headers, body }, patienceMs, signal);
  };
  const get = (path: string, signal: AbortSignal) =>
    untilDefinite(
      new URL(path, url),
      { method: 'GET', headers: { authorization: `Bearer ${apiKey}` } },
      patienceMs,
      signal,
    );
  return { send, get };
}

/**
 * @returns whether the service is ready; one that waits for its database will be, later.
 * @throws ReplayStopped where nobody listens.
 */
export async function probe(url: string, signal: AbortSignal): Promise<boolean> {
  const answer = await attempt(new URL('/readyz', url), { method: 'GET' }, signal);
  if (answer instanceof Error) {
    throw new ReplayStopped(
      `No service answers at ${url}: ${answer.message}.\n` +
        'Start one with `npm start` in another terminal, or name its address with --url.',
    );
  }
  return answer.status === 200;
}

async function untilDefinite(
  url: URL,
  init: RequestInit,
  patienceMs: number,
  signal: AbortSignal,
): Promise<Reply> {
  const deadline = performance.now() + patienceMs;
  for (let sent = 1; ; sent += 1) {
    const answer = await attempt(url, init, signal);
    if (!(answer instanceof Error) && !isPassing(answer.status)) return replyOf(answer, sent - 1);
    const retryAfter = answer instanceof Error ? null : answer.headers.get('retry-after');
    const waitMs = pauseMs(sent, retryAfter, Math.random(), Date.now());
    if (performance.now() + waitMs > deadline) {
      const last = answer instanceof Error ? answer.message : statusLine(answer);
      throw new ReplayStopped(
        `${init.method ?? 'GET'} ${url.pathname} has no answer after ${sent} attempts; the last: ${last}\n` +
          'Run the same command again: what was applied is recognised and not applied twice.',
      );
    }
    await pause(waitMs, undefined, { signal });
  }
}

/** One exchange, with the whole answer read; an Error is a broken connection or a timeout. */
async function attempt(url: URL, init: RequestInit, signal: AbortSignal): Promise<Attempt | Error> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]);
    // A redirect would carry the key to another address.
    const response = await fetch(url, { ...init, signal: limit, redirect: 'manual' });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  } catch (error) {
    signal.throwIfAborted();
    return new Error(causeOf(error));
  }
}

/** fetch says only "fetch failed"; what went wrong stands in its cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = z.object({ code: z.string() }).safeParse(cause);
  if (code.success) return code.data.code;
  return cause instanceof Error ? cause.message : error.message;
}

const problemBody = z.object({ code: z.string(), detail: z.string().default('') });

function statusLine({ status, text }: Attempt): string {
  const { code, detail } = problemBody.catch({ code: '', detail: '' }).parse(jsonOf(text));
  return `status ${status} ${code} ${detail}`.trimEnd();
}

function replyOf({ status, headers, text }: Attempt, retries: number): Reply {
  const body = jsonOf(text);
  if (status >= 200 && status < 300) {
    const replayed = headers.get('idempotent-replayed') === 'true';
    return { kind: 'done', status, body, replayed, retries };
  }
  const problem = problemBody.catch({ code: `status-${status}`, detail: '' }).parse(body);
  if (status === 401 || status === 403) {
    throw new ReplayStopped(
      `The service turns the API key away (${status} ${problem.code}). ` +
        'Give the key of a back office or an admin with --key or STOCKROOM_API_KEY.',
    );
  }
  return { kind: 'refused', status, ...problem, retries };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
