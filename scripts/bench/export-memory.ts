/**
 * What an export costs in memory: `npx tsx scripts/bench/export-memory.ts [--movements 1000000]`.
 *
 * Writes that many movements straight into the ledger of a database of its own, on MONGODB_URI or
 * else on the bench's local engine, lets a service process export them all as CSV and as NDJSON
 * over HTTP, and prints how far the process's resident memory rose above its idle, and the rate.
 * Exits 1 where an export takes 200 MiB or more, or is not whole. It does not measure the database,
 * nor a reader that is slower than the service.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { z } from 'zod';
import { parseActionId, parseSku } from '../../src/domain/ids.ts';
import { parseDelta, parseOnHand } from '../../src/domain/quantity.ts';
import type { LedgerDocument } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { startEngine } from '../local-engine/engine.ts';
import { forgetPeak, peakBytes } from './memory.ts';
import type { ServerProcess } from './processes.ts';
import { endAll, startService } from './processes.ts';
import { prepareDatabase } from './seed.ts';
import { actor, locations, required } from './stock.ts';

const database = `export_memory_${process.pid}`;
const limitBytes = 200 * 1024 * 1024;
const skuCount = 1_000;
const entriesAtOnce = 5_000;
const monthMs = 30 * 24 * 60 * 60 * 1_000;

interface Measured {
  readonly mediaType: string;
  readonly idleBytes: number | undefined;
  readonly peakBytes: number | undefined;
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** One of so many movements, spread evenly over a month. */
function entry(index: number, total: number, now: number): LedgerDocument {
  const ordinal = Math.floor(index / skuCount) + 1;
  return {
    _id: { sku: required(parseSku(`EXPORT-${index % skuCount}`)), ordinal },
    actionId: required(parseActionId(actor, `export-${index}`)),
    type: 'receive',
    lines: [
      {
        location: required(locations[index % locations.length]),
        delta: required(parseDelta(1)),
        onHand: required(parseOnHand(ordinal)),
      },
    ],
    reference: `PO-${index % 5_000}`,
    note: `pallet ${index}, as it was counted at the dock, "nothing" broken`,
    actor,
    at: new Date(now - monthMs + Math.floor((index / total) * (monthMs - 60_000))),
  };
}

async function seed(client: MongoClient, total: number): Promise<void> {
  const db = client.db(database);
  await db.dropDatabase();
  await prepareDatabase(db);
  const { movements } = collectionsOf(db);
  const now = Date.now();
  for (let from = 0; from < total; from += entriesAtOnce) {
    const count = Math.min(entriesAtOnce, total - from);
    const entries = Array.from({ length: count }, (_, index) => entry(from + index, total, now));
    await movements.insertMany(entries, { ordered: false });
    if (from % 100_000 === 0) process.stderr.write(`${from} of ${total} movements written\n`);
  }
}

/** Lets a fresh process export everything once; its own peak is then the export's. */
async function measure(uri: string, mediaType: string): Promise<Measured> {
  const secret = randomBytes(16).toString('hex');
  const service = await startService({ uri, database, secret });
  try {
    await readiness(service);
    await forgetPeak(service.pid);
    const idleBytes = await peakBytes(service.pid);
    const startedAt = performance.now();
    const { rows, bytes } = await exported(service, secret, mediaType);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { mediaType, idleBytes, peakBytes: await peakBytes(service.pid), rows, bytes, seconds };
  } finally {
    await service.stop();
  }
}

async function readiness({ url }: ServerProcess): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`);
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function exported(
  { url }: ServerProcess,
  secret: string,
  mediaType: string,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const answer = await fetch(`${url}/v1/movements`, {
    headers: { Authorization: `Bearer ${secret}`, Accept: mediaType },
  });
  if (answer.status !== 200 || answer.body === null) {
    throw new Error(`the export was answered ${answer.status}: ${await answer.text()}`);
  }
  const newline = '\n'.charCodeAt(0);
  let rows = 0;
  let bytes = 0;
  for await (const piece of answer.body) {
    const part = z.instanceof(Uint8Array).parse(piece);
    bytes += part.length;
    for (const byte of part) if (byte === newline) rows += 1;
  }
  return { rows, bytes };
}

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

function line({ mediaType, idleBytes, peakBytes, rows, bytes, seconds }: Measured): string {
  const memory =
    idleBytes === undefined || peakBytes === undefined
      ? 'no memory figures on this system'
      : `idle ${mebibytes(idleBytes)} MiB, peak ${mebibytes(peakBytes)} MiB, ` +
        `${mebibytes(peakBytes - idleBytes)} MiB above idle`;
  const rate = Math.round(rows / seconds).toLocaleString('en-US');
  return `${mediaType}: ${rows} rows, ${mebibytes(bytes)} MiB in ${seconds.toFixed(1)} s (${rate} rows/s); ${memory}`;
}

function holds(measured: Measured, total: number): boolean {
  const { mediaType, idleBytes = 0, peakBytes = 0, rows } = measured;
  const expected = mediaType === 'text/csv' ? total + 1 : total;
  return rows === expected && peakBytes - idleBytes < limitBytes;
}

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { movements: { type: 'string', default: '1000000' } } });
  const total = z.coerce.number().int().min(1).parse(values.movements);
  await using engine = await startEngine({ dataDirectory: '.data/bench' });
  const client = new MongoClient(engine.uri);
  try {
    await seed(client, total);
    let ok = true;
    for (const mediaType of ['text/csv', 'application/x-ndjson']) {
      const measured = await measure(engine.uri, mediaType);
      process.stdout.write(`${line(measured)}\n`);
      ok &&= holds(measured, total);
    }
    return ok ? 0 : 1;
  } finally {
    await client.db(database).dropDatabase();
    await client.close();
    await endAll();
  }
}

process.exitCode = await run();
