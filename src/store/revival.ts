/**
 * Connects a client anew when its driver has lost itself.
 *
 * 1. A command whose connection breaks just before it is written never ends (see within-limit.ts).
 *    As an operation it keeps its connection's place in the pool for ever; as a heartbeat it stops
 *    the watch over the server, and no later operation finds one. Neither mends by itself.
 * 2. The driver tells when it begins and ends both. What has not ended long after each of its own
 *    timeouts never will.
 * 3. A client that is closed and connected again is the same client: whatever was under way ends
 *    with an unknown outcome, and whoever asks again is served.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { withinLimit } from './within-limit.ts';

const lookEveryMs = 1_000;
const reconnectAgainMs = 500;

/** @param report is told why a client is connected anew. @returns what ends the watch. */
export function reviveWhenLost(client: MongoClient, report: (cause: string) => void): () => void {
  const stopping = new AbortController();
  const watch = watchDriver(client);
  let isReviving = false;

  async function revive(cause: string): Promise<void> {
    isReviving = true;
    report(cause);
    await withinLimit(() => client.close()).catch(() => undefined);
    watch.forget();
    while (!stopping.signal.aborted) {
      try {
        await withinLimit(() => client.connect());
        break;
      } catch {
        // The database is away; requests are told so meanwhile, and it is tried until it is back.
        await pause(reconnectAgainMs, undefined, { signal: stopping.signal }).catch(
          () => undefined,
        );
      }
    }
    isReviving = false;
  }

  const looking = setInterval(() => {
    const lost = isReviving ? undefined : watch.lost();
    if (lost !== undefined) void revive(lost);
  }, lookEveryMs);
  looking.unref();
  return () => {
    clearInterval(looking);
    stopping.abort();
  };
}

interface Watch {
  /** What never ends any more; undefined where all is well. */
  readonly lost: () => string | undefined;
  readonly forget: () => void;
}

function watchDriver(client: MongoClient): Watch {
  const { connectTimeoutMS, heartbeatFrequencyMS, socketTimeoutMS } = client.options;
  const marginMs = 2_000;
  // A heartbeat may connect and then greet; where the server holds it back, for so much longer.
  const heartbeatMs = 2 * connectTimeoutMS + marginMs;
  const operationMs = socketTimeoutMS + marginMs;
  const heartbeats = new Map<string, number>();
  const operations = new Map<string, number>();
  const now = () => performance.now();

  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) =>
    heartbeats.set(connectionId, now() + heartbeatMs + (awaited ? heartbeatFrequencyMS : 0)),
  );
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => heartbeats.delete(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => heartbeats.delete(connectionId));
  client.on('serverClosed', ({ address }) => heartbeats.delete(address));
  client.on('connectionCheckedOut', ({ address, connectionId }) =>
    operations.set(`${address} ${connectionId}`, now() + operationMs),
  );
  client.on('connectionCheckedIn', ({ address, connectionId }) =>
    operations.delete(`${address} ${connectionId}`),
  );
  const isOver = (limits: Map<string, number>): boolean =>
    Array.from(limits.values()).some((limit) => limit < now());
  return {
    lost: () => {
      if (isOver(heartbeats)) return 'a heartbeat of the driver never ended';
      if (isOver(operations)) return 'an operation of the driver never ended';
      return undefined;
    },
    forget: () => {
      heartbeats.clear();
      operations.clear();
    },
  };
}
