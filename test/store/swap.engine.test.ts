/** The one conditional write: it lands on exactly the state that it was decided on. */
import { describe, expect, it } from 'vitest';
import type { SkuChange, SkuRead } from '../../src/inventory/ports.ts';
import { actionId, instant, sku } from '../support/actions.ts';
import { useStockroom } from '../support/stockroom.ts';

const room = useStockroom();

async function changeOf(id: string): Promise<SkuChange> {
  await room.stockSku(id, { A1: 5 });
  const read = await room.ports().skus.read(sku(id), { actions: [], reservations: [], undone: [] });
  if (read.kind !== 'found') throw new Error(read.kind);
  const { state, extent }: SkuRead = read.value;
  const after = { ...state, version: state.version + 1, lastActionId: actionId(`next-${id}`) };
  return { before: state, extent, after, movements: [], ledgeredThrough: extent.ledgeredThrough };
}

describe('a swap', () => {
  it('lands once: sent again it finds another version', async () => {
    const change = await changeOf('ONCE');
    expect((await room.ports().skus.swap(change)).kind).toBe('swapped');
    expect((await room.ports().skus.swap(change)).kind).toBe('lost');
  });

  it('is lost on another version, though the last action is the same', async () => {
    const change = await changeOf('VERSION');
    const stale = { ...change, before: { ...change.before, version: change.before.version - 1 } };
    expect((await room.ports().skus.swap(stale)).kind).toBe('lost');
  });

  it('is lost on another last action, though the version is the same', async () => {
    const change = await changeOf('ACTION');
    const other = { ...change, before: { ...change.before, lastActionId: actionId('another') } };
    expect((await room.ports().skus.swap(other)).kind).toBe('lost');
  });

  it('is lost once the clock of the database has passed its end', async () => {
    const change = await changeOf('UNTIL');
    expect(
      (await room.ports().skus.swap({ ...change, until: instant(Date.now() - 3_600_000) })).kind,
    ).toBe('lost');
    expect(
      (await room.ports().skus.swap({ ...change, until: instant(Date.now() + 3_600_000) })).kind,
    ).toBe('swapped');
  });
});
