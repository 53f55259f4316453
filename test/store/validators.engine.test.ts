/** G5 and the last line of defence: what the database itself refuses, whoever writes. */
import { describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import { useDatabase } from '../support/database.ts';
import { action, ship } from '../support/actions.ts';
import { useStockroom, done } from '../support/stockroom.ts';
import { collections } from '../../src/store/schema.ts';

const room = useStockroom();

async function refusal(write: Promise<unknown>): Promise<unknown> {
  try {
    await write;
    return 'written';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

describe('writing past the service', () => {
  it.each<readonly [string, Document]>([
    ['a level below zero', { $set: { 'levels.0.onHand': -1 } }],
    ['a level above its limit', { $set: { 'levels.0.onHand': 1_000_000_000_001 } }],
    ['a level that is text', { $set: { 'levels.0.onHand': '5' } }],
    ['a window of 501', { $set: { movements: Array.from({ length: 501 }, () => ({})) } }],
    [
      '201 levels',
      {
        $set: {
          levels: Array.from({ length: 201 }, (_, index) => ({ location: `L${index}`, onHand: 1 })),
        },
      },
    ],
    ['1,001 reservations', { $set: { reservations: Array.from({ length: 1_001 }, () => ({})) } }],
    ['a document over 1 MiB', { $set: { description: 'x'.repeat(1024 * 1024) } }],
    ['no version', { $unset: { version: '' } }],
  ])('is refused for %s', async (what, update) => {
    const id = `PAST-${what.replaceAll(/\W/g, '')}`;
    await room.stockSku(id, { A1: 5 });
    const before = await room.document(id);
    expect(await refusal(room.collections.skus.updateOne({ _id: before._id }, update))).toBe(121);
    expect(await room.document(id)).toEqual(before);
  });

  it('is refused for a ledger entry without its movement', async () => {
    const insert = room.collections.movements.insertOne({ _id: { sku: 'X', ordinal: 0 } } as never);
    expect(await refusal(insert)).toBe(121);
  });
});

describe('writing past the dock', () => {
  const seat = (number: number): Document => ({
    hold: `S1.h${number}`,
    seat: number,
    digest: 'd',
    held: { action: 'a', at: new Date(0) },
    heldUntil: new Date(0),
    expiresAt: null,
  });

  it.each<readonly [string, Document]>([
    ['a seat more than the capacity', { $push: { seats: seat(3) } }],
    ['a capacity below the seats that are taken', { $set: { capacity: 1 } }],
    ['a seat of nobody', { $unset: { 'seats.0.hold': '' } }],
  ])('is refused for %s', async (what, update) => {
    const slots = room.db.collection<{ _id: string }>('dockSlots');
    const _id = `S-${what.replaceAll(/\W/g, '')}`;
    const slot = {
      warehouse: 'W1',
      startsAt: new Date(0),
      endsAt: new Date(1),
      capacity: 2,
      seats: [seat(1), seat(2)],
      version: 1,
      lastActionId: 'a',
    };
    await slots.insertOne({ _id, ...slot });
    expect(await refusal(slots.updateOne({ _id }, update))).toBe(121);
    expect(await slots.findOne({ _id })).toEqual({ _id, ...slot });
  });
});

describe('the schema', () => {
  const database = useDatabase();

  it('is made by several processes at once, and making it again changes nothing', async () => {
    const { prepareSchema, missingIndexes } = await import('../../src/store/schema.ts');
    await Promise.all([prepareSchema(database.db), prepareSchema(database.db)]);
    await prepareSchema(database.db);
    expect(await missingIndexes(database.db)).toEqual([]);
    const listed = await database.db.listCollections().toArray();
    for (const { name, validator } of collections) {
      const info = listed.find((candidate) => candidate.name === name);
      expect(info).toMatchObject({ options: { validator } });
    }
  });

  it('tells which index is missing', async () => {
    const { missingIndexes } = await import('../../src/store/schema.ts');
    await database.db.collection('movements').dropIndex('action');
    expect(await missingIndexes(database.db)).toEqual(['movements.action']);
  });
});

describe('the window', () => {
  it('keeps at most 500 movements and 512 KiB, whatever the movements hold', async () => {
    await room.stockSku('WIDE', { A1: 100_000 });
    const inventory = room.process();
    const lines = Array.from({ length: 50 }, () => ship('A1', 1).lines[0]);
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, () =>
          done(inventory, action({ type: 'ship', lines }, { id: 'WIDE' })),
        ),
      );
    }
    const document = await room.document('WIDE');
    const { BSON } = await import('mongodb');
    expect(document.movementCount).toBe(301);
    expect(BSON.calculateObjectSize(document.movements)).toBeLessThanOrEqual(512 * 1024);
    expect(BSON.calculateObjectSize(document.movements)).toBeGreaterThan(400 * 1024);
    expect(await room.faults('WIDE')).toEqual([]);
  });
});
