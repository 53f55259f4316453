/** The server: its time limits, and how it stops without cutting off what is under way. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface HttpOptions {
  readonly app: RequestListener;
  readonly host: string;
  readonly port: number;
  /** Certificate and key in PEM: then it speaks HTTPS, and nothing else. */
  readonly tls?: Certificate | undefined;
  /** How long a stop goes on letting requests in, so that who sends them learns of it. */
  readonly drainMs?: number;
  readonly timeLimits?: Partial<TimeLimits>;
  /** How long a stop waits for the requests under way. */
  readonly stopWithinMs?: number;
}

export interface RunningHttp {
  readonly address: AddressInfo;
  readonly stop: () => Promise<void>;
}

const usualTimeLimits = {
  headersTimeout: 15_000,
  /** A body of the largest size takes that long on a very slow line. */
  requestTimeout: 30_000,
  /** Longer than the minute for which usual proxies keep a connection, so that they close first. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
} as const;

type TimeLimits = Readonly<Record<keyof typeof usualTimeLimits, number>>;

function serverOf(
  { tls, timeLimits }: Pick<HttpOptions, 'tls' | 'timeLimits'>,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const limits = { ...usualTimeLimits, ...timeLimits };
  if (tls === undefined) return createServer(limits, answer);
  return createSecureServer({ ...limits, ...tls, minVersion: 'TLSv1.2' }, answer);
}

function isTaken(error: Error): boolean {
  return 'code' in error && error.code === 'EADDRINUSE';
}

function taken(host: string, port: number): Error {
  return new Error(
    `Port ${port} of ${host} is in use: set PORT to a free one, or stop what listens there.`,
  );
}

export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { app, host, port, drainMs = 0, stopWithinMs = 10_000 } = options;
  let stopping = false;
  const server = serverOf(options, (request, response) => {
    response.once('close', () => {
      // A connection whose last request has ended during a stop would idle on.
      if (stopping) setImmediate(closeIdle);
    });
    // Its next request goes to another process, rather than to a connection that just closes.
    if (stopping) response.shouldKeepAlive = false;
    app(request, response);
  });
  const closeIdle = (): void => {
    server.closeIdleConnections();
  };
  await new Promise<void>((resolve, reject) => {
    const failed = (error: Error): void => {
      reject(isTaken(error) ? taken(host, port) : error);
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('not a TCP address');

  const stop = async (): Promise<void> => {
    stopping = true;
    if (drainMs > 0) await pause(drainMs);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    closeIdle();
    const force = setTimeout(() => {
      server.closeAllConnections();
    }, stopWithinMs);
    await closed;
    clearTimeout(force);
  };
  return { address, stop };
}
