import { describe, expect, it } from 'vitest';
import { inBulk } from '../../src/inventory/bulk.ts';

interface Sent {
  readonly items: readonly number[];
  readonly answer: (outcome: string) => void;
  readonly fail: (defect: Error) => void;
}

function recording(underWayLimit: number, itemsLimit: number) {
  const sent: Sent[] = [];
  const send = inBulk<number, string>(
    { underWayLimit, itemsLimit },
    (items) =>
      new Promise((resolve, reject) => {
        sent.push({ items, answer: resolve, fail: reject });
      }),
  );
  return { sent, send };
}

describe('bulk sending', () => {
  it('sends at once what arrives alone, and together what arrives meanwhile', async () => {
    const { sent, send } = recording(1, 100);
    const first = send([1]);
    const others = [send([2]), send([3, 4])];
    expect(sent.map(({ items }) => items)).toEqual([[1]]);
    sent[0]?.answer('one');
    expect(await first).toBe('one');
    await Promise.resolve();
    expect(sent.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
    sent[1]?.answer('others');
    expect(await Promise.all(others)).toEqual(['others', 'others']);
  });

  it('keeps a sender together and a bulk within its limit', async () => {
    const { sent, send } = recording(1, 3);
    const all = [send([1]), send([2, 3]), send([4, 5]), send([6, 7, 8, 9])];
    for (let count = 0; count < 4; count += 1) {
      sent[count]?.answer('done');
      await all[count];
      await Promise.resolve();
    }
    expect(sent.map(({ items }) => items)).toEqual([[1], [2, 3], [4, 5], [6, 7, 8, 9]]);
  });

  it('tells a defect to the senders of its bulk, and goes on', async () => {
    const { sent, send } = recording(1, 100);
    const first = send([1]);
    const second = send([2]);
    sent[0]?.fail(new Error('a defect'));
    await expect(first).rejects.toThrow('a defect');
    await Promise.resolve();
    sent[1]?.answer('done');
    expect(await second).toBe('done');
  });

  it('has no more bulks under way than it may', () => {
    const { sent, send } = recording(2, 100);
    for (const item of [1, 2, 3]) void send([item]);
    expect(sent.map(({ items }) => items)).toEqual([[1], [2]]);
  });
});
