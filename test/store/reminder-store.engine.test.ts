/** What the reminders' documents hold to, whoever writes them at the same time. */
import { describe, expect, it } from 'vitest';
import { reminderNameOf } from '../../src/domain/reminder.ts';
import type { ReminderId } from '../../src/domain/reminder.ts';
import { receiver, useReminders } from '../support/reminders.ts';

const room = useReminders();

async function taken(ids: readonly ReminderId[]) {
  const lease = `lease-${Math.random()}`;
  const asked = await room.store().take({ ids, lease, forMilliseconds: 5_000 });
  if (asked.kind === 'unknown') throw new Error(asked.cause);
  return asked.value.taken.map(({ id }) => ({ id, lease }));
}

describe('taking', () => {
  it('gives each reminder to one of three that reach for the same ones', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = await room.armMany(`taken-${round}`, 100);
      const got = (await Promise.all([taken(ids), taken(ids), taken(ids)])).flat();
      expect(got.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    }
  });

  it('gives nothing before it is due, nor under a lease that stands', async () => {
    const later = await room.arm('later', { due: { afterMilliseconds: 60_000 } });
    const now = await room.arm('now');
    expect((await taken([later, now])).map(({ id }) => id)).toEqual([now]);
    expect(await taken([later, now])).toEqual([]);
  });
});

describe('a setting', () => {
  it('is not undone by a renewal or an end that comes at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = await room.armMany(`set-${round}`, 100);
      const holdings = await taken(ids);
      const moved = { due: { afterMilliseconds: 60_000 }, payload: '"moved"' };
      const retried = holdings.map((holding) => ({ ...holding, kind: 'released' as const }));
      await Promise.all([
        room.store().renew(holdings, 10_000),
        room.armMany(`set-${round}`, 60, moved),
        room.store().settle(retried),
      ]);
      const filter = { _id: { $in: ids.slice(0, 60) }, payload: '"moved"', attempts: 0 };
      expect(await room.reminders.countDocuments(filter)).toBe(60);
      const due = await room.store().due({
        receivers: [receiver('~test')],
        before: await room.now(),
        limit: 1_000,
      });
      if (due.kind === 'unknown') throw new Error(due.cause);
      const dueIds = new Set<string>(due.value.candidates.map(({ id }) => id));
      expect(ids.slice(0, 60).filter((id) => dueIds.has(id))).toEqual([]);
    }
  });

  it('ends the lease that stood', async () => {
    const id = await room.arm('leased');
    const [holding] = await taken([id]);
    if (holding === undefined) throw new Error('it was due');
    await room.arm('leased', { due: { afterMilliseconds: 60_000 } });
    const renewed = await room.store().renew([holding], 5_000);
    expect(renewed).toEqual({ kind: 'found', value: new Set() });
    await room.store().settle([{ ...holding, kind: 'finished' }]);
    expect(await room.look(id)).toBeDefined();
  });
});

describe('what an actor has set', () => {
  it('goes with it, and nothing else', async () => {
    await room.armMany('gone', 30);
    const { store } = room;
    const others = ['~test1', '~tes', '~test-a'].map((actor) => `${actor}/x`);
    for (const text of others) await room.armAs(text);
    const { actor } = reminderNameOf(await room.arm('last'));
    expect(await store().disarmAll(actor)).toEqual({ kind: 'found', value: 31 });
    const left = await room.reminders.find({}, { sort: { _id: 1 } }).toArray();
    expect(left.map(({ _id }) => _id)).toEqual(others.toSorted());
  });
});

describe('the list', () => {
  it('shows every reminder once, page by page, in the order of the ids', async () => {
    const ids = await room.armMany('listed', 25);
    const seen: string[] = [];
    for (let after: (typeof ids)[number] | undefined; ;) {
      const page = await room.store().list({ limit: 10, ...(after !== undefined && { after }) });
      if (page.kind === 'unknown') throw new Error(page.cause);
      if (page.value.length === 0) break;
      seen.push(...page.value.map(({ reminder }) => reminder.id));
      after = page.value.at(-1)?.reminder.id;
    }
    expect(seen).toEqual(ids.toSorted());
  });
});

describe('the validator', () => {
  it.each([
    ['a state of its own', { $set: { state: 'asleep' } }],
    ['16 KiB', { $set: { payload: 'x'.repeat(16 * 1024) } }],
    ['a count below zero', { $set: { attempts: -1 } }],
    ['no time', { $unset: { dueAt: '' as const } }],
  ])('refuses %s', async (_, update) => {
    const id = await room.arm('written');
    const written = room.reminders.updateOne({ _id: id }, update as never);
    await expect(written).rejects.toMatchObject({ code: 121 });
  });
});
