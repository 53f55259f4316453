/** A wire between service and database that a test can cut: everything on it breaks, nothing new comes through. */
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface Cutter {
  /** The database's address behind the wire. */
  readonly uri: string;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly stop: () => Promise<void>;
}

export async function startCutter(uri: string): Promise<Cutter> {
  const target = new URL(uri);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  const behind = new URL(uri);
  behind.hostname = '127.0.0.1';
  behind.port = String(address.port);
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    uri: behind.href,
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        breakAll();
      }),
  };
}
