/**
 * The gateway: MongoDB's wire protocol in front of DocumentDB's SQL functions.
 *
 * 1. One client's commands run in the order they came, each exactly once; nothing is sent again.
 * 2. A command is answered only with what the engine said about it. Where that is unknown, the
 *    client's socket is dropped instead, so that a lost answer looks lost.
 * 3. A client that goes away ends the statement that runs for it.
 * 4. While the database is down every connection is dropped at once.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { handlerOf } from './command-table.ts';
import { readCommand } from './commands.ts';
import { createCursorTable } from './cursors.ts';
import type { ClientContext } from './engine-calls.ts';
import { createFrameReader } from './frames.ts';
import { encodeReply, parseMessage, type Request } from './messages.ts';
import { MalformedDocument } from './raw-document.ts';
import { asCommandError, errorReply, OutcomeUnknown } from './replies.ts';
import { createSessionPool } from './sessions.ts';

export interface GatewayOptions {
  readonly postgresUrl: string;
  readonly maxSessions: number;
  /** 0, or absent, for any free port. */
  readonly port?: number;
  /** Takes what a developer should see; the client sees only a dropped socket. */
  readonly log?: (message: string) => void;
}

export interface Gateway {
  readonly port: number;
  /** Tells the gateway that the database came or went. */
  setAvailable(isAvailable: boolean): void;
  close(): Promise<void>;
}

/** Requests of one client that may wait in memory before its socket is no longer read. */
const MAX_WAITING_REQUESTS = 16;

/** Starts a gateway on loopback. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const log = options.log ?? (() => undefined);
  const pool = createSessionPool(options.postgresUrl, options.maxSessions);
  const cursors = createCursorTable(Math.ceil(options.maxSessions / 2));
  const sockets = new Set<Socket>();
  let isAvailable = true;
  let lastConnectionId = 0;

  const server = createServer({ noDelay: true }, (socket) => {
    if (!isAvailable) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    lastConnectionId += 1;
    serveClient(socket, { connectionId: lastConnectionId, pool, cursors }, log);
  });
  const dropClients = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const port = await listen(server, options.port ?? 0);

  return {
    port,
    setAvailable: (available) => {
      isAvailable = available;
      if (available) return;
      dropClients();
      pool.discardAll();
    },
    close: async () => {
      isAvailable = false;
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      dropClients();
      cursors.close();
      pool.discardAll();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', reject);
      const address: AddressInfo | string | null = server.address();
      if (address === null || typeof address === 'string') {
        reject(new Error('the gateway has no port'));
      } else {
        resolve(address.port);
      }
    });
  });
}

function serveClient(
  socket: Socket,
  shared: Omit<ClientContext, 'signal'>,
  log: (message: string) => void,
): void {
  const gone = new AbortController();
  const context: ClientContext = { ...shared, signal: gone.signal };
  const readFrames = createFrameReader();
  const waiting: Request[] = [];
  let isRunning = false;

  const drop = (reason: unknown): void => {
    if (!socket.destroyed) log(`dropped a client: ${describe(reason)}`);
    socket.destroy();
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
      await answer(socket, request, context);
      if (socket.destroyed) return;
      if (waiting.length < MAX_WAITING_REQUESTS) socket.resume();
    }
    isRunning = false;
  };

  socket.on('data', (chunk: Buffer) => {
    try {
      waiting.push(...readFrames(chunk).map(parseMessage));
    } catch (error) {
      drop(error);
      return;
    }
    if (waiting.length >= MAX_WAITING_REQUESTS) socket.pause();
    if (!isRunning) run().catch(drop);
  });
  socket.on('error', drop);
  socket.on('close', () => {
    gone.abort();
  });
}

let lastResponseId = 0;

async function answer(socket: Socket, request: Request, context: ClientContext): Promise<void> {
  const reply = await execute(request, context);
  if (!request.wantsReply || socket.destroyed) return;
  lastResponseId = (lastResponseId + 1) & 0x7fffffff;
  socket.cork();
  for (const part of encodeReply(request, lastResponseId, reply)) socket.write(part);
  socket.uncork();
}

/** The reply to a request; throws where only a dropped socket tells the truth. */
async function execute(request: Request, context: ClientContext): Promise<Buffer> {
  try {
    const command = readCommand(request);
    return await handlerOf(command)(command, context);
  } catch (error) {
    if (error instanceof MalformedDocument) throw error;
    const known = asCommandError(error);
    if (known instanceof OutcomeUnknown) throw known;
    return errorReply(known);
  }
}

function describe(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return reason.cause instanceof Error
    ? `${reason.message}: ${reason.cause.message}`
    : reason.message;
}
