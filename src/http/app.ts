/**
 * The application: from a request to the one reply. The path is looked up first, since the routes
 * are public; then the key is judged, before anything of the body is read.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import express from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { WarehouseId } from '../domain/ids.ts';
import type { Authenticate, Principal } from './auth.ts';
import { forbidden } from './auth.ts';
import { docsFiles, docsPath } from './docs.ts';
import type { Endpoint, KeyedEndpoint } from './endpoint.ts';
import type { Gate, Limits } from './gate.ts';
import { createGate } from './gate.ts';
import { mayDo } from './permissions.ts';
import type { Problem } from './problem.ts';
import type { Reply } from './reply.ts';
import { notFound, problem } from './reply.ts';
import type { Answered, RequestRecord } from './request-log.ts';
import { logTo, requestIdOf, whenDone } from './request-log.ts';
import { respond } from './respond.ts';
import { allowed, byPath } from './routes.ts';
import { touching } from './touched.ts';

export interface AppParts {
  readonly table: readonly Endpoint[];
  /** The same operations, as a key with warehouses of its own may have them. */
  readonly tableWithin: (warehouses: readonly WarehouseId[]) => readonly Endpoint[];
  readonly authenticate: Authenticate;
  readonly limits: Limits;
  /** Whose word is taken for the address of a caller, as Express reads `trust proxy`. */
  readonly trustProxy: number | readonly string[];
  readonly logger: Logger;
  /** Is told of each request once it is over. */
  readonly onAnswered: (answered: Answered) => void;
  /** The web console, where it has been built. */
  readonly files?: RequestHandler | undefined;
}

export function createApp(parts: AppParts): RequestListener {
  const { table, tableWithin, authenticate, limits, trustProxy, logger, onAnswered, files } = parts;
  const records = new WeakMap<IncomingMessage, RequestRecord>();
  const app = strictExpress();
  app.set('trust proxy', trustProxy);
  const gate = createGate(authenticate, limits);
  const log = logTo(logger);
  const secure = helmet();
  for (const [path, served] of byPath(table)) {
    app.all(expressPath(path), async (request: Request, response: Response) => {
      const record = recordOf(records, request);
      record.route = path;
      const reply = await serve({ served, tableWithin }, gate, { request, response, record });
      finish(response, reply, record);
    });
  }
  app.use(docsPath, docsFiles());
  if (files !== undefined) app.use(files);
  // What Express leaves unanswered comes back here, an unreadable request target included.
  const route: (
    request: IncomingMessage,
    response: ServerResponse,
    unanswered: (error?: unknown) => void,
  ) => void = app;
  return (request, response) => {
    const record: RequestRecord = { requestId: requestIdOf(request) };
    records.set(request, record);
    whenDone(request, response, record, (answered) => {
      log(answered);
      onAnswered(answered);
    });
    const unanswered = (error?: unknown) => {
      if (response.headersSent) {
        // Part of an answer is out; only a broken connection tells that the rest never comes.
        response.destroy();
        return;
      }
      const reply = error === undefined ? notFound : problem(failure(error));
      if (reply.problem.code === 'internal') {
        logger.error({ err: error, requestId: record.requestId }, 'unexpected');
      }
      finish(response, reply, record);
    };
    secure(request, response, () => {
      route(request, response, unanswered);
    });
  };
}

/** Exact paths only: another case or a trailing slash is another path. */
function strictExpress(): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  return app;
}

function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function recordOf(
  records: WeakMap<IncomingMessage, RequestRecord>,
  request: IncomingMessage,
): RequestRecord {
  const record = records.get(request);
  if (!record) throw new TypeError('a request without a record');
  return record;
}

function finish(response: ServerResponse, reply: Reply, record: RequestRecord): void {
  if (reply.kind === 'problem') {
    record.code = reply.problem.code;
    if (reply.problem.cause !== undefined) record.cause = reply.problem.cause;
  }
  respond(response, reply, record.requestId, (cause) => {
    record.cause = cause;
  });
}

async function serve(
  { served, tableWithin }: Pick<AppParts, 'tableWithin'> & { readonly served: readonly Endpoint[] },
  gate: Gate,
  call: {
    readonly request: Request;
    readonly response: Response;
    readonly record: RequestRecord;
  },
): Promise<Reply> {
  const { request, response, record } = call;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const endpoint = served.find((candidate) => candidate.method === method);
  if (!endpoint) return otherMethod(request.method, allowed(served));
  if (endpoint.access === 'open') return endpoint.serve();
  const passed = await gate(request);
  if (passed.kind === 'turned-away') return problem(passed.problem);
  const { principal, work } = passed;
  try {
    record.actor = principal.actor;
    if (principal.keyId !== undefined) record.keyId = principal.keyId;
    if (principal.warehouses !== undefined) record.warehouses = principal.warehouses;
    if (!mayDo(principal.role, `${endpoint.method} ${endpoint.path}`)) {
      return problem(forbidden(principal.role));
    }
    const own = ownEndpoint(endpoint, principal, tableWithin);
    const incoming = { request, response, principal, requestId: record.requestId };
    // Following a request through what awaits costs every other one, so only where it is told of.
    return await (principal.warehouses === undefined
      ? own.serve(incoming)
      : touching(record, () => own.serve(incoming)));
  } finally {
    work.end();
  }
}

function ownEndpoint(
  endpoint: KeyedEndpoint,
  { warehouses }: Principal,
  tableWithin: AppParts['tableWithin'],
): KeyedEndpoint {
  if (warehouses === undefined) return endpoint;
  const { method, path } = endpoint;
  const own = tableWithin(warehouses).find((one) => one.method === method && one.path === path);
  if (own?.access !== 'key') throw new TypeError(`${method} ${path} is missing within warehouses`);
  return own;
}

function otherMethod(method: string, allow: string): Reply {
  const headers = { Allow: allow };
  if (method === 'OPTIONS') return { kind: 'empty', status: 204, headers };
  return problem({ code: 'method-not-allowed', detail: `Allowed here: ${allow}.`, headers });
}

function failure(error: unknown): Problem {
  if (error instanceof URIError) {
    return { code: 'malformed-path', detail: 'The path is not percent-encoded UTF-8.' };
  }
  return { code: 'internal', detail: 'The service failed; the request may be sent again.' };
}
