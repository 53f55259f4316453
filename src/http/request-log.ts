/** One line a request: what was asked, by whom, what came of it and how long it took. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger, LoggerOptions } from 'pino';

/** What is learned of a request on its way; the line shows it at the end. */
export interface RequestRecord {
  readonly requestId: string;
  /** The path of the table's endpoint; nothing of the caller's path is logged. */
  route?: string;
  actor?: string;
  keyId?: string;
  /** Those of the key, where it has warehouses of its own. */
  warehouses?: readonly string[];
  /** Those that such a key touched or asked for, beyond its own too. */
  touched?: readonly string[];
  /** The code of the problem that was answered, and what it is due to. */
  code?: string;
  cause?: string;
}

const wellFormedId = /^[A-Za-z0-9._-]{1,128}$/;

/** A caller's own X-Request-Id is kept where it is well-formed, so that its logs and ours meet. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && wellFormedId.test(sent) ? sent : randomUUID();
}

/** A request that is over: it was answered, or its caller has left. */
export interface Answered {
  readonly record: RequestRecord;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  /** The connection broke before the answer was out. */
  readonly cutShort: boolean;
}

export function whenDone(
  request: IncomingMessage,
  response: ServerResponse,
  record: RequestRecord,
  tell: (answered: Answered) => void,
): void {
  const startedAt = performance.now();
  response.once('close', () => {
    const { method = '' } = request;
    const ms = performance.now() - startedAt;
    const cutShort = !response.writableFinished;
    tell({ record, method, status: response.statusCode, ms, cutShort });
  });
}

export function logTo(logger: Logger): (answered: Answered) => void {
  return ({ record, method, status, ms, cutShort }) => {
    const rounded = Math.round(ms * 10) / 10;
    const line = { method, status, ms: rounded, ...(cutShort ? { cutShort } : {}) };
    logger.info({ ...record, ...line }, 'request');
  };
}

/**
 * For the logger of the process: no secret of a caller stands in a line, whoever logs a header, and
 * none of its own.
 */
export function loggerOptions(level: string, mask: (text: string) => string): LoggerOptions {
  const paths = ['', 'headers.', '*.', '*.headers.'].map((place) => `${place}authorization`);
  return { level, redact: { paths, censor: '[redacted]' }, hooks: { streamWrite: mask } };
}
