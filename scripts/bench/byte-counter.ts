/** A wire to the database that counts what comes back over it. */
import { connect, createServer } from 'node:net';

export interface ByteCounter {
  readonly uri: string;
  /** Bytes that the database has sent so far. */
  readonly received: () => number;
  readonly stop: () => void;
}

export async function countBytes(uri: string): Promise<ByteCounter> {
  const target = new URL(uri);
  let received = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    far.on('data', (chunk) => {
      received += chunk.length;
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  const behind = new URL(uri);
  behind.host = `127.0.0.1:${address.port}`;
  return {
    uri: behind.href,
    received: () => received,
    stop: () => {
      server.close();
    },
  };
}
