/** Where a soak takes place: a database, and two services on it, each behind a wire of its own. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import type { Client } from '../../test/support/http-client.ts';
import { clientOf } from '../../test/support/http-client.ts';
import type { FaultyWire } from '../../test/support/faulty-wire.ts';
import { startFaultyWire } from '../../test/support/faulty-wire.ts';
import { adminSecret, startServiceProcess } from '../../test/support/service-process.ts';
import type { Engine } from '../local-engine/engine.ts';
import { startEngine } from '../local-engine/engine.ts';

/** A place where a service stands, whichever process it is by now. */
export interface Place {
  readonly wire: FaultyWire;
  readonly client: Client;
  /** Kills the process without warning, and starts another in its place. */
  readonly kill: () => Promise<void>;
}

export interface Site {
  readonly places: readonly Place[];
  /** What the database is, in a few words. */
  readonly engine: string;
  /** Absent where the database is somebody's own. */
  readonly killDatabase: (() => Promise<void>) | undefined;
  /** Past the service. */
  readonly client: MongoClient;
  readonly database: string;
  /** Where the data lies, for the one who has to look at it. */
  readonly data: string;
  /** @param keep leaves the data where it is. */
  readonly leave: (keep: boolean) => Promise<void>;
}

const processes = 2;

export async function openSite(say: (line: string) => void): Promise<Site> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-soak-'));
  const engine = await startEngine({ dataDirectory: folder, progress: say });
  const database = `soak_${process.pid}`;
  const stops: (() => Promise<unknown>)[] = [];
  const places: Place[] = [];
  for (let count = 0; count < processes; count += 1) {
    const { place, stop } = await openPlace(engine.uri, database);
    places.push(place);
    stops.push(stop);
  }
  const client = new MongoClient(engine.uri);
  const isOwn = engine.kind !== 'given';
  const data = `the database ${database} ${isOwn ? `under ${folder}` : 'of MONGODB_URI'}`;
  return {
    places,
    engine: engine.kind === 'given' ? 'the one that MONGODB_URI names' : engine.kind,
    killDatabase: killerOf(engine),
    client,
    database,
    data,
    leave: async (keep) => {
      await Promise.all(stops.map((stop) => stop()));
      if (!keep) await client.db(database).dropDatabase();
      await client.close();
      await engine.stop();
      if (!keep || !isOwn) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openPlace(
  uri: string,
  name: string,
): Promise<{ readonly place: Place; readonly stop: () => Promise<void> }> {
  const wire = await startFaultyWire(uri);
  const start = () => startServiceProcess({ uri: wire.uri, name });
  let service = await start();
  return {
    place: {
      wire,
      client: clientOf(() => service.url, adminSecret),
      kill: async () => {
        const gone = once(service.process, 'exit');
        service.process.kill('SIGKILL');
        await gone;
        service = await start();
      },
    },
    stop: async () => {
      wire.mend();
      await service.stop();
      await wire.stop();
    },
  };
}

function killerOf({ control }: Engine): Site['killDatabase'] {
  if (control === undefined) return undefined;
  return async () => {
    await control.killDatabase();
    await control.whenUp();
  };
}
