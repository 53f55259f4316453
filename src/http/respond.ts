/** The one place that writes responses. */
import type { ServerResponse } from 'node:http';
import { problemDocument, statusOf } from './problem.ts';
import type { Headers, Reply } from './reply.ts';
import { sendText } from './stream.ts';

/**
 * No entity tag is compared here: an ETag names a version to change, while what is shown also
 * depends on the clock, so "not modified" would be untrue.
 *
 * @param onBroken is told why the rest of an answer that comes bit by bit does not come.
 */
export function respond(
  response: ServerResponse,
  reply: Reply,
  requestId: string,
  onBroken: (cause: string) => void,
): void {
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('Cache-Control', 'no-store');
  switch (reply.kind) {
    case 'answer':
      writeJson(response, reply.status, 'application/json', reply.body, reply.headers);
      return;
    case 'text':
      write(response, 200, reply.mediaType, reply.text, reply.headers);
      return;
    case 'problem': {
      const { problem } = reply;
      const document = problemDocument(problem, requestId);
      writeJson(response, statusOf(problem), 'application/problem+json', document, problem.headers);
      return;
    }
    case 'stream':
      response.writeHead(200, reply.headers);
      if (response.req.method === 'HEAD') response.end();
      else void sendText(response, reply.text, onBroken);
      return;
    case 'empty':
      response.writeHead(reply.status, reply.headers).end();
      return;
  }
}

function writeJson(
  response: ServerResponse,
  status: number,
  mediaType: string,
  body: unknown,
  headers: Headers = {},
): void {
  write(response, status, mediaType, JSON.stringify(body), headers);
}

function write(
  response: ServerResponse,
  status: number,
  mediaType: string,
  text: string,
  headers: Headers = {},
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': mediaType,
    'Content-Length': Buffer.byteLength(text),
  });
  // As text it leaves in one write with the head; bytes would be a write of their own.
  response.end(text);
}
