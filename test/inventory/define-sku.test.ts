/** A definition has its effect once, whoever defines the SKU meanwhile. */
import { expect, it } from 'vitest';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import { action, definition, instant, sku } from '../support/actions.ts';
import { memoryStock } from '../support/memory-stock.ts';
import { briskTimer } from '../support/receiving.ts';

const defining = (description: string) =>
  action({ type: 'define', definition: { ...definition, description } } as const, {
    key: description.replaceAll(' ', '-'),
  });

it('a definition whose answer was lost is not written again over one that came since', async () => {
  const { ports, skus } = memoryStock({ clock: { now: instant(1_000_000) }, locations: [] });
  const other = createInventory({ ...ports, timer: briskTimer() }, 8_000);
  await other.post(defining('at first'));
  let isLost = false;
  const own = createInventory(
    {
      ...ports,
      timer: briskTimer(),
      skus: {
        ...ports.skus,
        swap: async (change) => {
          const swapped = await ports.skus.swap(change);
          if (isLost) return swapped;
          isLost = true;
          await other.post(defining('by another'));
          return { kind: 'unknown', cause: 'the answer was lost' };
        },
      },
    },
    8_000,
  );
  const answer = await own.post(defining('by this one'));
  expect(answer).toMatchObject({
    kind: 'defined',
    defined: { definition: { description: 'by this one' }, version: 2 },
  });
  const { state } = skus.get(sku('A')) ?? {};
  expect(state).toMatchObject({ version: 3, definition: { description: 'by another' } });
  expect(await own.post(defining('by this one'))).toEqual({ ...answer, replayed: true });
});
