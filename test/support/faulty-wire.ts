/**
 * A wire between service and database whose faults a test turns on and off.
 *
 * 1. What comes through is what was sent, in its order; a fault delays or ends it, never alters it.
 * 2. A direction that has lost something carries nothing more, as with TCP: a wire that is mended
 *    gives new connections a way through, not those that have lost something.
 */
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

type Direction = 'requests' | 'answers';

export type Fault =
  /** Everything on the wire breaks, and nothing new comes through. */
  | { readonly kind: 'cut' }
  /** The same by a reset, which also loses what is on its way. */
  | { readonly kind: 'reset' }
  /** Answers come so much later. */
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** What goes this way comes when the wire is mended. */
  | { readonly kind: 'held'; readonly direction: Direction }
  /** What goes this way never comes, and nobody is told. */
  | { readonly kind: 'lost'; readonly direction: Direction }
  /** A connection breaks when so much of its answers came through, in the middle of one or not. */
  | { readonly kind: 'cut-off'; readonly afterBytes: number }
  /** The database's ends are gone, and the service's ends are not told. */
  | { readonly kind: 'half-open' };

export interface FaultyWire {
  /** The database's address behind the wire. */
  readonly uri: string;
  /** Turns a fault on, in place of another. @returns what resolves when it has hit something. */
  readonly impose: (fault: Fault) => Promise<void>;
  readonly mend: () => void;
  /** How many pieces of answers have come through. */
  readonly delivered: () => number;
  readonly stop: () => Promise<void>;
}

export async function startFaultyWire(uri: string): Promise<FaultyWire> {
  const target = new URL(uri);
  const connections = new Set<Connection>();
  let [imposed, delivered] = [undefined as Imposed | undefined, 0];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const connection = joined(near, far, {
      imposed: () => imposed,
      onDelivered: () => {
        delivered += 1;
      },
    });
    connections.add(connection);
    near.on('close', () => connections.delete(connection));
    if (imposed !== undefined) connection.strike(imposed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  const behind = new URL(uri);
  behind.hostname = '127.0.0.1';
  behind.port = String(address.port);
  const mend = (): void => {
    imposed?.mend();
    imposed = undefined;
  };
  return {
    uri: behind.href,
    impose: (fault) => {
      mend();
      const next = asImposed(fault);
      imposed = next;
      for (const connection of connections) connection.strike(next);
      return next.hasStruck;
    },
    mend,
    delivered: () => delivered,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of connections) connection.end();
      await closed;
    },
  };
}

interface Imposed {
  readonly fault: Fault;
  readonly struck: () => void;
  readonly hasStruck: Promise<void>;
  readonly mend: () => void;
  readonly isMended: Promise<void>;
}

function asImposed(fault: Fault): Imposed {
  let [struck, mend] = [(): void => undefined, (): void => undefined];
  const hasStruck = new Promise<void>((resolve) => {
    struck = resolve;
  });
  const isMended = new Promise<void>((resolve) => {
    mend = resolve;
  });
  return { fault, struck, hasStruck, mend, isMended };
}

interface Wire {
  readonly imposed: () => Imposed | undefined;
  readonly onDelivered: () => void;
}

interface Connection {
  /** What a fault does to a connection by being there, whether anything is sent or not. */
  readonly strike: (imposed: Imposed) => void;
  readonly end: () => void;
}

/** @param near the service's end. */
function joined(near: Socket, far: Socket, wire: Wire): Connection {
  let isHalfOpen = false;
  for (const socket of [near, far]) {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
  }
  near.on('close', () => far.destroy());
  far.on('close', () => {
    if (!isHalfOpen) near.destroy();
  });
  carry(near, far, 'requests', wire);
  carry(far, near, 'answers', wire);
  return {
    strike: ({ fault: { kind }, struck }) => {
      if (kind === 'cut') near.destroy();
      else if (kind === 'reset') near.resetAndDestroy();
      else if (kind === 'half-open') {
        isHalfOpen = true;
        far.destroy();
      } else return;
      struck();
    },
    end: () => near.destroy(),
  };
}

function carry(from: Socket, to: Socket, direction: Direction, wire: Wire): void {
  let before = Promise.resolve();
  let isDead = false;
  let counted = { by: wire.imposed(), bytes: 0 };

  function send(chunk: Buffer, after: Promise<void> = before): void {
    before = Promise.all([before, after]).then(() => {
      if (to.destroyed) return;
      if (direction === 'answers') wire.onDelivered();
      if (to.write(chunk)) return;
      from.pause();
      to.once('drain', () => from.resume());
    });
  }

  function cutOff(chunk: Buffer, by: Imposed, afterBytes: number): void {
    if (counted.by !== by) counted = { by, bytes: 0 };
    const left = afterBytes - counted.bytes;
    counted.bytes += chunk.length;
    if (chunk.length <= left) {
      send(chunk);
      return;
    }
    by.struck();
    isDead = true;
    send(chunk.subarray(0, left));
    before = before.then(() => {
      to.end();
    });
  }

  from.on('data', (chunk: Buffer) => {
    const imposed = wire.imposed();
    if (isDead) return;
    if (imposed === undefined) {
      send(chunk);
      return;
    }
    const { fault } = imposed;
    if (fault.kind === 'slow' && direction === 'answers') {
      imposed.struck();
      send(chunk, pause(fault.milliseconds));
    } else if (fault.kind === 'held' && fault.direction === direction) {
      imposed.struck();
      send(chunk, imposed.isMended);
    } else if (fault.kind === 'lost' && fault.direction === direction) {
      imposed.struck();
      isDead = true;
    } else if (fault.kind === 'cut-off' && direction === 'answers') {
      cutOff(chunk, imposed, fault.afterBytes);
    } else send(chunk);
  });
}
