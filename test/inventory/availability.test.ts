import { describe, expect, it } from 'vitest';
import type { WarehouseId } from '../../src/domain/ids.ts';
import { parseWarehouseId } from '../../src/domain/ids.ts';
import { createAvailability } from '../../src/inventory/availability.ts';
import type { Read } from '../../src/inventory/ports.ts';

type List = readonly string[];
type Answer = Read<List>;

const listed = (...value: string[]): Answer => ({ kind: 'found', value });
const silent: Answer = { kind: 'unknown', cause: 'no database' };

function warehouse(text: string): WarehouseId {
  const id = parseWarehouseId(text);
  if (id === undefined) throw new TypeError(text);
  return id;
}
const north = warehouse('NORTH');
const south = warehouse('SOUTH');

/** Time and database as the test has them; what is asked stays open until it is answered. */
function world() {
  let now = 1;
  const alarms: { readonly at: number; readonly then: () => void }[] = [];
  const asked: {
    readonly of: WarehouseId | undefined;
    readonly give: (answer: Answer) => void;
  }[] = [];
  const timer = {
    monotonic: () => now,
    after: (milliseconds: number, then: () => void) => {
      const alarm = { at: now + milliseconds, then };
      alarms.push(alarm);
      return () => {
        const at = alarms.indexOf(alarm);
        if (at >= 0) alarms.splice(at, 1);
      };
    },
  };
  const read = (of?: WarehouseId) =>
    new Promise<Answer>((give) => {
      asked.push({ of, give });
    });
  return {
    ...createAvailability<List>({ read, timer, seconds: 10 }),
    asked: () => asked.map(({ of }) => of),
    alarms: () => alarms.length,
    answer: (place: number, answer: Answer) => {
      const question = asked[place];
      if (question === undefined) throw new RangeError(`nothing was asked as number ${place}`);
      question.give(answer);
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
      for (const alarm of alarms.filter(({ at }) => at <= now)) alarm.then();
    },
  };
}

/** A list that is remembered, from one recomputation. */
async function warm() {
  const room = world();
  const first = room.get(north);
  room.answer(0, listed('first'));
  expect(await first).toEqual(listed('first'));
  return room;
}

describe('what remains of the slots', () => {
  it('is computed once for a thousand who ask at once of a cold cache', async () => {
    const { get, asked, answer, alarms } = world();
    const readers = Array.from({ length: 1_000 }, () => get(north));
    answer(0, listed('one'));
    const answers = await Promise.all(readers);
    expect(new Set(answers.map((given) => JSON.stringify(given))).size).toBe(1);
    expect(asked()).toEqual([north]);
    expect(alarms()).toBe(0);
  });

  it('is remembered for its time, for each warehouse and for all of them', async () => {
    const { get, asked, answer, pass } = await warm();
    pass(10_000);
    expect(await get(north)).toEqual(listed('first'));
    const others = [get(south), get()];
    answer(1, listed('south'));
    answer(2, listed('all'));
    expect(await Promise.all(others)).toEqual([listed('south'), listed('all')]);
    expect(asked()).toEqual([north, south, undefined]);
  });

  it('is shown as it was while one recomputes it', async () => {
    const { get, asked, answer, pass } = await warm();
    pass(10_001);
    expect(await Promise.all([get(north), get(north)])).toEqual([listed('first'), listed('first')]);
    expect(asked()).toEqual([north, north]);
    answer(1, listed('second'));
    await settled();
    expect(await get(north)).toEqual(listed('second'));
    expect(asked()).toHaveLength(2);
  });

  it('is not shown when it is twice as old as it may be', async () => {
    const { get, asked, answer, pass } = await warm();
    pass(20_000);
    const read = get(north);
    answer(1, listed('second'));
    expect(await read).toEqual(listed('second'));
    expect(asked()).toHaveLength(2);
  });

  it('is asked of the database by each whose three seconds run out', async () => {
    const { get, asked, answer, pass } = world();
    const readers = [get(north), get(north)];
    pass(2_999);
    expect(asked()).toHaveLength(1);
    pass(1);
    await settled();
    expect(asked()).toHaveLength(3);
    answer(1, listed('directly'));
    answer(2, listed('directly too'));
    expect(await Promise.all(readers)).toEqual([listed('directly'), listed('directly too')]);
  });

  it('is forgotten for the warehouse that changed and in the list of all, and nowhere else', async () => {
    const { get, asked, answer, drop } = await warm();
    const others = [get(south), get()];
    answer(1, listed('south'));
    answer(2, listed('all'));
    await Promise.all(others);
    drop(north);
    expect(await get(south)).toEqual(listed('south'));
    const again = [get(north), get()];
    answer(3, listed('second'));
    answer(4, listed('all of it'));
    expect(await Promise.all(again)).toEqual([listed('second'), listed('all of it')]);
    expect(asked()).toHaveLength(5);
  });

  it('is not filled by a recomputation that began before a drop', async () => {
    const { get, asked, answer, drop } = world();
    const before = get(north);
    drop(north);
    answer(0, listed('before'));
    expect(await before).toEqual(listed('before'));
    const after = get(north);
    expect(asked()).toHaveLength(2);
    answer(1, listed('after'));
    expect(await after).toEqual(listed('after'));
  });

  it('is neither joined nor overwritten by what began before a drop and ends late', async () => {
    const { get, asked, answer, drop } = world();
    const before = get(north);
    drop(north);
    const after = get(north);
    answer(1, listed('after'));
    expect(await after).toEqual(listed('after'));
    answer(0, listed('before'));
    expect(await before).toEqual(listed('before'));
    expect(await get(north)).toEqual(listed('after'));
    expect(asked()).toHaveLength(2);
  });

  it('is not shown as it was before a drop, though a recomputation was under way', async () => {
    const { get, asked, answer, drop, pass } = await warm();
    pass(10_001);
    await get(north);
    drop(north);
    answer(1, listed('before'));
    const after = get(north);
    expect(asked()).toHaveLength(3);
    answer(2, listed('after'));
    expect(await after).toEqual(listed('after'));
  });
});

describe('a recomputation that fails', () => {
  it('is told to all who wait for it, and the next one asks again', async () => {
    const { get, asked, answer } = world();
    const readers = [get(north), get(north)];
    answer(0, silent);
    expect(await Promise.all(readers)).toEqual([silent, silent]);
    const next = get(north);
    answer(1, listed('back'));
    expect(await next).toEqual(listed('back'));
    expect(asked()).toHaveLength(2);
  });

  it('leaves the last copy to be shown for its time', async () => {
    const { get, answer, pass } = await warm();
    pass(10_001);
    await get(north);
    answer(1, silent);
    await settled();
    expect(await get(north)).toEqual(listed('first'));
    pass(9_999);
    const late = get(north);
    answer(2, silent);
    expect(await late).toEqual(silent);
  });
});

describe('the lists that are remembered', () => {
  it('are bounded in number, whatever warehouses are asked for', async () => {
    const { get, asked, answer } = await warm();
    for (let place = 1; place <= 500; place += 1) {
      const read = get(warehouse(`W${place}`));
      answer(place, listed('none'));
      await read;
    }
    void get(north);
    expect(asked()).toHaveLength(502);
  });
});

/** Lets what is decided already take its course. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
