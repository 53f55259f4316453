/** A caller of the service: requests by fetch, or byte for byte where fetch is too well-behaved. */
import { connect } from 'node:net';
import { z } from 'zod';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined where there is none. */
  readonly body: unknown;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is where it is text or bytes, else as JSON. */
  readonly body?: unknown;
  readonly key?: string;
}

export interface Client {
  readonly url: string;
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Reply>;
  readonly get: (path: string) => Promise<Reply>;
  readonly put: (path: string, body: unknown, headers?: Sent['headers']) => Promise<Reply>;
  readonly move: (body: unknown, key?: string) => Promise<Reply>;
  readonly batch: (items: readonly unknown[]) => Promise<Reply>;
}

let keys = 0;

/** A key that nobody used before. */
export function freshKey(): string {
  keys += 1;
  return `key-${process.pid}-${keys}-${Math.random().toString(36).slice(2)}`;
}

/** @param url asked for with each request, since a service gets its address when it starts. */
export function clientOf(url: () => string, secret: string): Client {
  const send = async (method: string, path: string, sent: Sent = {}): Promise<Reply> => {
    const { body, key, headers = {} } = sent;
    const response = await fetch(url() + path, {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...headers,
      },
      ...(body !== undefined && { body: bytesOf(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    get url() {
      return url();
    },
    send,
    get: (path) => send('GET', path),
    put: (path, body, headers = {}) => send('PUT', path, { body, headers }),
    move: (body, key = freshKey()) => send('POST', '/v1/movements', { body, key }),
    batch: (items) => send('POST', '/v1/movements/batch', { body: { items } }),
  };
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

/** Writes the bytes to a connection of its own. @returns all that comes back until it closes. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    socket.on('error', reject);
  });
}

/** A raw request that closes its connection after the answer. */
export function rawRequest(head: readonly string[], secret: string, body = ''): string {
  const [requestLine = '', ...headers] = head;
  const lines = [
    requestLine,
    'Host: stockroom.test',
    'Connection: close',
    `Authorization: Bearer ${secret}`,
    ...headers,
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  instance: z.string(),
  code: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** The problem that a reply is, with everything that every problem has. */
export function problemOf(reply: Reply): z.output<typeof problemSchema> {
  const problem = problemSchema.parse(reply.body);
  const mediaType = reply.headers.get('content-type');
  if (mediaType !== 'application/problem+json') throw new Error(`a problem as ${mediaType ?? ''}`);
  if (problem.status !== reply.status) throw new Error('a problem with another status');
  return problem;
}

/** Status and code, which is what a program goes by. */
export function outcomeOf(reply: Reply): string {
  return reply.status < 400 ? String(reply.status) : `${reply.status} ${problemOf(reply).code}`;
}

const pageSchema = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  nextCursor: z.string().nullable(),
});

/** One page of a list. */
export function pageOf(reply: Reply): z.output<typeof pageSchema> {
  return pageSchema.parse(reply.body);
}
