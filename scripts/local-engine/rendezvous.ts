/**
 * Names for sockets by which processes of one machine find and exclude each other.
 *
 * On Linux the name is abstract: it lives in the kernel, so it is gone when its holder is, however
 * that went, and no file is left to be judged stale. The same holds for a pipe on Windows.
 */
import { mkdir, stat, unlink } from 'node:fs/promises';
import { connect, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** The address for one purpose in one folder, the same under every path that leads to the folder. */
export async function addressFor(purpose: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = `stockroom-${purpose}-${dev}-${ino}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return path.join(os.tmpdir(), `${name}.sock`);
}

/** Binds the address: true when it is ours now, false when somebody holds it. */
export async function claim(server: Server, address: string): Promise<boolean> {
  if (await tryListen(server, address)) return true;
  if (!path.isAbsolute(address) || process.platform === 'win32') return false;
  // A file socket outlives its holder; nobody answering means that it did.
  const holder = await dial(address);
  if (holder !== undefined) {
    holder.destroy();
    return false;
  }
  await unlink(address);
  return tryListen(server, address);
}

function tryListen(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    server.once('error', onError);
    server.listen(address, () => {
      server.off('error', onError);
      resolve(true);
    });
  });
}

/** Connects to the holder of an address; undefined when there is none. */
export function dial(address: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

/** Settles when the connection is closed; how it broke makes no difference. */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      resolve();
    });
  });
}
