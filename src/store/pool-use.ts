/** How the driver's connections are used, told by the driver's own events. */
import type { MongoClient } from 'mongodb';

export interface PoolUse {
  readonly open: number;
  readonly inUse: number;
  /** Operations that wait for a connection. */
  readonly waiting: number;
}

/** From now on; the client has not connected yet. */
export function watchPool(client: MongoClient): () => PoolUse {
  let open = 0;
  let inUse = 0;
  let waiting = 0;
  client.on('connectionCreated', () => (open += 1));
  client.on('connectionClosed', () => (open -= 1));
  client.on('connectionCheckOutStarted', () => (waiting += 1));
  client.on('connectionCheckOutFailed', () => (waiting -= 1));
  client.on('connectionCheckedOut', () => {
    waiting -= 1;
    inUse += 1;
  });
  client.on('connectionCheckedIn', () => (inUse -= 1));
  return () => ({ open, inUse, waiting });
}
