/** Finds, starts, joins and leaves the supervisor of a data folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  isReport,
  receive,
  send,
  type Ask,
  type EngineAddress,
  type Report,
} from './control-protocol.ts';
import { DATA_MOUNT } from './debian-root.ts';
import { namespaced } from './namespaces.ts';
import { clusterFolder } from './postgres-server.ts';
import { addressFor, closeOf, dial } from './rendezvous.ts';
import type { DatabaseSpec } from './supervised-database.ts';
import { typescriptCommand } from './typescript-process.ts';

/** A place among a running engine's users. */
export interface Membership {
  readonly engine: EngineAddress;
  /** Settles when the supervisor is gone, by request or not. */
  readonly ended: Promise<void>;
  readonly ask: (request: Exclude<Ask, 'leave'>) => Promise<void>;
  /** Gives up the place; as the last one, waits until the engine has ended. */
  readonly leave: () => Promise<void>;
}

/** Joins the engine that runs on a folder; undefined when none does. */
export async function joinRunning(dataDirectory: string): Promise<Membership | undefined> {
  const address = await addressFor('engine', dataDirectory);
  for (;;) {
    const socket = await dial(address);
    if (socket === undefined) return undefined;
    const membership = await becomeMember(socket);
    if (membership !== undefined) return membership;
  }
}

/** Joins the engine of a folder, and starts one where none runs. */
export async function joinOrStart(dataDirectory: string, spec: DatabaseSpec): Promise<Membership> {
  for (;;) {
    const running = await joinRunning(dataDirectory);
    if (running !== undefined) return running;
    await startSupervisor(dataDirectory, spec);
  }
}

/** Waits for the engine; undefined when this one is on its way out. */
async function becomeMember(socket: Socket): Promise<Membership | undefined> {
  const pending = new Map<number, (report: Report) => void>();
  const closed = closeOf(socket);

  const first = new Promise<Report>((resolve) => {
    receive(socket, (message) => {
      if (!isReport(message)) socket.destroy();
      else if (message.type === 'ready' || message.type === 'failed') resolve(message);
      else pending.get(message.id)?.(message);
    });
  });
  const outcome = await Promise.race([first, closed]);
  if (outcome === undefined) return undefined;
  if (outcome.type !== 'ready') {
    await closed;
    throw new Error(outcome.type === 'failed' ? outcome.message : 'the engine gave no address');
  }

  // The place among the users lasts as long as the process; it is no reason to last longer.
  socket.unref();
  let lastId = 0;
  return {
    engine: outcome.engine,
    ended: closed,
    ask: async (request) => {
      lastId += 1;
      const id = lastId;
      const answered = new Promise<Report>((resolve) => pending.set(id, resolve));
      send(socket, { ask: request, id });
      const report = await Promise.race([answered, closed]);
      pending.delete(id);
      if (report?.type === 'done') return;
      throw new Error(report?.type === 'refused' ? report.message : 'the engine has ended');
    },
    leave: async () => {
      socket.ref();
      send(socket, { ask: 'leave', id: 0 });
      await closed;
    },
  };
}

/** Settles when some supervisor, this one or another, holds the folder. */
async function startSupervisor(dataDirectory: string, spec: DatabaseSpec): Promise<void> {
  const logFile = path.join(dataDirectory, 'engine.log');
  const log = await open(logFile, 'a', 0o600);
  try {
    const [program = '', ...args] = await supervisorCommand(dataDirectory, spec);
    const child = spawn(program, args, {
      detached: true,
      cwd: '/',
      stdio: ['ignore', 'pipe', log.fd],
    });
    const { stdout } = child;
    if (stdout === null) throw new Error('the supervisor has no output');
    const failed = once(child, 'close').then(() => undefined);
    const lines = createInterface({ input: stdout });
    const said = once(lines, 'line').then(() => true);
    const isHeld = await Promise.race([said, failed]);
    child.unref();
    if (isHeld !== true) {
      const tail = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-8).join('\n  ');
      throw new Error(`the engine's supervisor does not start:\n  ${tail}`);
    }
    lines.close();
    stdout.destroy();
  } finally {
    await log.close();
  }
}

/** Mounts the data folder and the devices PostgreSQL needs where only the engine sees them. */
const MOUNT_AND_RUN = `
set -e
root=$1 data=$2
shift 2
mount --bind "$data" "$root${DATA_MOUNT}"
mount -t tmpfs -o mode=755,size=1g tmpfs "$root/dev"
for device in null zero urandom; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir -m 1777 "$root/dev/shm"
mount -t proc proc "$root/proc"
"$@" &
wait $!
`;

async function supervisorCommand(dataDirectory: string, spec: DatabaseSpec): Promise<string[]> {
  const args = [path.resolve(dataDirectory), JSON.stringify(spec)];
  const supervisor = typescriptCommand('supervisor.ts', args);
  if (spec.kind === 'memory-server') return supervisor;
  // The shell is the first process of the namespaces: it buries the dead, and all die with it.
  const mounts = [spec.rootDirectory, await clusterFolder(dataDirectory)];
  return [...namespaced(), 'sh', '-c', MOUNT_AND_RUN, 'sh', ...mounts, ...supervisor];
}
