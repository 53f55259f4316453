import { describe, expect, it } from 'vitest';
import type { Take } from '../../src/inventory/lanes.ts';
import { createLanes } from '../../src/inventory/lanes.ts';

interface Door {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function door(): Door {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Lanes whose every batch waits for its door. */
function recording(batchLimit: number, waitingLimit = 100) {
  const batches: {
    key: string;
    batch: readonly number[];
    waiting: () => number;
    door: Door;
  }[] = [];
  const arrivals: (() => void)[] = [];
  const lanes = createLanes<string, number>(
    { waitingLimit, mayJoin: (batch) => batch.length < batchLimit },
    async (key: string, take: Take<number>, waiting: () => number) => {
      for (let batch = take(); batch.length > 0; batch = take()) {
        const gate = door();
        batches.push({ key, batch, waiting, door: gate });
        arrivals.splice(0).forEach((arrive) => {
          arrive();
        });
        await gate.opened;
      }
    },
  );
  async function begun(count: number): Promise<void> {
    while (batches.length < count) {
      await new Promise<void>((resolve) => arrivals.push(resolve));
    }
  }
  return { lanes, batches, begun };
}

describe('a lane', () => {
  it('sends together, in order, what arrives while a batch is under way', async () => {
    const { lanes, batches, begun } = recording(10);
    for (const work of [1, 2, 3, 4]) lanes.enter('a', work);
    expect(batches.map(({ batch }) => batch)).toEqual([[1]]);
    batches[0]?.door.open();
    await begun(2);
    expect(batches[1]?.batch).toEqual([2, 3, 4]);
    batches[1]?.door.open();
    await lanes.idle();
  });

  it('tells how much waits for the next batch, its own key alone', async () => {
    const { lanes, batches, begun } = recording(10);
    for (const work of [1, 2, 3]) lanes.enter('a', work);
    lanes.enter('b', 4);
    expect(batches.map(({ waiting }) => waiting())).toEqual([2, 0]);
    for (const { door: gate } of batches) gate.open();
    await begun(3);
    expect(batches[2]?.waiting()).toBe(0);
    batches[2]?.door.open();
    await lanes.idle();
  });

  it('keeps a batch within its limit and leaves the rest for the next', async () => {
    const { lanes, batches, begun } = recording(2);
    for (const work of [1, 2, 3, 4]) lanes.enter('a', work);
    batches[0]?.door.open();
    await begun(2);
    batches[1]?.door.open();
    await begun(3);
    expect(batches.map(({ batch }) => batch)).toEqual([[1], [2, 3], [4]]);
    batches[2]?.door.open();
    await lanes.idle();
  });

  it('does not hold up another key', () => {
    const { lanes, batches } = recording(10);
    lanes.enter('a', 1);
    lanes.enter('b', 2);
    expect(batches.map(({ key }) => key)).toEqual(['a', 'b']);
    for (const { door: gate } of batches) gate.open();
  });

  it('turns work away once it is full', async () => {
    const { lanes, batches, begun } = recording(10, 2);
    expect([1, 2, 3, 4].map((work) => lanes.enter('a', work))).toEqual([true, true, true, false]);
    batches[0]?.door.open();
    await begun(2);
    batches[1]?.door.open();
    await lanes.idle();
    expect(lanes.enter('a', 5)).toBe(true);
    batches[2]?.door.open();
    await lanes.idle();
  });
});
