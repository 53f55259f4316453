import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type Engine } from '../../../scripts/local-engine/engine.ts';
import { eventually, isDocumentDb, tableOf, withPostgres } from './gateway/documentdb.ts';

let dataDirectory = '';
const running = new Set<Engine>();

beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'stockroom-engine-'));
});

afterEach(async () => {
  await Promise.all([...running].map((engine) => engine.stop()));
  running.clear();
  await rm(dataDirectory, { recursive: true, force: true });
});

async function start(progress: (line: string) => void = () => undefined): Promise<Engine> {
  const engine = await startEngine({ dataDirectory, progress });
  running.add(engine);
  return engine;
}

async function stop(engine: Engine): Promise<void> {
  running.delete(engine);
  await engine.stop();
}

interface Note {
  _id: number;
  n?: number;
}

async function withNotes<Result>(
  uri: string,
  use: (notes: ReturnType<typeof notesOf>) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await use(notesOf(client));
  } finally {
    await client.close(true);
  }
}

function notesOf(client: MongoClient) {
  return client.db('notes').collection<Note>('notes');
}

/** The process-id namespace that an engine lives in: it is gone when its last process is. */
async function namespaceOf(engine: Engine): Promise<string> {
  return readlink(`/proc/${engine.supervisorPid ?? 0}/ns/pid`);
}

async function processesIn(namespace: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const namespaces = await Promise.all(
    // A process that ended since it was listed is in no namespace.
    pids.map((pid) => readlink(`/proc/${pid}/ns/pid`).catch(() => '')),
  );
  return pids.filter((_, index) => namespaces[index] === namespace);
}

async function nothingLeftOf(namespace: string): Promise<void> {
  await eventually(async () => (await processesIn(namespace)).length === 0, 20_000);
}

describe.runIf(isDocumentDb)('the engine of a data folder', () => {
  it('keeps its data over a stop and a start', async () => {
    const first = await start();
    const namespace = await namespaceOf(first);
    expect(await processesIn(namespace)).not.toEqual([]);
    const published: unknown = JSON.parse(
      await readFile(path.join(dataDirectory, 'engine.json'), 'utf8'),
    );
    expect(published).toMatchObject({ uri: first.uri, pid: first.supervisorPid });
    await withNotes(first.uri, (notes) => notes.insertOne({ _id: 1 }));
    await stop(first);
    await nothingLeftOf(namespace);
    expect(await readdir(dataDirectory)).not.toContain('engine.json');

    const lines: string[] = [];
    const started = performance.now();
    const second = await start((line) => lines.push(line));
    console.log(`start of an existing engine: ${Math.round(performance.now() - started)} ms`);
    expect(lines).toEqual(['database: documentdb, because this folder holds its data']);
    expect(await withNotes(second.uri, (notes) => notes.findOne())).toEqual({ _id: 1 });
  });

  it('is joined by whoever comes next, and ends with its last user', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const third = await start();
    expect(new Set([first.uri, second.uri, third.uri]).size).toBe(1);
    const namespace = await namespaceOf(first);
    await stop(first);
    await stop(third);
    await withNotes(second.uri, (notes) => notes.insertOne({ _id: 1 }));
    await stop(second);
    await second.ended;
    await nothingLeftOf(namespace);
  });

  it('ends when its only user is killed', async () => {
    const hold = fileURLToPath(new URL('../../../scripts/local-engine/hold.ts', import.meta.url));
    const args = ['--import', 'tsx', hold, '--data-dir', dataDirectory];
    const user = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const said = await once(createInterface({ input: user.stdout }), 'line');
    const engine = await start();
    expect(said).toEqual([engine.uri]);
    const namespace = await namespaceOf(engine);
    await stop(engine);
    expect(await processesIn(namespace)).not.toEqual([]);
    user.kill('SIGKILL');
    await nothingLeftOf(namespace);
    expect(await readdir(dataDirectory)).not.toContain('engine.json');
  });

  it('leaves no process when its supervisor is killed, and starts again with its data', async () => {
    const first = await start();
    const namespace = await namespaceOf(first);
    await withNotes(first.uri, (notes) => notes.insertOne({ _id: 1 }));
    process.kill(first.supervisorPid ?? 0, 'SIGKILL');
    await first.ended;
    running.delete(first);
    await nothingLeftOf(namespace);
    const second = await start();
    expect(await withNotes(second.uri, (notes) => notes.findOne())).toEqual({ _id: 1 });
  });
});

describe.runIf(isDocumentDb)('a database that is killed', () => {
  it('comes back on the same address with all it had acknowledged', async () => {
    const engine = await start();
    for (let round = 1; round <= 3; round += 1) {
      await withNotes(engine.uri, (notes) => notes.insertOne({ _id: round }));
      await engine.control?.killDatabase();
      await engine.control?.whenUp();
      const count = await withNotes(engine.uri, (notes) => notes.countDocuments());
      expect(count).toBe(round);
    }
  });

  it('gives a network error to whoever waits for an answer, and never an error document', async () => {
    const engine = await start();
    await withNotes(engine.uri, async (notes) => {
      await notes.insertOne({ _id: 1, n: 0 });
      await withPostgres(engine.postgresUrl, async (postgres) => {
        postgres.on('error', () => undefined);
        const table = await tableOf(postgres, 'notes', 'notes');
        await postgres.query('BEGIN');
        await postgres.query(`SELECT 1 FROM ${table} FOR UPDATE`);
        const update = notes.updateOne({ _id: 1 }, { $inc: { n: 1 } });
        const outcome = expect(update).rejects.toSatisfy(
          (error) => error instanceof MongoNetworkError && !(error instanceof MongoServerError),
        );
        const { rows } = await waitingFor(postgres);
        expect(rows).toHaveLength(1);
        await engine.control?.killDatabase();
        await outcome;
      });
      await engine.control?.whenUp();
      expect(await notes.findOne({ _id: 1 })).toEqual({ _id: 1, n: 0 });
    });
  });
});

async function waitingFor(postgres: {
  query: (text: string) => Promise<{ rows: unknown[] }>;
}): Promise<{ rows: unknown[] }> {
  const look = () =>
    postgres.query(
      'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
    );
  await eventually(async () => (await look()).rows.length > 0);
  return look();
}
