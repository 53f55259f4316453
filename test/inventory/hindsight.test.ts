/** What a request learns of holds that others make and end while it reads. */
import { expect, it } from 'vitest';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import { action, instant, location, reserve, sku, stocked } from '../support/actions.ts';
import { Crash } from '../support/gate.ts';
import type { MemoryStock } from '../support/memory-stock.ts';
import { memoryStock } from '../support/memory-stock.ts';
import { briskTimer } from '../support/receiving.ts';

const hold = reserve('A1', 5, 60, 'hold');
const { reservation } = hold;
const releasing = (key: string, note: string) => ({
  ...action({ type: 'release', reservation } as const, { key }),
  note,
});

function stockroom(): MemoryStock {
  const clock = { now: instant(1_000_000) };
  const stock = memoryStock({ clock, locations: [location('A1')], windowLimit: 1 });
  const state = stocked({ A1: 10 });
  stock.skus.set(state.sku, {
    state,
    definedBy: state.lastActionId,
    definedVersion: 1,
    window: [],
    ledgeredThrough: state.movementCount,
    lastAt: clock.now,
  });
  return stock;
}

function processOn(ports: MemoryStock['ports']) {
  return createInventory({ ...ports, timer: briskTimer() }, 8_000);
}

it('a hold that is made after the document was read has not lapsed', async () => {
  const { ports } = stockroom();
  let isMade = false;
  const overtaken = processOn({
    ...ports,
    locations: {
      ...ports.locations,
      // Between the reading of the document and of the ledger.
      find: async (ids) => {
        if (!isMade) {
          isMade = true;
          await processOn(ports).post(action(hold, { key: 'made' }));
        }
        return ports.locations.find(ids);
      },
    },
  });
  const answer = await overtaken.post(action({ type: 'commit', reservation }, { key: 'early' }));
  expect(answer).toMatchObject({ kind: 'refused', refusal: { code: 'unknown-reservation' } });
});

it('a release that is asked for once more keeps its own note, in the ledger too', async () => {
  const { ports, ledger } = stockroom();
  await processOn(ports).post(action(hold, { key: 'made' }));
  const dying = processOn({
    ...ports,
    ledger: { ...ports.ledger, record: () => Promise.reject(new Crash('before its entry')) },
  });
  await expect(dying.post(releasing('first', 'the first'))).rejects.toThrow(Crash);
  const answer = await processOn(ports).post(releasing('second', 'the second'));
  expect(answer).toMatchObject({ kind: 'moved', replayed: true, movement: { note: 'the first' } });
  expect(ledger.get(sku('A'))?.get(9)).toMatchObject({ type: 'release', note: 'the first' });
});

it('a key that was answered with an earlier release is no other request’s any more', async () => {
  const { ports } = stockroom();
  const inventory = processOn(ports);
  await inventory.post(action(hold, { key: 'made' }));
  await inventory.post(releasing('first', 'the first'));
  await inventory.post(releasing('second', 'the second'));
  const answer = await inventory.post(action(reserve('A1', 1), { key: 'second' }));
  expect(answer).toMatchObject({ kind: 'refused', refusal: { code: 'idempotency-key-reused' } });
  const again = await inventory.post(releasing('second', 'the second'));
  expect(again).toMatchObject({ kind: 'moved', replayed: true, movement: { note: 'the first' } });
});
