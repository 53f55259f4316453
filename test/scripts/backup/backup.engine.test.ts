/** `npm run backup` and `npm run restore`, between databases of the real engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Db, Document } from 'mongodb';
import { BSON, Decimal128, Double, Int32, Long } from 'mongodb';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { copyAll } from '../../../scripts/backup/copy.ts';
import { backUp, restore } from '../../../scripts/backup/run.ts';
import { writeManifest } from '../../../scripts/backup/manifest.ts';
import { readSettings } from '../../../src/config.ts';
import { startService } from '../../../src/service.ts';
import { clientOf, freshKey } from '../../support/http-client.ts';
import { useService } from '../../support/service.ts';

const { client, database, secret } = useService();
let folder = '';
let restored: Db;
let databases = 0;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(script: 'backup' | 'restore', name: string, ...args: string[]): Promise<Ended> {
  const file = fileURLToPath(new URL(`../../../scripts/${script}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MONGODB_URI: database.uri, MONGODB_DATABASE: name },
  });
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode, out, err };
}

/** Everything, with the type of each number. */
async function everything(db: Db): Promise<Readonly<Record<string, string>>> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(
    ({ name }) => name,
  );
  const entries = await Promise.all(
    names.toSorted().map(async (name) => {
      const documents = await db.collection(name).find({}, { promoteValues: false }).toArray();
      const lines = documents.map((one) => BSON.EJSON.stringify(one, { relaxed: false }));
      return [name, lines.toSorted().join('\n')] as const;
    }),
  );
  return Object.fromEntries(entries.filter(([, lines]) => lines !== ''));
}

const receive = (sku: string, quantity: number) => ({
  type: 'receive',
  sku,
  location: 'A',
  quantity,
});
const received = freshKey();
let count = '';

beforeAll(async () => {
  await client.put('/v1/locations/A', { warehouse: 'W' });
  for (const sku of ['ONE', 'a/b.$c', '0017']) {
    const barcodes = sku === 'ONE' ? [{ code: '111' }] : [];
    await client.put(`/v1/skus/${encodeURIComponent(sku)}`, { description: sku, barcodes });
    await client.move(receive(sku, 10), sku === 'ONE' ? received : freshKey());
  }
  const hold = { location: 'A', quantity: 4, ttlSeconds: null };
  await client.send('POST', '/v1/skus/ONE/reservations', { body: hold, key: freshKey() });
  const order = { number: 'PO-1', supplier: 's', lines: [{ line: 1, sku: 'ONE', ordered: 9 }] };
  await client.send('POST', '/v1/purchase-orders', { body: order, key: freshKey() });
  const lines = [{ line: 1, location: 'A', quantity: 5 }];
  const took = await client.send('POST', '/v1/purchase-orders/PO-1/receipts', {
    body: { lines },
    key: freshKey(),
  });
  expect(took.status).toBe(201);
  const opened = await client.send('POST', '/v1/stock-counts', {
    body: { locations: ['A'], skus: ['0017'] },
    key: freshKey(),
  });
  count = z.object({ id: z.string() }).parse(opened.body).id;
  await client.put(
    `/v1/stock-counts/${count}/lines`,
    { sku: '0017', location: 'A', counted: 7 },
    { 'Idempotency-Key': freshKey() },
  );
  // A closing that somebody has begun and holds the lease of.
  const leasedAt = new Date(Date.now() + 3_600_000);
  await database.db
    .collection<Document & { _id: string }>('counts')
    .updateOne({ _id: count }, { $set: { status: 'closing', endedBy: 'admin', leasedAt } });
  await database.db.collection('strange').insertOne({
    values: [
      new Int32(5),
      new Double(5),
      Long.fromString('9007199254740993'),
      Decimal128.fromString('1.10'),
    ],
    at: new Date(0),
  });
});

beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'stockroom-backup-')), 'copy');
  databases += 1;
  restored = database.client.db(`${database.name}_r${databases}`);
});
afterEach(async () => {
  await restored.dropDatabase();
  await rm(path.dirname(folder), { recursive: true, force: true });
});

describe('a backup that is restored', () => {
  it('is the same, number by number, and verifies', async () => {
    expect(await run('backup', database.name, '--out', folder)).toMatchObject({ code: 0 });
    const back = await run('restore', restored.databaseName, '--from', folder);
    expect(back).toMatchObject({ code: 0 });
    expect(back.out).toContain('3 SKUs verified, 0 of them wrong');
    const before = await everything(database.db);
    expect(await everything(restored)).toEqual(before);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'skus',
        'barcodes',
        'movements',
        'actions',
        'orders',
        'receipts',
        'counts',
        'strange',
      ]),
    );
  });

  it('is carried on by a service: keys are known again, holds stand, sagas finish', async () => {
    await backUp(database.uri, database.name, folder);
    await restore(database.uri, restored.databaseName, folder);
    await restored
      .collection<Document & { _id: string }>('counts')
      .updateOne({ _id: count }, { $set: { leasedAt: new Date(0) } });
    const settings = readSettings({
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: restored.databaseName,
      PORT: '0',
      ADMIN_API_KEY: secret,
    });
    const service = await startService(settings, pino({ level: 'silent' }));
    try {
      await service.prepared;
      const again = clientOf(() => service.url, secret);
      const replay = await again.move(receive('ONE', 10), received);
      expect(replay.status).toBe(200);
      expect(replay.body).toEqual((await client.move(receive('ONE', 10), received)).body);
      expect((await again.get('/v1/skus/ONE')).body).toMatchObject({
        totals: { onHand: 15, reserved: 4, available: 11 },
      });
      await expect
        .poll(async () => (await again.get(`/v1/stock-counts/${count}`)).body, { timeout: 40_000 })
        .toMatchObject({ status: 'closed', lines: [{ variance: -3, outcome: 'adjusted' }] });
      expect((await again.get('/v1/skus/0017/verification')).body).toMatchObject({ ok: true });
    } finally {
      await service.stop();
    }
  });

  it('explains itself, although the service went on while it was taken', async () => {
    let isFirst = true;
    // Between the copies of the SKUs and of their ledger a window's worth of movements comes.
    const meanwhile = async (): Promise<void> => {
      if (!isFirst) return;
      isFirst = false;
      const answers = await Promise.all(
        Array.from({ length: 600 }, () => client.move(receive('ONE', 1))),
      );
      expect(answers.every(({ status }) => status === 201)).toBe(true);
    };
    const source = new Proxy(database.db, {
      get: (db, name) => {
        if (name !== 'collection') return Reflect.get(db, name) as unknown;
        return (of: string) => {
          const collection = db.collection(of);
          if (of !== 'movements') return collection;
          const find = (filter: Document, options: Document) => ({
            toArray: async () => {
              await meanwhile();
              return collection.find(filter, options).toArray();
            },
          });
          return { find };
        };
      },
    });
    await mkdir(folder);
    const { collections, leftOut } = await copyAll(source, folder);
    expect(leftOut).toBe(600);
    const times = { startedAt: '', endedAt: '' };
    const manifest = { format: 'stockroom-backup-1', database: 'x', ...times, leftOut } as const;
    await writeManifest(folder, { ...manifest, collections: [...collections] });
    const back = await run('restore', restored.databaseName, '--from', folder);
    expect(back.out).toContain('3 SKUs verified, 0 of them wrong');
    expect(back.code).toBe(0);
  });
});

describe('a restoring is refused', () => {
  const refused = (): Promise<unknown> => restore(database.uri, restored.databaseName, folder);

  it('where anything stands in the database', async () => {
    await backUp(database.uri, database.name, folder);
    await restored.collection('skus').insertOne({ mine: true });
    await expect(refused()).rejects.toThrow('is not empty: it has skus');
    expect(await restored.collection('skus').countDocuments()).toBe(1);
  });

  it('where a file is damaged, before anything is written', async () => {
    await backUp(database.uri, database.name, folder);
    const file = path.join(folder, 'receipts.jsonl.gz');
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(file, bytes);
    await expect(refused()).rejects.toThrow('receipts.jsonl.gz is damaged');
    expect(await everything(restored)).toEqual({});
  });

  it('where the backup was cut short', async () => {
    await backUp(database.uri, database.name, folder);
    await rm(path.join(folder, 'manifest.json'));
    await expect(refused()).rejects.toThrow('no manifest.json');
    expect(await everything(restored)).toEqual({});
  });
});

describe('a backup is refused', () => {
  it('where its folder holds something already', async () => {
    await backUp(database.uri, database.name, folder);
    const files = await readdir(folder);
    const again = backUp(database.uri, database.name, folder);
    await expect(again).rejects.toThrow('is not empty');
    expect(await readdir(folder)).toEqual(files);
  });
});
