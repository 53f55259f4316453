/** What an engine's supervisor and its users say to each other: one JSON document a line. */
import type { Socket } from 'node:net';

export type EngineKind = 'documentdb' | 'memory-server';

/** How to reach a running engine. */
export interface EngineAddress {
  readonly kind: EngineKind;
  readonly uri: string;
  readonly postgresUrl?: string;
  /** The supervisor, as the machine's process table knows it. */
  readonly pid: number;
}

export type Report =
  | { readonly type: 'ready'; readonly engine: EngineAddress }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'refused'; readonly id: number; readonly message: string };

export type Ask = 'kill-database' | 'await-database' | 'leave';

export interface AskMessage {
  readonly ask: Ask;
  readonly id: number;
}

export function send(socket: Socket, message: Report | AskMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * Calls `take` with every line's document, and hangs up on whoever sends anything else. The socket's
 * errors are its owner's to handle.
 */
export function receive(socket: Socket, take: (message: unknown) => void): void {
  let pending = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    const lines = `${pending}${String(text)}`.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const message = parse(line);
      if (message === undefined) socket.destroy();
      else take(message);
    }
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function isAsk(value: unknown): value is AskMessage {
  return (
    isRecord(value) &&
    typeof value['id'] === 'number' &&
    (value['ask'] === 'kill-database' ||
      value['ask'] === 'await-database' ||
      value['ask'] === 'leave')
  );
}

export function isReport(value: unknown): value is Report {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'ready':
      return isEngineAddress(value['engine']);
    case 'failed':
      return typeof value['message'] === 'string';
    case 'done':
      return typeof value['id'] === 'number';
    case 'refused':
      return typeof value['id'] === 'number' && typeof value['message'] === 'string';
    default:
      return false;
  }
}

function isEngineAddress(value: unknown): value is EngineAddress {
  return (
    isRecord(value) &&
    (value['kind'] === 'documentdb' || value['kind'] === 'memory-server') &&
    typeof value['uri'] === 'string' &&
    typeof value['pid'] === 'number' &&
    (value['postgresUrl'] === undefined || typeof value['postgresUrl'] === 'string')
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
