/** G1, G3, G11: one effect for one key, whatever dies or gets lost on the way. */
import { describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/inventory/answer.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import { action, receive, ship, transfer } from '../support/actions.ts';
import type { CrashPoint } from '../support/faulty-ports.ts';
import { Crash, crashingPorts, losingAnswers } from '../support/faulty-ports.ts';
import { done, outcome, useStockroom } from '../support/stockroom.ts';

const room = useStockroom();

/** Posts through a process that may die; undefined when it did. */
async function attempt(
  request: ReturnType<typeof action>,
  point: CrashPoint,
): Promise<ActionAnswer | undefined> {
  const { ports } = crashingPorts(room.ports(), point);
  try {
    return await room.process(ports).post(request);
  } catch (error) {
    if (error instanceof Crash) return undefined;
    throw error;
  }
}

async function shipHundred(inventory: RunningInventory, id: string): Promise<void> {
  await Promise.all(
    Array.from({ length: 100 }, () => done(inventory, action(ship('A1', 1), { id }))),
  );
}

describe('a process that dies during a movement', () => {
  it('leaves one effect after the retry, and 600 movements later, at whichever call it died', async () => {
    await room.stockSku('CALLS', { A1: 1 });
    const watched = crashingPorts(room.ports());
    await done(room.process(watched.ports), action(ship('A1', 1), { id: 'CALLS' }));
    expect(watched.calls.filter((call) => call !== 'locations.find')).toEqual([
      'skus.read',
      'actions.claim',
      'skus.swap',
      'ledger.record',
    ]);
    for (let call = 1; call <= watched.calls.length; call += 1) {
      for (const side of ['before', 'after'] as const) {
        const id = `CRASH-${call}-${side}`;
        await room.stockSku(id, { A1: 1_010 });
        const request = action(transfer('A1', 'B1', 4), { id });
        expect(await attempt(request, { call, side })).toBeUndefined();
        const retried = await done(room.process(), request);
        expect((await room.document(id)).levels).toEqual([
          { location: 'A1', onHand: 1_006 },
          { location: 'B1', onHand: 4 },
        ]);
        const others = room.process();
        for (let round = 0; round < 6; round += 1) await shipHundred(others, id);
        const again = await done(room.process(), request);
        expect(again.movement).toEqual(retried.movement);
        expect(again.replayed).toBe(true);
        const { levels, movementCount } = await room.document(id);
        expect(levels.find(({ location }) => location === 'A1')?.onHand).toBe(406);
        expect(movementCount).toBe(602);
        expect(await room.faults(id)).toEqual([]);
      }
    }
  });

  it('is healed by writers that come after it, so that no ordinal is missing from the ledger', async () => {
    await room.stockSku('HEAL', { A1: 100 });
    const request = action({ ...ship('A1', 1) }, { id: 'HEAL' });
    // skus.read, locations.find, actions.claim, skus.swap: dies before the ledger entry.
    expect(await attempt({ ...request, note: 'kept' }, { call: 4, side: 'after' })).toBeUndefined();
    const other = room.process();
    for (let count = 0; count < 40; count += 1) {
      await done(other, action(ship('A1', 1), { id: 'HEAL' }));
    }
    expect((await room.entries('HEAL')).map(({ ordinal }) => ordinal)).toEqual(
      Array.from({ length: 42 }, (_, index) => index + 1),
    );
    const document = await room.document('HEAL');
    expect(document.ledgeredThrough).toBeGreaterThanOrEqual(2);
    const retried = await done(other, { ...request, note: 'kept' });
    expect(retried).toMatchObject({ replayed: true, movement: { ordinal: 2, note: 'kept' } });
  });
});

describe('an answer of the database that gets lost', () => {
  it.each(['request', 'answer'] as const)(
    'has one effect when the %s of any call is lost',
    async (lost) => {
      for (let lostCall = 1; lostCall <= 4; lostCall += 1) {
        const id = `LOST-${lost}-${lostCall}`;
        await room.stockSku(id, { A1: 10 });
        const ports = losingAnswers(room.ports(), (_, call) =>
          call === lostCall ? lost : 'nothing',
        );
        const answer = await room.process(ports).post(action(ship('A1', 3), { id }));
        expect(outcome(answer)).toBe('moved');
        expect((await room.document(id)).levels).toEqual([{ location: 'A1', onHand: 7 }]);
        expect(await room.faults(id)).toEqual([]);
      }
    },
  );

  it('is answered as unknown when the database stays away, and the key is safe to send again', async () => {
    await room.stockSku('AWAY', { A1: 10 });
    let swaps = 0;
    const ports = losingAnswers(room.ports(), (name) => {
      if (name === 'skus.swap') swaps += 1;
      return swaps > 0 ? (name === 'skus.swap' ? 'answer' : 'request') : 'nothing';
    });
    const { createInventory } = await import('../../src/inventory/create-inventory.ts');
    const request = action(ship('A1', 3), { id: 'AWAY' });
    const inventory = createInventory(ports, 400);
    expect(outcome(await inventory.post(request))).toBe('unavailable');
    await inventory.idle();
    expect(outcome(await room.process().post(request))).toBe('replayed');
    expect((await room.document('AWAY')).levels).toEqual([{ location: 'A1', onHand: 7 }]);
  });
});

describe('one key', () => {
  it('has one effect when it is sent 20 times at once through two processes', async () => {
    await room.stockSku('SAME', { A1: 100 });
    const request = action(ship('A1', 5), { id: 'SAME' });
    const processes = [room.process(), room.process()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        done(processes[index % 2] ?? room.process(), request),
      ),
    );
    for (const { movement } of answers) expect(movement).toEqual(answers[0]?.movement);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await room.document('SAME')).levels).toEqual([{ location: 'A1', onHand: 95 }]);
  });

  it('belongs to one request, on whatever SKU another one comes', async () => {
    await room.stockSku('ONE', { A1: 10 });
    await room.stockSku('TWO', { A1: 10 });
    const first = action(ship('A1', 1), { id: 'ONE', key: 'shared' });
    await done(room.process(), first);
    for (const other of [
      action(ship('A1', 2), { id: 'ONE', key: 'shared' }),
      action(ship('A1', 1), { id: 'TWO', key: 'shared' }),
      action(ship('A1', 11), { id: 'TWO', key: 'shared' }),
    ]) {
      expect(outcome(await room.process().post(other))).toBe('idempotency-key-reused');
    }
    expect((await room.document('TWO')).levels).toEqual([{ location: 'A1', onHand: 10 }]);
  });

  it('has at most one effect when two SKUs ask for it at once', async () => {
    await room.stockSku('LEFT', { A1: 10 });
    await room.stockSku('RIGHT', { A1: 10 });
    for (let round = 0; round < 10; round += 1) {
      const key = `race-${round}`;
      const answers = await Promise.all(
        ['LEFT', 'RIGHT'].map((id) => room.process().post(action(ship('A1', 1), { id, key }))),
      );
      expect(answers.map(outcome).toSorted()).toEqual(['idempotency-key-reused', 'moved']);
    }
  });

  it('stays unused by a refusal: the same request may succeed after a restock', async () => {
    await room.stockSku('RESTOCK', { A1: 1 });
    const inventory = room.process();
    const request = action(ship('A1', 2), { id: 'RESTOCK' });
    const before = await room.document('RESTOCK');
    expect(outcome(await inventory.post(request))).toBe('insufficient-stock');
    expect(await room.document('RESTOCK')).toEqual(before);
    await done(inventory, action(receive('A1', 1), { id: 'RESTOCK' }));
    expect(outcome(await inventory.post(request))).toBe('moved');
  });
});

describe('a key long after', () => {
  it('is recognised 1,200 movements later, with the ordinal it had', async () => {
    await room.stockSku('LATE', { A1: 5_000 });
    const inventory = room.process();
    const request = action(ship('A1', 7), { id: 'LATE' });
    const first = await done(inventory, request);
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(
        Array.from({ length: 100 }, () => done(inventory, action(ship('A1', 1), { id: 'LATE' }))),
      );
    }
    const again = await done(room.process(), request);
    expect(again).toEqual({ ...first, replayed: true });
    const document = await room.document('LATE');
    expect(document.movements).toHaveLength(500);
    expect(document.levels).toEqual([{ location: 'A1', onHand: 5_000 - 7 - 1_200 }]);
    expect(await room.faults('LATE')).toEqual([]);
  });
});
