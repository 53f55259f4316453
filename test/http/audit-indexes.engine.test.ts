/**
 * The declared indexes are used: each query is made by the store itself, overheard, and explained
 * by the engine, where the engine says how it finds what is asked for.
 */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectionsOf } from '../../src/store/documents.ts';
import { createReadLapsedHolds } from '../../src/store/lapsed-holds.ts';
import { createLedger } from '../../src/store/ledger.ts';
import { prepareSchema } from '../../src/store/schema.ts';
import { createBarcodeStore } from '../../src/store/barcode-store.ts';
import { createSkuStore } from '../../src/store/sku-store.ts';
import {
  action,
  actor,
  instant,
  place,
  quantity,
  reservationId,
  ship,
  sku,
} from '../support/actions.ts';
import { useDatabase } from '../support/database.ts';
import { plantedAction, plantSku, receipts } from '../support/planted.ts';

const database = useDatabase();
const overheard = new MongoClient(database.uri, { monitorCommands: true });
const { barcodes, movements, skus } = collectionsOf(overheard.db(database.name));
const ledger = createLedger(movements);
const skuStore = createSkuStore(skus);
const barcodeStore = createBarcodeStore(barcodes, skus);
const commands: Readonly<Record<string, unknown>>[] = [];

const to = instant(Date.now());
const from = instant(to - 70_000);
const one = sku('S7');
const reservations = [
  {
    id: reservationId('h'),
    location: place('A'),
    quantity: quantity(1),
    expiresAt: new Date(to - 1),
    changedAt: 1,
    digest: action(ship('A', 1)).digest,
  },
];

beforeAll(async () => {
  await prepareSchema(database.db);
  for (let index = 0; index < 40; index += 1) {
    await plantSku(database.db, `S${index}`, receipts(100, { reference: `R${index % 5}` }));
  }
  // On three SKUs, so that there are pages after the first.
  await skus.updateMany({ _id: { $in: ['S1', 'S2', 'S3'].map(sku) } }, { $set: { reservations } });
  overheard.on('commandStarted', ({ command, commandName }) => {
    if (commandName === 'find' || commandName === 'aggregate') {
      commands.push(z.record(z.string(), z.unknown()).parse(command));
    }
  });
});
afterAll(() => overheard.close());

/** What the driver adds to a command and `explain` does not take. */
const drivers = new Set(['lsid', '$db', '$clusterTime', 'maxTimeMS', 'readConcern']);

/** The plans, whatever else the engine tells beside them. */
const explained = z.looseObject({ queryPlanner: z.looseObject({ winningPlan: z.unknown() }) });

/** The indexes that the engine names for the queries that the call makes. */
async function indexesOf(call: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  commands.length = 0;
  await call();
  expect(commands.length).toBeGreaterThan(0);
  const indexes = new Set<string>();
  for (const command of commands) {
    const asked = Object.fromEntries(
      Object.entries(command).filter(([name]) => !drivers.has(name)),
    );
    const answer = await database.db.command({ explain: asked, verbosity: 'queryPlanner' });
    const plan = explained.parse(answer).queryPlanner.winningPlan;
    for (const [name, value] of membersOf(plan)) {
      if (name === 'stage') expect(value).not.toBe('COLLSCAN');
      if (name === 'indexName') indexes.add(String(value));
    }
  }
  return indexes;
}

/**
 * Every stage and index of a plan. MongoDB nests the stages; DocumentDB names the index beside
 * PostgreSQL's own plan, which also lists those that it weighed and did not take.
 */
function membersOf(plan: unknown): readonly (readonly [string, unknown])[] {
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' ? (name === 'postgres' ? [] : membersOf(value)) : [[name, value]],
  );
}

/** The index that leads to few, or one of those that a planner may weigh against each other. */
const queries: readonly (readonly [string, readonly string[], () => Promise<unknown>])[] = [
  ['the history of a SKU', ['_id_'], () => ledger.history({ sku: one, limit: 50 })],
  [
    'the entries of a SKU',
    ['_id_'],
    () => ledger.entries({ sku: one, after: 10, through: 60, limit: 20 }),
  ],
  ['which ordinals are entered', ['_id_'], () => ledger.ordinals(one, 10, 60)],
  ['a movement by its action', ['action'], () => ledger.ofAction(plantedAction('S7', 3))],
  ['movements by their actions', ['action'], () => ledger.byAction(one, [plantedAction('S7', 3)])],
  [
    'a reservation by its id',
    ['reservation'],
    () => ledger.byReservation(one, [reservationId('x')]),
  ],
  [
    'reservations by reference',
    ['reference'],
    () => ledger.reservedUnder({ reference: 'R1', limit: 50 }),
  ],
  ['reversals', ['reverses'], () => ledger.undoing(one, [plantedAction('S7', 3)])],
  ['a search by time', ['time'], () => ledger.search({ from, to, limit: 50 })],
  ['a search by actor', ['actor', 'time'], () => ledger.search({ to, actor, limit: 50 })],
  ['a search by reference', ['reference'], () => ledger.search({ to, reference: 'R1', limit: 50 })],
  [
    'a search by location',
    ['location', 'time'],
    () => ledger.search({ from, to, locations: [place('NOWHERE')], limit: 50 }),
  ],
  ['a search by SKU', ['_id_', 'time'], () => ledger.search({ from, to, sku: one, limit: 50 })],
  [
    'what stands at a location',
    ['level-location', 'reservation-location'],
    () => skuStore.list({ standingAt: [place('B')], limit: 50 }),
  ],
  ['the claim of a barcode', ['_id_'], () => barcodeStore.read(['4006381333931'])],
  [
    'SKUs that have moved',
    ['moved'],
    () => skuStore.movedSince({ since: instant(to - 1), limit: 50 }),
  ],
  [
    'SKUs that have moved, on a later page',
    ['moved'],
    () => {
      const after = { sku: one, lastAt: instant(to - 1), ledgeredThrough: 0, movementCount: 1 };
      return skuStore.movedSince({ since: instant(to - 2), after, limit: 50 });
    },
  ],
  [
    'lapsed holds that stand, page after page',
    ['reservation-location'],
    () => createReadLapsedHolds(skus, 1)({ after: from, through: to }),
  ],
];

describe('an index leads to', () => {
  it.each(queries)('%s: one of %j', async (_, expected, call) => {
    const indexes = await indexesOf(call);
    expect(expected.filter((name) => indexes.has(name))).not.toEqual([]);
  });
});

it('names the index of lapsed holds on every page, since few SKUs are here to choose between', async () => {
  commands.length = 0;
  await createReadLapsedHolds(skus, 1)({ after: from, through: to });
  expect(commands.map(({ hint }) => hint)).toEqual(Array(4).fill('reservation-location'));
});
