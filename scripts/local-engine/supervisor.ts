/**
 * The process that runs an engine for whoever uses it.
 *
 * 1. One supervisor a data folder: it holds the folder's address from before the database starts
 *    until after it has ended.
 * 2. A user of the engine is an open connection to that address. The kernel closes it however the
 *    user ends, so the last one gone is always noticed.
 * 3. With the last user gone the database is shut down cleanly. Until it is down a newcomer's
 *    connection is held and then closed: the sign to start an engine anew.
 * 4. It runs in a process group of its own, so that Ctrl-C reaches the service first, and as a child
 *    of the first process of its namespaces: if it is killed, the database is killed with it.
 *
 * Arguments: the data folder and a DatabaseSpec as JSON. It says `listening` or `taken` on stdout
 * once, and logs on stderr.
 */
import { ftruncateSync, readlinkSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import {
  isAsk,
  isRecord,
  receive,
  send,
  type AskMessage,
  type EngineAddress,
} from './control-protocol.ts';
import { addressFor, claim } from './rendezvous.ts';
import {
  startDatabase,
  type DatabaseSpec,
  type SupervisedDatabase,
} from './supervised-database.ts';

/** Time for the process that started this one to connect. */
const FIRST_USER_LIMIT_MS = 15_000;

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

function isDatabaseSpec(value: unknown): value is DatabaseSpec {
  if (!isRecord(value)) return false;
  return value['kind'] === 'documentdb'
    ? typeof value['rootDirectory'] === 'string'
    : value['kind'] === 'memory-server' && typeof value['binary'] === 'string';
}

/** This process as the machine knows it: /proc is the machine's, the namespace's ids are not. */
function machinePid(): number {
  return process.platform === 'linux' ? Number(readlinkSync('/proc/self')) : process.pid;
}

async function supervise(dataDirectory: string, spec: DatabaseSpec): Promise<void> {
  const users = new Set<Socket>();
  let database: SupervisedDatabase | undefined;
  let engine: EngineAddress | undefined;
  let isStopping = false;
  const engineFile = path.join(dataDirectory, 'engine.json');

  const stop = async (exitCode: number): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    try {
      await rm(engineFile, { force: true });
      await database?.stop();
    } catch (error) {
      log(`stopping failed: ${String(error)}`);
      process.exit(1);
    }
    process.exit(exitCode);
  };
  const leave = (socket: Socket): void => {
    users.delete(socket);
    if (users.size === 0 && engine !== undefined) void stop(0);
  };
  const server = createServer((socket) => {
    socket.on('error', log);
    if (isStopping) return;
    users.add(socket);
    socket.on('close', () => {
      leave(socket);
    });
    receive(socket, (message) => {
      if (!isAsk(message)) socket.destroy();
      else if (message.ask === 'leave') leaveOnRequest(socket);
      else void answer(socket, message, database);
    });
    if (engine !== undefined) send(socket, { type: 'ready', engine });
  });
  /** The last user's connection stays open until the database is down: its end is the answer. */
  const leaveOnRequest = (socket: Socket): void => {
    leave(socket);
    if (!isStopping) socket.end();
  };

  if (!(await claim(server, await addressFor('engine', dataDirectory)))) {
    process.stdout.write('taken\n');
    return;
  }
  truncateLog();
  process.stdout.write('listening\n');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));

  try {
    database = await startDatabase(spec, dataDirectory, log);
    engine = { ...database.address, pid: machinePid() };
    await publish(engineFile, engine);
  } catch (error) {
    log(`starting failed: ${String(error)}`);
    for (const user of users) send(user, { type: 'failed', message: String(error) });
    await stop(1);
    return;
  }
  void database.lost.then(() => stop(1));
  for (const user of users) send(user, { type: 'ready', engine });
  setTimeout(() => {
    if (users.size === 0) void stop(0);
  }, FIRST_USER_LIMIT_MS);
}

async function answer(
  socket: Socket,
  { ask, id }: AskMessage,
  database: SupervisedDatabase | undefined,
): Promise<void> {
  try {
    const act = ask === 'kill-database' ? database?.kill : database?.whenUp;
    if (act === undefined) throw new Error(`this engine cannot ${ask}`);
    await act();
    send(socket, { type: 'done', id });
  } catch (error) {
    send(socket, { type: 'refused', id, message: String(error) });
  }
}

async function publish(file: string, engine: EngineAddress): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(engine, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, file);
}

/** The log is the latest run's; only the supervisor that holds the folder may cut it. */
function truncateLog(): void {
  try {
    ftruncateSync(process.stderr.fd);
  } catch {
    log('the log is not a file');
  }
}

const [dataDirectory, specText] = process.argv.slice(2);
const spec: unknown = JSON.parse(specText ?? 'null');
if (dataDirectory === undefined || !isDatabaseSpec(spec)) {
  throw new Error('usage: supervisor.ts DATA_DIR SPEC');
}
await supervise(dataDirectory, spec);
