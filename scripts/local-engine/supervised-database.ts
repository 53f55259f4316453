/** The database a supervisor runs, whichever it is. */
import { createServer } from 'node:net';
import { mkdir } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import type { EngineAddress } from './control-protocol.ts';
import { startGateway } from './gateway/server.ts';
import { GATEWAY_SESSIONS, prepareCluster, startPostgres } from './postgres-server.ts';

/** What a supervisor is told to run. */
export type DatabaseSpec =
  | { readonly kind: 'documentdb'; readonly rootDirectory: string }
  | { readonly kind: 'memory-server'; readonly binary: string };

export interface SupervisedDatabase {
  readonly address: Omit<EngineAddress, 'pid'>;
  /** Settles when the database is gone for good; it is never rejected. */
  readonly lost: Promise<void>;
  stop(): Promise<void>;
  /** Kills the database as a power cut would; it is started again by itself. */
  readonly kill?: () => Promise<void>;
  /** Settles when the database takes commands. */
  readonly whenUp?: () => Promise<void>;
}

export function startDatabase(
  spec: DatabaseSpec,
  dataDirectory: string,
  log: (line: string) => void,
): Promise<SupervisedDatabase> {
  return spec.kind === 'documentdb'
    ? startDocumentDb(spec.rootDirectory, log)
    : startMongod(spec.binary, dataDirectory);
}

/** PostgreSQL behind a gateway whose port stays when PostgreSQL is killed and started again. */
async function startDocumentDb(
  rootDirectory: string,
  log: (line: string) => void,
): Promise<SupervisedDatabase> {
  await prepareCluster({ rootDirectory, log });
  const options = { rootDirectory, port: await freePort(), log };
  let server = await startPostgres(options);
  const { url } = server;
  const gateway = await startGateway({ postgresUrl: url, maxSessions: GATEWAY_SESSIONS, log });
  let isStopping = false;
  let up = Promise.resolve();

  const keepRunning = async (): Promise<void> => {
    for (;;) {
      await server.exited;
      if (isStopping) return;
      log('PostgreSQL is gone; starting it again');
      gateway.setAvailable(false);
      const starting = startPostgres(options);
      up = starting.then(() => undefined);
      // Whoever waits for `up` sees a failure; so does the supervisor, through `lost`.
      up.catch(() => undefined);
      server = await starting;
      gateway.setAvailable(true);
    }
  };
  const lost = keepRunning().catch((error: unknown) => {
    log(`PostgreSQL could not be started again: ${String(error)}`);
  });

  return {
    address: {
      kind: 'documentdb',
      uri: `mongodb://127.0.0.1:${gateway.port}/?directConnection=true`,
      postgresUrl: url,
    },
    lost,
    stop: async () => {
      isStopping = true;
      await gateway.close();
      await server.stop();
    },
    kill: async () => {
      await server.kill();
    },
    whenUp: () => up,
  };
}

async function startMongod(binary: string, dataDirectory: string): Promise<SupervisedDatabase> {
  const { MongoMemoryServer } = await import('mongodb-memory-server');
  const dbPath = path.join(dataDirectory, 'mongod');
  await mkdir(dbPath, { recursive: true });
  const server = await MongoMemoryServer.create({
    binary: { systemBinary: binary },
    instance: { dbPath, storageEngine: 'wiredTiger', ip: '127.0.0.1' },
  });
  const child = server.instanceInfo?.instance.mongodProcess;
  return {
    address: { kind: 'memory-server', uri: server.getUri() },
    lost: child === undefined ? never() : once(child, 'exit').then(() => undefined),
    stop: async () => {
      await server.stop({ doCleanup: false });
    },
  };
}

function never(): Promise<void> {
  return new Promise(() => undefined);
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
