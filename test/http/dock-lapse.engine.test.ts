/** Holds that lapse by themselves, by the database's clock. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { dockClient, holdIn } from '../support/dock-client.ts';
import { freshKey, outcomeOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client, database } = useService({ dockHoldSeconds: 2 });
const dock = dockClient(client);

/** Resolves once the hold shows as expired. */
async function lapse(hold: string): Promise<void> {
  while ((await dock.show(hold)).status === 'held') await pause(20);
}

describe('a hold that nobody confirms', () => {
  it('lapses without a write, and its place can be held again', async () => {
    const slot = await dock.open({ capacity: 1 });
    const { id } = holdIn(await dock.hold(slot));
    expect(outcomeOf(await dock.hold(slot))).toBe('409 capacity-exhausted');
    const read = () => database.db.collection<{ _id: string }>('dockSlots').findOne({ _id: slot });
    const before = await read();
    await lapse(id);
    expect(await dock.remaining(slot)).toBe(1);
    expect(await read()).toEqual(before);
    expect(await dock.hold(slot)).toMatchObject({ status: 201 });
    expect(await dock.show(id)).toMatchObject({ status: 'expired' });
  });

  it('cannot be confirmed, and takes nobody its place by being sent or cancelled again', async () => {
    const slot = await dock.open({ capacity: 2 });
    const key = freshKey();
    const first = await dock.hold(slot, { seats: 2 }, key);
    const { id } = holdIn(first);
    await lapse(id);
    const other = holdIn(await dock.hold(slot, { seats: 2 }));
    expect((await dock.confirm(other.id)).status).toBe(200);
    expect(outcomeOf(await dock.confirm(id))).toBe('409 hold-expired');
    const cancelled = await dock.cancel(id);
    expect([cancelled.status, holdIn(cancelled).status]).toEqual([200, 'expired']);
    const again = await dock.hold(slot, { seats: 2 }, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await dock.remaining(slot)).toBe(0);
    expect(await dock.show(other.id)).toMatchObject({ status: 'confirmed' });
    expect(outcomeOf(await dock.hold(slot))).toBe('409 capacity-exhausted');
  });

  it('takes no confirmed place along: confirmed comes before expired', async () => {
    const slot = await dock.open({ capacity: 1 });
    const { id } = holdIn(await dock.hold(slot));
    const { expiresAt } = await dock.show(id);
    await dock.confirm(id);
    await pause(Math.max(0, Date.parse(expiresAt ?? '') - Date.now()) + 50);
    expect(outcomeOf(await dock.confirm(id))).toBe('200');
    expect(await dock.remaining(slot)).toBe(0);
  });
});

describe('twenty carriers and two places', () => {
  // Held for long, so that on a slow machine nothing lapses before it is to.
  const service = useService({ dockHoldSeconds: 300 });
  const patient = dockClient(service.client);
  const slots = service.database.db.collection<{ _id: string }>('dockSlots');

  /** Their time is up as if it had passed: nothing else tells them from holds that ran out. */
  async function lapseAll(slot: string): Promise<void> {
    const ended = { $mergeObjects: ['$$seat', { expiresAt: '$$NOW', heldUntil: '$$NOW' }] };
    const seats = { $map: { input: '$seats', as: 'seat', in: ended } };
    await slots.updateOne({ _id: slot }, [{ $set: { seats } }]);
  }

  it('never have more than two of them, whoever lapses, confirms or cancels', async () => {
    const slot = await patient.open({ capacity: 2 });
    const rounds: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => patient.hold(slot)));
      const held = replies.filter(({ status }) => status === 201).map((reply) => holdIn(reply).id);
      rounds.push(held.length);
      if (round < 2) await lapseAll(slot);
      else {
        const [one = '', other = ''] = held;
        await patient.confirm(one);
        await patient.cancel(other);
        await patient.cancel(other);
      }
    }
    expect(rounds).toEqual([2, 2, 2]);
    expect(await patient.remaining(slot)).toBe(1);
    expect((await patient.hold(slot)).status).toBe(201);
    expect(outcomeOf(await patient.hold(slot))).toBe('409 capacity-exhausted');
  });
});
