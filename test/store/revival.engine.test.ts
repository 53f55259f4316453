/** A driver that has lost itself: what it never ends is noticed, and the client serves again. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { MongoClient, ServerHeartbeatStartedEvent } from 'mongodb';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { reviveWhenLost } from '../../src/store/revival.ts';
import { Overdue, withinLimit } from '../../src/store/within-limit.ts';

const opened = 'net.client.socket';
const sockets: Socket[] = [];
const collect = (message: unknown): void => {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return;
  if (message.socket instanceof Socket) sockets.push(message.socket);
};

let client: MongoClient;
let causes: string[] = [];
let endWatch = (): void => undefined;

beforeEach(async () => {
  causes = [];
  subscribe(opened, collect);
  client = new MongoClient(inject('engine').uri, { connectTimeoutMS: 200, socketTimeoutMS: 200 });
  endWatch = reviveWhenLost(client, (cause) => causes.push(cause));
  await client.connect();
  await ping();
});
afterEach(async () => {
  unsubscribe(opened, collect);
  sockets.length = 0;
  endWatch();
  await client.close();
});

const ping = () => client.db('admin').command({ ping: 1 });

async function untilRevived(): Promise<void> {
  while (causes.length === 0) await once(client, 'topologyClosed');
  await once(client, 'serverHeartbeatSucceeded');
}

describe('a driver that has lost itself', () => {
  it('is connected anew where a command on a connection that is gone never ends', async () => {
    const [, pooled] = sockets;
    pooled?.destroy();
    // The driver has not heard of it yet, and waits for the socket to take more.
    const lost = withinLimit(ping, 1_000);
    await expect(lost).rejects.toBeInstanceOf(Overdue);
    await untilRevived();
    expect(causes).toEqual(['an operation of the driver never ended']);
    expect(await ping()).toMatchObject({ ok: 1 });
  });

  it('is connected anew where its watch over the server never ends', async () => {
    const begun = Object.assign(new ServerHeartbeatStartedEvent(), { connectionId: 'lost:1' });
    client.emit('serverHeartbeatStarted', begun);
    await untilRevived();
    expect(causes).toEqual(['a heartbeat of the driver never ended']);
    expect(await ping()).toMatchObject({ ok: 1 });
  });
});
