import { describe, expect, it } from 'vitest';
import { closedLoop } from '../../../scripts/bench/load.ts';
import { stockOf } from '../../../scripts/bench/stock.ts';
import type { Mover, Outcome } from '../../../scripts/bench/strategies/mover.ts';

const stock = stockOf('many', 10);

function mover(outcome: (call: number) => Outcome = () => 'moved') {
  const keys = new Set<string>();
  const skus: string[] = [];
  let underWay = 0;
  let most = 0;
  const opened: Mover = {
    move: async (sku, key) => {
      keys.add(key);
      const call = skus.push(sku);
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return outcome(call);
    },
    close: () => Promise.resolve(),
  };
  return { opened, keys, skus, most: () => most };
}

describe('clients in a closed loop', () => {
  it('send as many movements as were asked for, each under a key of its own', async () => {
    const { opened, keys, most } = mover();
    const load = { clients: 4, seed: 1, amount: { movements: 50 } };
    const result = await closedLoop(opened, stock, load);
    expect(keys.size).toBe(50);
    expect(most()).toBe(4);
    expect(result.tallies.reduce((sum, tally) => sum + tally.acknowledged, 0)).toBe(50);
    expect(result.latency.samples).toBe(50);
  });

  it('choose the same SKUs again under the same seed, and others under another', async () => {
    const chosen = async (seed: number) => {
      const { opened, skus } = mover();
      await closedLoop(opened, stock, { clients: 1, seed, amount: { movements: 30 } });
      return skus;
    };
    expect(await chosen(7)).toEqual(await chosen(7));
    expect(await chosen(7)).not.toEqual(await chosen(8));
  });

  it('move every SKU once in turn', async () => {
    const { opened, skus } = mover();
    const load = { clients: 3, seed: 1, amount: { movements: 10 }, inTurn: true };
    await closedLoop(opened, stock, load);
    expect(new Set(skus).size).toBe(10);
  });

  it('keep what was never answered apart', async () => {
    const { opened } = mover((call) => (call % 5 === 0 ? 'unknown' : 'moved'));
    const load = { clients: 2, seed: 1, amount: { movements: 20 } };
    const { tallies, latency } = await closedLoop(opened, stock, load);
    expect(tallies.reduce((sum, tally) => sum + tally.unknown, 0)).toBe(4);
    expect(latency.samples).toBe(16);
  });

  it('stop when a movement is refused', async () => {
    const { opened } = mover();
    const refusing: Mover = { ...opened, move: () => Promise.reject(new Error('run out')) };
    const load = { clients: 2, seed: 1, amount: { seconds: 5 } };
    await expect(closedLoop(refusing, stock, load)).rejects.toThrow('run out');
  });
});
