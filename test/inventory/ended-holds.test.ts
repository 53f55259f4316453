/** A hold that has ended is within a key's warehouses wherever it was, listed there or not. */
import { expect, it } from 'vitest';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import {
  action,
  definition,
  holdId,
  instant,
  location,
  quantity,
  reserve,
  sku,
} from '../support/actions.ts';
import { memoryStock } from '../support/memory-stock.ts';
import { briskTimer } from '../support/receiving.ts';

it('is told as committed, after its location has made room for others', async () => {
  const places = Array.from({ length: 201 }, (_, index) => location(`L${index}`));
  const { ports, skus } = memoryStock({ clock: { now: instant(1_000_000) }, locations: places });
  const { post } = createInventory({ ...ports, timer: briskTimer() }, 8_000);
  const [own, ...others] = places;
  if (own === undefined) throw new Error('there is a first');
  const receiving = (wanted: readonly (typeof own)[]) => ({
    type: 'receive' as const,
    lines: wanted.map((one) => ({ location: one.location, quantity: quantity(1) })),
  });
  const commit = { type: 'commit', reservation: holdId } as const;
  await post(action({ type: 'define', definition } as const, { key: 'define' }));
  await post(action(receiving([own]), { key: 'first' }));
  await post(action(reserve('L0', 1, null, 'hold'), { key: 'hold' }));
  expect(await post(action(commit, { key: 'commit' }))).toMatchObject({ kind: 'moved' });
  for (let from = 0; from < others.length; from += 50) {
    await post(action(receiving(others.slice(from, from + 50)), { key: `others-${from}` }));
  }
  const listed = skus.get(sku('A'))?.state.levels.map((level) => level.location);
  expect(listed).not.toContain(own.location);
  const asked = { ...action(commit, { key: 'again' }), warehouses: [own.warehouse] };
  expect(await post(asked)).toMatchObject({
    kind: 'refused',
    refusal: { code: 'reservation-committed' },
  });
});
