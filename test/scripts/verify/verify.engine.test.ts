/** `npm run verify`, as its user runs it: against a stock in which some things are not true. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Collections } from '../../../src/store/documents.ts';
import { collectionsOf } from '../../../src/store/documents.ts';
import { action, receive, sku } from '../../support/actions.ts';
import { freshKey, outcomeOf } from '../../support/http-client.ts';
import { plantedAction, plantSku, receipts } from '../../support/planted.ts';
import { useService } from '../../support/service.ts';

const { client, database } = useService();
const script = fileURLToPath(new URL('../../../scripts/verify.ts', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function verify(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MONGODB_URI: database.uri, MONGODB_DATABASE: database.name },
  });
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode, out, err };
}

/** Everything that the database holds. */
function everything(): Promise<unknown> {
  const names = ['skus', 'movements', 'actions', 'answers', 'locations'];
  return Promise.all(
    names.map((name) => database.db.collection(name).find().sort({ _id: 1 }).toArray()),
  );
}

let collections: Collections;
beforeAll(async () => {
  collections = collectionsOf(database.db);
  expect((await client.put('/v1/locations/A', { warehouse: 'W' })).status).toBe(201);
});
beforeEach(async () => {
  await collections.skus.deleteMany({});
  await collections.movements.deleteMany({});
  await collections.actions.deleteMany({});
});

const entryOf = (id: string, ordinal: number) => ({ _id: { sku: sku(id), ordinal } });

describe('a verification of every SKU', () => {
  it('finds nothing wrong in what the service has written, and changes nothing', async () => {
    for (const id of ['ONE', 'TWO']) {
      expect((await client.put(`/v1/skus/${id}`, { description: 'd' })).status).toBe(201);
      await client.move({ type: 'receive', sku: id, location: 'A', quantity: 5, note: 'n' });
      const hold = { location: 'A', quantity: 1, ttlSeconds: 60 };
      const path = `/v1/skus/${id}/reservations`;
      const held = await client.send('POST', path, { key: freshKey(), body: hold });
      expect(outcomeOf(held)).toBe('201');
    }
    await client.put('/v1/skus/TWO', { description: 'other' }, { 'Idempotency-Key': freshKey() });
    await client.put('/v1/skus/TWO', { description: 'again' }, { 'Idempotency-Key': freshKey() });
    const before = await everything();
    const ended = await verify();
    expect(ended.out).toBe(
      '0 claims have led to no movement; that is no fault.\n2 SKUs verified, 0 of them wrong.\n',
    );
    expect(ended.code).toBe(0);
    expect(ended.err).toContain('2/2');
    expect(await everything()).toEqual(before);
  });

  it('says what is wrong where, and exits 1', async () => {
    await plantSku(database.db, 'RIGHT', receipts(10));
    await plantSku(database.db, 'LEVEL', receipts(10));
    await plantSku(database.db, 'HOLE', receipts(10));
    await collections.skus.updateOne({ _id: sku('LEVEL') }, { $set: { 'levels.0.onHand': 7 } });
    await collections.movements.deleteOne(entryOf('HOLE', 4));
    await client.put('/v1/skus/CODED', { description: 'd', barcodes: [{ code: '1' }] });
    await client.put('/v1/skus/BARE', { description: 'd', barcodes: [{ code: '2' }] });
    await collections.barcodes.deleteOne({ _id: '2' });
    const ended = await verify();
    expect(ended.code).toBe(1);
    expect(ended.out).toContain('LEVEL: "levels follow from the history" does not hold: A stands at 7, the history gives 10'); // prettier-ignore
    expect(ended.out).toContain('HOLE: "the ledger is complete" does not hold: ordinal 4 is missing'); // prettier-ignore
    expect(ended.out).toContain('BARE: "each barcode is claimed for the SKU" does not hold: 2 is claimed for nobody'); // prettier-ignore
    expect(ended.out).toContain('5 SKUs verified, 3 of them wrong.');
    expect(ended.out).not.toContain('CODED:');
    expect(ended.out).not.toContain('RIGHT:');
  });

  it('counts claims that led to nothing, and finds no fault in them', async () => {
    await plantSku(database.db, 'IDLE', receipts(2));
    const { actionId, digest, operation } = action(receive('A', 1), { id: 'IDLE' });
    const subject = { kind: 'sku', sku: sku('IDLE') } as const;
    const claim = { digest, operation, subject };
    await collections.actions.insertMany([
      { _id: actionId, ...claim },
      { _id: plantedAction('IDLE', 2), ...claim },
    ]);
    const ended = await verify();
    expect(ended.code).toBe(0);
    expect(ended.out).toContain('1 claims have led to no movement');
  });

  it('looks at one SKU only where one is named', async () => {
    await plantSku(database.db, 'GOOD', receipts(3));
    await plantSku(database.db, 'BAD', receipts(3));
    await collections.movements.deleteOne(entryOf('BAD', 1));
    expect(await verify('--sku', 'GOOD')).toMatchObject({ code: 0 });
    expect(await verify('--sku', 'BAD')).toMatchObject({ code: 1 });
    expect(await verify('--sku', 'NONE')).toMatchObject({ code: 1 });
    expect(await verify('--sku', '.')).toMatchObject({ code: 2 });
    expect(await verify('--mend')).toMatchObject({ code: 2, out: '' });
  });
});

describe('a repair', () => {
  it('writes exactly the entries that are missing, whole, and verifies again', async () => {
    const words = { reference: 'PO 1', note: 'as it was said' };
    await plantSku(database.db, 'HOLES', receipts(600, words));
    await collections.actions.insertMany(
      [200, 201, 600].map((ordinal) => {
        const { digest, operation } = action(receive('A', 1), { id: 'HOLES' });
        const subject = { kind: 'sku', sku: sku('HOLES') } as const;
        return { _id: plantedAction('HOLES', ordinal), digest, operation, subject, ...words };
      }),
    );
    const before = await everything();
    for (const ordinal of [200, 201, 600]) {
      await collections.movements.deleteOne(entryOf('HOLES', ordinal));
    }
    expect(await verify()).toMatchObject({ code: 1 });
    const mended = await verify('--repair');
    expect(mended.out).toContain('3 missing ledger entries were written.');
    expect(mended.out).toContain('1 SKUs verified, 0 of them wrong.');
    expect(mended.code).toBe(0);
    expect(await everything()).toEqual(before);
  });

  it('mends nothing else, and says what is still wrong', async () => {
    await plantSku(database.db, 'BEYOND', receipts(600));
    // The window does not reach ordinal 50; what is not known is not made up.
    await collections.movements.deleteOne(entryOf('BEYOND', 50));
    await collections.skus.updateOne({ _id: sku('BEYOND') }, { $set: { 'levels.0.onHand': 7 } });
    await collections.movements.updateOne(entryOf('BEYOND', 590), { $set: { 'lines.0.delta': 2 } });
    const before = await everything();
    const mended = await verify('--repair');
    expect(mended.code).toBe(1);
    expect(mended.out).toContain('ordinal 50 is missing');
    expect(mended.out).toContain('"the window agrees with the ledger" does not hold');
    expect(mended.out).not.toContain('were written');
    expect(await everything()).toEqual(before);
  });
});
