import { describe, expect, it } from 'vitest';
import { parseWarehouseId } from '../../src/domain/ids.ts';
import { filled } from '../../src/inventory/parts-within-reach.ts';
import { placesIn } from '../../src/inventory/places.ts';
import { reachOf } from '../../src/inventory/reach.ts';
import { instant, location, place } from '../support/actions.ts';
import { memoryStock } from '../support/memory-stock.ts';

const w2 = parseWarehouseId('W2') ?? expect.fail('W2 is a warehouse');
const near = location('NEAR');
const far = { ...location('FAR'), warehouse: w2 };
const known = new Map([near, far].map((one) => [one.location, one]));
const reach = reachOf(
  [near.warehouse],
  () => Promise.resolve({ kind: 'found', value: known }),
  () => {
    // Nobody is told here.
  },
);

/** A list of so many entries elsewhere, and one at its end within. */
function listOf(elsewhere: number) {
  const entries = Array.from({ length: elsewhere + 1 }, (_, index) => ({
    index,
    at: place(index < elsewhere ? 'FAR' : 'NEAR'),
  }));
  const reads: number[] = [];
  type Entry = (typeof entries)[number];
  const page = (limit: number, after?: Entry) =>
    filled<Entry>(
      reach,
      limit,
      (behind = after, asked) => {
        reads.push(asked);
        const from = behind === undefined ? 0 : behind.index + 1;
        const items = entries.slice(from, from + asked);
        const value = { items, more: from + asked < entries.length };
        return Promise.resolve({ kind: 'ok', value });
      },
      { locations: ({ at }) => [at], part: (entry, sees) => (sees(entry.at) ? entry : undefined) },
    );
  return { reads, page };
}

describe('a page of a list that lies mostly elsewhere', () => {
  it('is filled from the pages behind it', async () => {
    const { page, reads } = listOf(250);
    const { value } = okOf(await page(2));
    expect(value).toEqual({ items: [{ index: 250, at: place('NEAR') }], more: false });
    expect(reads).toEqual([2, 100, 100, 100]);
  });

  it('ends short after so many reads, and says where the next goes on', async () => {
    const { page, reads } = listOf(1_000);
    const first = okOf(await page(1)).value;
    expect(first).toMatchObject({ items: [], more: true, last: { index: 400 } });
    expect(reads).toEqual([1, 100, 100, 100, 100]);
    let { last } = first;
    const shown = [];
    while (last !== undefined) {
      const next = okOf(await page(1, last)).value;
      shown.push(...next.items);
      last = next.more ? (next.last ?? next.items.at(-1)) : undefined;
    }
    expect(shown).toEqual([{ index: 1_000, at: place('NEAR') }]);
  });
});

function okOf<A extends { readonly kind: string }>(answer: A): Extract<A, { readonly kind: 'ok' }> {
  if (isOk(answer)) return answer;
  return expect.fail(answer.kind);
}

function isOk<A extends { readonly kind: string }>(
  answer: A,
): answer is Extract<A, { readonly kind: 'ok' }> {
  return answer.kind === 'ok';
}

describe('the locations of a warehouse', () => {
  it('are all of them, more than one read can bring', async () => {
    const own = Array.from({ length: 10_001 }, (_, index) => location(`A${index}`));
    const { ports } = memoryStock({
      clock: { now: instant(1) },
      locations: [far, ...own],
    });
    const places = await placesIn(ports.locations, [near.warehouse]);
    expect(places).toMatchObject({ kind: 'found' });
    expect(places.kind === 'found' && new Set(places.value)).toEqual(
      new Set(own.map((one) => one.location)),
    );
  });
});
