/** What a process left behind is found and finished by the round of whichever process comes by. */
import { describe, expect, it } from 'vitest';
import { createSettlement } from '../../src/inventory/settled.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { instant, sku } from '../support/actions.ts';
import { plantSku, receipts } from '../support/planted.ts';
import { useService } from '../support/service.ts';
import { useStockroom } from '../support/stockroom.ts';

const hourMs = 60 * 60_000;

describe('the reconciler', () => {
  const service = useService();
  const { database } = service;
  // A second process, which may do any of the rounds.
  useService({ mongodbUri: database.uri, mongodbDatabase: database.name });
  const { skus, movements, reminders } = collectionsOf(database.db);
  const id = '~reconcile/round';

  async function leave(
    name: string,
    count: number,
    at = new Date(Date.now() - hourMs),
  ): Promise<void> {
    await plantSku(database.db, name, receipts(count, { at }));
    await movements.deleteMany({ '_id.sku': sku(name) });
    await skus.updateOne({ _id: sku(name) }, { $set: { ledgeredThrough: 0 } });
  }

  it('is one alarm, however many processes there are', async () => {
    const standing = () =>
      database.db.collection('reminders').find({ receiver: '~reconcile' }).toArray();
    await expect.poll(async () => (await standing()).length).toBe(1);
    expect(await standing()).toMatchObject([{ _id: id, every: 'PT5M', state: 'armed' }]);
  });

  it('enters in the ledger what died before its entry, a part at a time', async () => {
    const names = Array.from({ length: 450 }, (_, n) => `LEFT-${n}`);
    for (const name of names) await leave(name, 2);
    const before = await skus
      .find({ _id: { $in: names.map(sku) } }, { sort: { _id: 1 } })
      .toArray();
    await database.db
      .collection<{ _id: string }>('reminders')
      .updateOne({ _id: id }, { $set: { dueAt: new Date(), nextAt: new Date() } });
    const entered = () => movements.countDocuments({ '_id.sku': { $in: names.map(sku) } });
    await expect.poll(entered, { timeout: 40_000, interval: 250 }).toBe(900);
    const { body } = await service.client.get('/v1/skus/LEFT-7/verification');
    expect(body).toMatchObject({ ok: true });
    // Nothing was written past the one way: the documents themselves are as they were.
    const after = await skus.find({ _id: { $in: names.map(sku) } }, { sort: { _id: 1 } }).toArray();
    expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version));
    expect(await reminders.countDocuments({ state: 'suspended' })).toBe(0);
  });
});

describe('a part of what has moved', () => {
  const room = useStockroom();

  it('is seen to and left behind, though more than a part moved in one instant', async () => {
    const { skus, movements } = room.collections;
    const at = new Date(Date.now() - hourMs);
    const names = Array.from({ length: 5 }, (_, n) => `SAME-${n}`);
    for (const name of names) await plantSku(room.db, name, receipts(1, { at }));
    const later = new Date(at.getTime() + 1);
    await plantSku(room.db, 'LATER', receipts(1, { at: later }));
    await movements.deleteMany({});
    await skus.updateMany({}, { $set: { ledgeredThrough: 0 } });
    const ports = room.ports();
    await ports.mark.advance(instant(at.getTime() - 1));
    const { some } = createSettlement(ports);
    const rounds: boolean[] = [];
    while (rounds.at(-1) !== false && rounds.length < 10) {
      const seen = await some(2);
      if (seen.kind === 'unknown') throw new Error(seen.cause);
      rounds.push(seen.value.more);
    }
    expect(rounds.at(-1)).toBe(false);
    expect(await movements.countDocuments()).toBe(6);
  });
});
