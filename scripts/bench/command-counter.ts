/** A wire to the database that counts what is asked over it, by command. */
import { connect, createServer } from 'node:net';

export interface CommandCounter {
  readonly uri: string;
  /** How often each command was sent, but for the driver's own looks at the server. */
  readonly counts: () => ReadonlyMap<string, number>;
  readonly stop: () => void;
}

const headerBytes = 16;
/** Flags, the kind of the first section, the document's length and its first field's type. */
const beforeName = headerBytes + 4 + 1 + 4 + 1;
const message = 2_013;
const lookingAtServer: ReadonlySet<string> = new Set(['hello', 'isMaster', 'ismaster', 'ping']);

export async function countCommands(uri: string): Promise<CommandCounter> {
  const target = new URL(uri);
  const counts = new Map<string, number>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let pending = Buffer.alloc(0);
    near.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= headerBytes && pending.length >= pending.readInt32LE(0)) {
        const length = pending.readInt32LE(0);
        const name = commandIn(pending.subarray(0, length));
        if (name !== undefined && !lookingAtServer.has(name)) {
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        pending = pending.subarray(length);
      }
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
    counts: () => new Map(counts),
    stop: () => {
      server.close();
    },
  };
}

/** The first field of a message's document names its command. */
function commandIn(bytes: Buffer): string | undefined {
  if (bytes.readInt32LE(12) !== message) return undefined;
  const end = bytes.indexOf(0, beforeName);
  return bytes.toString('latin1', beforeName, end);
}
