/**
 * What holds and long histories cost: recognising an old key, reading what is available, and moving
 * a SKU that carries 1,000 reservations.
 */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Action, Change } from '../../src/domain/action.ts';
import { parseActionId, parseSku } from '../../src/domain/ids.ts';
import type { Sku } from '../../src/domain/ids.ts';
import { parseQuantity } from '../../src/domain/quantity.ts';
import { reservationLimit } from '../../src/domain/reservation.ts';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import type { Ports } from '../../src/inventory/ports.ts';
import { requestDigest } from '../../src/inventory/request-digest.ts';
import { reservationIdOf } from '../../src/inventory/reservation-id.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import { openStore } from '../../src/store/open-store.ts';
import { countBytes } from './byte-counter.ts';
import { median } from './statistics.ts';
import { actor, required, shippedFrom, warehouse } from './stock.ts';
import type { SectionResult } from './targets.ts';
import { judged } from './targets.ts';

const windowLength = 500;
const rounds = 5;
const movementsARound = 60;

const young = required(parseSku('YOUNG'));
const old = required(parseSku('OLD'));
const plain = required(parseSku('PLAIN'));
const held = required(parseSku('HELD'));
const one = required(parseQuantity(1));
const many = required(parseQuantity(100_000_000));

/** @param uri of the engine; the database that is made on it goes again. */
export async function measureHolds(uri: string): Promise<SectionResult> {
  const database = `bench_holds_${randomUUID().slice(0, 8)}`;
  const wire = await countBytes(uri);
  const store = openStore(wire.uri, database);
  const client = new MongoClient(uri);
  try {
    await store.prepare();
    const ports: Ports = { ...store.ports, timer: processTimer };
    const inventory = createInventory(ports, 60_000);
    await arrange(ports, inventory);
    const reads = await extraReads(ports);
    const bytes = await readShare(ports, wire.received, client, database);
    const cost = await costOfHolds(inventory);
    return resultOf(reads, bytes, cost);
  } finally {
    await store.close();
    await client.db(database).dropDatabase();
    await client.close();
    wire.stop();
  }
}

const define: Change = {
  type: 'define',
  definition: { description: 'x', baseUnit: 'each', packs: [], barcodes: [], status: 'active' },
};
const ship: Change = { type: 'ship', lines: [{ location: shippedFrom, quantity: one }] };

function action(sku: Sku, change: Change, key: string = randomUUID()): Action {
  const actionId = required(parseActionId(actor, key));
  const operation = 'POST /v1/movements';
  return {
    actionId,
    actor,
    sku,
    operation,
    digest: requestDigest(operation, {}, [sku, change.type]),
    change,
  };
}

function reserve(sku: Sku): Action {
  const request = action(sku, ship);
  const reservation = reservationIdOf(request.actionId);
  return {
    ...request,
    change: { type: 'reserve', reservation, location: shippedFrom, quantity: one, seconds: null },
  };
}

async function apply(inventory: RunningInventory, request: Action): Promise<void> {
  const answer = await inventory.post(request);
  if (answer.kind !== 'moved' && answer.kind !== 'defined') throw new Error(JSON.stringify(answer));
}

async function repeat(times: number, step: () => Promise<void>): Promise<void> {
  const together = 50;
  for (let done = 0; done < times; done += together) {
    await Promise.all(Array.from({ length: Math.min(together, times - done) }, step));
  }
}

/** YOUNG has two movements; OLD, PLAIN and HELD have full windows, and HELD is full of holds. */
async function arrange(ports: Ports, inventory: RunningInventory): Promise<void> {
  const made = action(young, define).actionId;
  await ports.locations.create(shippedFrom, { warehouse, kind: 'storage' }, made);
  const receive: Change = { type: 'receive', lines: [{ location: shippedFrom, quantity: many }] };
  for (const sku of [young, old, plain, held]) {
    await apply(inventory, action(sku, define));
    await apply(inventory, action(sku, receive));
  }
  for (const sku of [young, old]) await apply(inventory, action(sku, ship, `repeated-${sku}`));
  for (const sku of [old, plain, held]) {
    await repeat(windowLength + 50, () => apply(inventory, action(sku, ship)));
  }
  await repeat(reservationLimit, () => apply(inventory, reserve(held)));
  await repeat(windowLength, () => apply(inventory, action(held, ship)));
}

/** Database calls of a repeat whose window has overflowed, beyond those of one whose has not. */
async function extraReads(ports: Ports): Promise<number> {
  const calls = async (sku: Sku): Promise<number> => {
    let count = 0;
    const counted =
      <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> => {
        count += 1;
        return call(...args);
      };
    const { skus, actions, ledger } = ports;
    const inventory = createInventory(
      {
        ...ports,
        skus: { ...skus, read: counted(skus.read) },
        actions: { claim: counted(actions.claim), find: counted(actions.find) },
        ledger: { ...ledger, record: counted(ledger.record), byAction: counted(ledger.byAction) },
      },
      60_000,
    );
    const answer = await inventory.post(action(sku, ship, `repeated-${sku}`));
    if (answer.kind !== 'moved' || !answer.replayed) throw new Error('a repeat was not recognised');
    return count;
  };
  const before = await calls(young);
  return (await calls(old)) - before;
}

/** Bytes of an availability read, as a share of the whole document. */
async function readShare(
  ports: Ports,
  received: () => number,
  client: MongoClient,
  database: string,
): Promise<number> {
  const interest = { actions: [], reservations: [], undone: [] };
  await ports.skus.read(plain, interest);
  const before = received();
  await ports.skus.read(plain, interest);
  const read = received() - before;
  const skus = client.db(database).collection<{ _id: string }>('skus');
  const [whole] = await skus
    .aggregate<{ bytes: number }>([
      { $match: { _id: plain } },
      { $project: { bytes: { $bsonSize: '$$ROOT' } } },
    ])
    .toArray();
  return read / (whole?.bytes ?? Number.NaN);
}

async function costOfHolds(inventory: RunningInventory): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const without = await millisecondsOf(inventory, plain);
    const withHolds = await millisecondsOf(inventory, held);
    ratios.push(withHolds / without);
  }
  return required(median(ratios));
}

async function millisecondsOf(inventory: RunningInventory, sku: Sku): Promise<number> {
  const begin = performance.now();
  for (let done = 0; done < movementsARound; done += 1) await apply(inventory, action(sku, ship));
  return performance.now() - begin;
}

function resultOf(reads: number, share: number, cost: number): SectionResult {
  const targets = [
    judged(
      'h1  calls to recognise a key behind the window, beyond one within',
      { atMost: 1 },
      reads,
    ),
    judged('h2  bytes of an availability read / the document whole', { atMost: 0.1 }, share),
    judged('h3  a movement with 1,000 reservations / without', { atMost: 4 }, cost),
  ];
  const text = [
    'Holds and long histories, full windows, one client:',
    `  a key behind the window takes ${reads} call(s) more to recognise than one within it`,
    `  an availability read brings ${(share * 100).toFixed(1)} % of the document's bytes`,
    `  a movement of a SKU with 1,000 reservations takes ${cost.toFixed(2)} × the time of one without`,
  ].join('\n');
  return { targets, text };
}
