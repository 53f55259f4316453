/** Barcodes on the real engine: one SKU each, whoever races, and as versions before left them. */
import { MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/inventory/answer.ts';
import { replaceBarcodeIndex } from '../../src/store/barcode-migration.ts';
import { createBarcodeStore } from '../../src/store/barcode-store.ts';
import { missingIndexes } from '../../src/store/schema.ts';
import { action, definition, instant, sku } from '../support/actions.ts';
import { useStockroom } from '../support/stockroom.ts';

const room = useStockroom();
let keys = 0;

function defining(id: string, ...codes: readonly string[]) {
  keys += 1;
  const barcodes = codes.map((code) => ({ code }));
  const change = { type: 'define', definition: { ...definition, barcodes } } as const;
  return action(change, { id, key: `define-${keys}` });
}

const said = (answer: ActionAnswer): string =>
  answer.kind === 'refused' ? answer.refusal.code : answer.kind;

async function ownersOf(code: string): Promise<readonly string[]> {
  const owners = await room.collections.skus.find({ 'barcodes.code': code }).toArray();
  return owners.map(({ _id }) => _id);
}

async function claimedFor(code: string): Promise<string | undefined> {
  return (await room.collections.barcodes.findOne({ _id: code }))?.sku;
}

describe('a code that many SKUs are defined with at once, through two processes', () => {
  it.each([1, 2, 3])('has exactly one of them, time %i', async (time) => {
    const code = `raced-${time}`;
    const [one, other] = [room.process(), room.process()];
    const ids = Array.from({ length: 12 }, (_, index) => `R${time}-${index}`);
    for (const id of ids.slice(0, 6)) await one.post(defining(id));
    const told = await Promise.all(
      ids.map(async (id, index) =>
        said(await (index % 2 === 0 ? one : other).post(defining(id, code, `own-${id}`))),
      ),
    );
    expect(told.toSorted()).toEqual([...Array<string>(11).fill('barcode-taken'), 'defined']);
    const owner = ids[told.indexOf('defined')];
    expect(await ownersOf(code)).toEqual([owner]);
    expect(await claimedFor(code)).toBe(owner);
    // What the others wanted beside it is free.
    const claims = await room.collections.barcodes.find({ _id: /^own-/ }).toArray();
    expect(claims.filter(({ sku: by }) => ids.includes(by)).map(({ sku: by }) => by)).toEqual([
      owner,
    ]);
  });

  it('goes from one to the other and back, as they are redefined', async () => {
    const [one, other] = [room.process(), room.process()];
    for (const [process, id, rival] of [
      [one, 'X', 'Y'],
      [other, 'Y', 'X'],
      [one, 'X', 'Y'],
    ] as const) {
      expect(said(await process.post(defining(id, 'goes')))).toBe('defined');
      expect(said(await other.post(defining(rival, 'goes')))).toBe('barcode-taken');
      expect(await ownersOf('goes')).toEqual([id]);
      await process.post(defining(id));
      expect(await claimedFor('goes')).toBeUndefined();
    }
  });
});

describe('the claims in the store', () => {
  const by = (id: string, token: string) => ({ sku: sku(id), token });
  const read = async (code: string) => {
    const found = await room.ports().barcodes.read([code]);
    return found.kind === 'found' ? found.value.get(code) : expect.fail(found.cause);
  };

  it('are held until some time from now, taken over once that is over, and only as they were read', async () => {
    const { barcodes } = room.ports();
    await barcodes.make(by('P', 'p1'), ['held']);
    const made = (await read('held')) ?? expect.fail('it was made');
    expect(made).toMatchObject({ sku: 'P', madeBy: 'p1', heldBy: 'p1', until: 0, isOver: true });
    await barcodes.make(by('Q', 'q1'), ['held']);
    await barcodes.hold(by('Q', 'q1'), ['held']);
    expect(await read('held')).toEqual(made);
    await barcodes.hold(by('P', 'p1'), ['held']);
    const held = (await read('held')) ?? expect.fail('it is held');
    expect(held).toMatchObject({ madeBy: 'p1', isOver: false });
    expect(held.until).toBeGreaterThan(Date.now());
    await barcodes.takeOver(made, by('Q', 'q1'));
    await barcodes.release([made]);
    expect(await read('held')).toEqual(held);
    await barcodes.hold(by('P', 'p2'), ['held']);
    await barcodes.hold(by('P', 'p1'), ['held']);
    const shared = (await read('held')) ?? expect.fail('it is held');
    expect(shared).toMatchObject({ madeBy: null, heldBy: 'p1' });
    expect(shared.until).toBeGreaterThanOrEqual(held.until);
    await barcodes.takeOver(shared, by('Q', 'q1'));
    expect(await read('held')).toMatchObject({ sku: 'Q', madeBy: 'q1', until: 0, isOver: true });
    await barcodes.release([(await read('held')) ?? expect.fail('it was taken over')]);
    expect(await read('held')).toBeUndefined();
  });

  it('are looked into on a server alone too, which knows no linearizable reading', async () => {
    const { barcodes, skus } = room.collections;
    await room.process().post(defining('ALONE', 'alone'));
    const levels: unknown[] = [];
    const alone = new Proxy(skus, {
      get: (collection, name): unknown =>
        name === 'findOne'
          ? (
              filter: object,
              options: { readonly readConcern: { readonly level: 'linearizable' | 'local' } },
            ) => {
              levels.push(options.readConcern.level);
              if (options.readConcern.level === 'linearizable') {
                return Promise.reject(new MongoServerError({ message: 'alone', code: 123 }));
              }
              return collection.findOne(filter, options);
            }
          : Reflect.get(collection, name),
    });
    const claim = (await read('alone')) ?? expect.fail('it is claimed');
    const carried = await createBarcodeStore(barcodes, alone).carried([claim]);
    expect(carried).toEqual({ kind: 'found', value: new Set(['alone']) });
    expect(levels).toEqual(['linearizable', 'local']);
  });

  it('let a SKU come to be only before their time is over', async () => {
    const { skus } = room.ports();
    const late = {
      sku: sku('LATE'),
      definition: { ...definition, barcodes: [{ code: 'late' }] },
      levels: [],
      reservations: [],
      lastActionId: defining('LATE').actionId,
      version: 1,
      movementCount: 0,
    };
    expect(await skus.create(late, instant(1))).toEqual({ kind: 'lost' });
    expect(await room.collections.skus.countDocuments({ _id: sku('LATE') })).toBe(0);
    const until = instant(Date.now() + 60_000);
    expect(await skus.create(late, until)).toMatchObject({ kind: 'swapped' });
    const made = await room.document('LATE');
    await room.stockSku('PLAIN');
    const plain = Object.keys(await room.document('PLAIN'));
    expect(Object.keys(made).toSorted()).toEqual([...plain, 'barcodes'].toSorted());
    expect(await skus.create(late, until)).toEqual({ kind: 'lost' });
  });
});

describe('a database that told the owner of a code by a unique index', () => {
  it('gets claims of all codes before the index goes, however often it is begun', async () => {
    const { skus, barcodes } = room.collections;
    const process = room.process();
    for (const [id, ...codes] of [['M1', 'm1', 'm2'], ['M2', 'm3'], ['M3']] as const) {
      await process.post(defining(id, ...codes));
    }
    await barcodes.deleteMany({});
    await barcodes.insertOne({
      _id: 'm3',
      sku: sku('M2'),
      madeBy: 'before',
      heldBy: 'before',
      until: new Date(0),
    });
    await skus.createIndexes([
      {
        name: 'barcode',
        key: { 'barcodes.code': 1 },
        unique: true,
        partialFilterExpression: { 'barcodes.code': { $exists: true } },
      },
    ]);
    await replaceBarcodeIndex(room.db);
    await replaceBarcodeIndex(room.db);
    const owned = await Promise.all(['m1', 'm2', 'm3'].map(claimedFor));
    expect(owned).toEqual(['M1', 'M1', 'M2']);
    expect(await barcodes.findOne({ _id: 'm3' })).toMatchObject({ madeBy: 'before' });
    expect((await skus.indexes()).map(({ name }) => name)).not.toContain('barcode');
    expect(await missingIndexes(room.db)).toEqual([]);
    const refused = await process.post(defining('M3', 'm1'));
    expect(said(refused)).toBe('barcode-taken');
  });
});
