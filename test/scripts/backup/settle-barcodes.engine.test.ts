/** What becomes of barcodes that went from SKU to SKU while a backup was taken. */
import { beforeAll, describe, expect, it } from 'vitest';
import { settleBarcodes } from '../../../scripts/backup/settle-barcodes.ts';
import type { Sku } from '../../../src/domain/ids.ts';
import { prepareSchema } from '../../../src/store/schema.ts';
import { sku } from '../../support/actions.ts';
import { useStockroom } from '../../support/stockroom.ts';

const room = useStockroom();

beforeAll(() => prepareSchema(room.db));

async function carry(id: string, ...codes: readonly string[]): Promise<void> {
  await room.stockSku(id);
  const barcodes = codes.map((code) => ({ code }));
  await room.collections.skus.updateOne({ _id: sku(id) }, { $set: { barcodes } });
}

async function claim(code: string, by: Sku): Promise<void> {
  const until = new Date(0);
  const { barcodes } = room.collections;
  await barcodes.insertOne({ _id: code, sku: by, madeBy: 'copied', heldBy: 'copied', until });
}

const codesOf = async (id: string) => (await room.document(id)).barcodes?.map(({ code }) => code);
const ownerOf = async (code: string) =>
  (await room.collections.barcodes.findOne({ _id: code }))?.sku;

describe('restored barcodes', () => {
  it('are claimed for whoever carries them, and stay with the SKU that was copied last', async () => {
    await carry('A', 'kept', 'lost-to-b', 'unclaimed');
    await carry('B', 'lost-to-b', 'claimed-before', 'left-by-a');
    await carry('C', 'left-by-b');
    await carry('D', 'left-by-b');
    await claim('kept', sku('A'));
    await claim('lost-to-b', sku('A'));
    await claim('claimed-before', sku('GONE'));
    await claim('left-by-b', sku('D'));
    await settleBarcodes(room.db);
    expect(await codesOf('A')).toEqual(['kept', 'unclaimed']);
    expect(await codesOf('B')).toEqual(['lost-to-b', 'claimed-before', 'left-by-a']);
    expect(await codesOf('C')).toEqual([]);
    expect(await codesOf('D')).toEqual(['left-by-b']);
    for (const [code, owner] of [
      ['kept', 'A'],
      ['unclaimed', 'A'],
      ['lost-to-b', 'B'],
      ['claimed-before', 'B'],
      ['left-by-a', 'B'],
      ['left-by-b', 'D'],
    ] as const) {
      expect(await ownerOf(code), code).toBe(owner);
    }
  });
});
