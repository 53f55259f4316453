/** A barcode has one SKU, however late a definition lands that was stopped on its way. */
import { describe, expect, it } from 'vitest';
import { carries } from '../../src/domain/sku.ts';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import type { Ports } from '../../src/inventory/ports.ts';
import { action, definition, instant } from '../support/actions.ts';
import { memoryStock } from '../support/memory-stock.ts';
import { briskTimer } from '../support/receiving.ts';
import { shortTimer } from '../support/short-timer.ts';

const code = '4006381333931';

function defining(id: string, codes: readonly string[], key = `${id}-${codes.join('-')}`) {
  const barcodes = codes.map((one) => ({ code: one }));
  return action({ type: 'define', definition: { ...definition, barcodes } } as const, { id, key });
}

interface Site {
  readonly clock: { now: ReturnType<typeof instant> };
  readonly stock: ReturnType<typeof memoryStock>;
  readonly define: (
    id: string,
    codes: readonly string[],
    ports?: Partial<Ports>,
  ) => Promise<string>;
  readonly owners: () => readonly string[];
}

function site(): Site {
  const clock = { now: instant(1_000_000) };
  const stock = memoryStock({ clock, locations: [] });
  let keys = 0;
  return {
    clock,
    stock,
    define: async (id, codes, ports = {}) => {
      keys += 1;
      const timer = shortTimer();
      const { post } = createInventory({ ...stock.ports, timer, ...ports }, 500);
      const answer = await post(defining(id, codes, `key-${keys}`));
      return answer.kind === 'refused' ? answer.refusal.code : answer.kind;
    },
    owners: () =>
      Array.from(stock.skus.values())
        .filter(({ state }) => carries(state.definition, code))
        .map(({ state }) => state.sku),
  };
}

/** The write of a definition waits until the other way round has been taken. */
function held(skus: Ports['skus'], meanwhile: () => Promise<void>): Ports['skus'] {
  let isFirst = true;
  const first = async (): Promise<void> => {
    if (!isFirst) return;
    isFirst = false;
    await meanwhile();
  };
  return {
    ...skus,
    create: async (...given) => {
      await first();
      return skus.create(...given);
    },
    swap: async (...given) => {
      await first();
      return skus.swap(...given);
    },
  };
}

const later = (clock: Site['clock'], milliseconds: number): void => {
  clock.now = instant(clock.now + milliseconds);
};

describe.each(['a new SKU', 'a SKU that stands'])('a definition of %s with a code', (of) => {
  async function arranged(): Promise<Site> {
    const room = site();
    if (of === 'a SKU that stands') await room.define('A', []);
    return room;
  }

  it('does not land once its claim is over and another SKU has the code', async () => {
    const { clock, stock, define, owners } = await arranged();
    const skus = held(stock.ports.skus, async () => {
      later(clock, 10_001);
      expect(await define('B', [code])).toBe('defined');
    });
    expect(await define('A', [code], { skus })).toBe('barcode-taken');
    expect(owners()).toEqual(['B']);
  });

  it('keeps the code from another SKU while it is on its way', async () => {
    const { clock, stock, define, owners } = await arranged();
    const skus = held(stock.ports.skus, async () => {
      later(clock, 4_999);
      expect(await define('B', [code])).toBe('unavailable');
    });
    expect(await define('A', [code], { skus })).toBe('defined');
    expect(owners()).toEqual(['A']);
    expect(await define('B', [code])).toBe('barcode-taken');
  });

  it('keeps it for longer than the clocks of two members differ', async () => {
    const { clock, stock, define } = await arranged();
    const skus = held(stock.ports.skus, async () => {
      later(clock, 9_999);
      expect(await define('B', [code])).toBe('unavailable');
    });
    expect(await define('A', [code], { skus })).toBe('defined');
  });

  it('leaves a claim that gets over, where its process died', async () => {
    const { clock, stock, define, owners } = await arranged();
    const dying = held(stock.ports.skus, () => Promise.reject(new Error('the process died')));
    await expect(define('A', [code], { skus: dying })).rejects.toThrow('died');
    expect(stock.codes.get(code)).toMatchObject({ sku: 'A' });
    expect(await define('B', [code])).toBe('unavailable');
    later(clock, 10_001);
    expect(await define('B', [code])).toBe('defined');
    expect(owners()).toEqual(['B']);
  });
});

describe('a code', () => {
  it('that was dropped is free at once', async () => {
    const { define, owners, stock } = site();
    await define('A', [code]);
    await define('A', []);
    expect(stock.codes.size).toBe(0);
    expect(await define('B', [code])).toBe('defined');
    expect(owners()).toEqual(['B']);
  });

  it('is not kept by a definition that another code of it has refused', async () => {
    const { define, stock } = site();
    await define('A', [code]);
    expect(await define('B', ['other', code])).toBe('barcode-taken');
    expect(Array.from(stock.codes.keys())).toEqual([code]);
  });

  it('that is taken is refused to a SKU for as long as it is', async () => {
    const { clock, define } = site();
    await define('A', [code]);
    later(clock, 1_000_000);
    expect(await define('B', [code])).toBe('barcode-taken');
  });

  it('leads to its SKU, and nowhere while it is only claimed', async () => {
    const { stock, define } = site();
    await define('A', []);
    const { skuByBarcode } = createInventory({ ...stock.ports, timer: briskTimer() }, 500);
    const skus = held(stock.ports.skus, async () => {
      expect(stock.codes.get(code)).toMatchObject({ sku: 'A' });
      expect(await skuByBarcode(code)).toEqual({ kind: 'not-found' });
    });
    await define('A', [code], { skus });
    expect(await skuByBarcode(code)).toMatchObject({ kind: 'ok', value: { sku: 'A' } });
    await define('A', []);
    expect(await skuByBarcode(code)).toEqual({ kind: 'not-found' });
  });
});
