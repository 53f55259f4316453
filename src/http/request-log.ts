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

export function logWhenDone(
  logger: Logger,
  request: IncomingMessage,
  response: ServerResponse,
  record: RequestRecord,
): void {
  const startedAt = performance.now();
  response.once('close', () => {
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const cutShort = response.writableFinished ? {} : { cutShort: true };
    const line = { method: request.method, status: response.statusCode, ms, ...cutShort };
    logger.info({ ...record, ...line }, 'request');
  });
}

/** For the logger of the process: no secret of a caller stands in a line, whoever logs a header. */
export function loggerOptions(level: string): LoggerOptions {
  const paths = ['', 'headers.', '*.', '*.headers.'].map((place) => `${place}authorization`);
  return { level, redact: { paths, censor: '[redacted]' } };
}
