/** A lock between processes that ends with its holder, also when the holder is killed. */
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { addressFor, claim, closeOf, dial } from './rendezvous.ts';

export interface Lock extends AsyncDisposable {
  release(): Promise<void>;
}

export interface LockOptions {
  readonly purpose: string;
  readonly folder: string;
  /** Called once, when somebody else holds the lock. */
  readonly onWait?: () => void;
}

/** Waits until no other process holds the lock, then holds it. */
export async function acquireLock({ purpose, folder, onWait }: LockOptions): Promise<Lock> {
  const address = await addressFor(purpose, folder);
  let hasWaited = false;
  for (;;) {
    const waiting = new Set<Socket>();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => waiting.delete(socket));
    });
    if (await claim(server, address)) {
      server.unref();
      const release = async (): Promise<void> => {
        if (!server.listening) return;
        const closed = once(server, 'close');
        server.close();
        for (const socket of waiting) socket.destroy();
        await closed;
      };
      return { release, [Symbol.asyncDispose]: release };
    }
    if (!hasWaited) onWait?.();
    hasWaited = true;
    await holderGone(address);
  }
}

/** The connection to the holder breaks when the holder lets go or dies. */
async function holderGone(address: string): Promise<void> {
  const holder = await dial(address);
  if (holder === undefined) return;
  const closed = closeOf(holder);
  holder.resume();
  await closed;
}
