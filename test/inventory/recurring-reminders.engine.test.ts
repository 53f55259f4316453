/** Which occurrences of a recurring reminder are delivered, on the real engine. */
import { describe, expect, it } from 'vitest';
import type { Deliver, Delivered } from '../../src/inventory/reminder-delivery.ts';
import { instant } from '../support/actions.ts';
import { done, useReminders } from '../support/reminders.ts';

const room = useReminders();

const failed: Delivered = { kind: 'failed', cause: 'it said no' };
const obey: Deliver = () => Promise.resolve(done);

describe('a recurring reminder', () => {
  const hourMs = 3_600_000;

  it('that missed some is delivered for the latest, then goes on', async () => {
    const now = await room.now();
    const at = instant(now - 5.5 * hourMs);
    const id = await room.arm('latest', { due: { at }, recurring: { every: 'PT1H' } });
    const clerk = room.clerk(obey);
    const found = await room.until(id, (look) => (look?.reminder.dueAt ?? 0) > now);
    expect(clerk.deliveries.map(({ dueAt }) => (dueAt - at) / hourMs)).toEqual([5]);
    expect(found?.reminder.dueAt).toBe(at + 6 * hourMs);
    await clerk.stop();
  });

  it('that missed some is delivered for all, one after the other, under ids of their own', async () => {
    const now = await room.now();
    const at = instant(now - 5.5 * hourMs);
    const setting = { due: { at }, recurring: { every: 'PT1H' }, missed: 'all' } as const;
    const id = await room.arm('all', setting);
    const clerk = room.clerk(obey);
    await room.until(id, (look) => (look?.reminder.dueAt ?? 0) > now);
    expect(clerk.deliveries.map(({ dueAt }) => (dueAt - at) / hourMs)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(clerk.deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(6);
    await clerk.stop();
  });

  it('keeps the occurrence whose delivery has begun, though the next comes meanwhile', async () => {
    const now = await room.now();
    const at = instant(now - 59_500);
    const id = await room.arm('kept', { due: { at }, recurring: { every: 'PT1M' } });
    const patience = { attemptsLimit: 1_000, baseMilliseconds: 50, capMilliseconds: 100 };
    const clerk = room.clerk(async () => ((await room.now()) < at + 60_300 ? failed : done), {
      settings: { patience },
    });
    await room.until(id, (look) => (look?.reminder.dueAt ?? 0) > at + 60_000);
    const kept = clerk.deliveries.filter(({ dueAt }) => dueAt === at);
    expect(kept.length).toBeGreaterThan(2);
    expect(new Set(kept.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(clerk.deliveries.slice(kept.length).map(({ dueAt }) => dueAt)).toEqual([at + 60_000]);
    await clerk.stop();
  });

  it('catches up with at most 1,000', async () => {
    const now = await room.now();
    const at = instant(now - 1_500.5 * 60_000);
    const setting = { due: { at }, recurring: { every: 'PT1M' }, missed: 'all' } as const;
    const id = await room.arm('many', setting);
    const clerk = room.clerk(obey);
    await room.until(id, (look) => (look?.reminder.dueAt ?? 0) > now);
    const delivered = clerk.deliveries.filter(({ dueAt }) => dueAt <= now);
    expect(delivered).toHaveLength(1_000);
    expect(delivered[0]?.dueAt).toBe(at + 501 * 60_000);
    await clerk.stop();
  });

  it('that is suspended and resumed delivers the occurrence that failed', async () => {
    const id = await room.arm('resumed', { recurring: { every: 'P1D' } });
    let answer: Delivered = failed;
    const clerk = room.clerk(() => Promise.resolve(answer));
    await room.until(id, (look) => look?.reminder.state === 'suspended');
    answer = done;
    const resumed = await room.store().resume(id);
    expect(resumed).toMatchObject({ value: { reminder: { state: 'armed', attempts: 0 } } });
    await room.until(id, (look) => (look?.reminder.dueAt ?? 0) > (look?.now ?? 0));
    expect(new Set(clerk.deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect((await room.look(id))?.reminder).toMatchObject({ attempts: 0 });
    await clerk.stop();
  });
});
