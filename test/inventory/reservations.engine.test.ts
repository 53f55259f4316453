/** G7: holds end by the database's clock, without anybody doing anything. */
import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ReservationId } from '../../src/domain/reservation.ts';
import type { Moved } from '../../src/inventory/answer.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import type { Ports } from '../../src/inventory/ports.ts';
import { action, quantity, reserve, ship, sku } from '../support/actions.ts';
import { Crash, crashingPorts } from '../support/faulty-ports.ts';
import { done, outcome, useStockroom } from '../support/stockroom.ts';

const room = useStockroom();

function hold(
  inventory: RunningInventory,
  id: string,
  amount: number,
  seconds: number | null = null,
): Promise<Moved> {
  return done(inventory, action(reserve('A1', amount, seconds), { id }));
}

function idOf({ movement }: Moved): ReservationId {
  const id = movement.reservation?.id;
  if (id === undefined) throw new Error('the movement made no reservation');
  return id;
}

const commit = (reservation: ReservationId, amount?: number) => ({
  type: 'commit' as const,
  reservation,
  ...(amount === undefined ? {} : { quantity: quantity(amount) }),
});
const release = (reservation: ReservationId) => ({ type: 'release' as const, reservation });

async function available(inventory: RunningInventory, id: string): Promise<number> {
  const answer = await inventory.sku(sku(id));
  if (answer.kind !== 'ok') throw new Error(answer.kind);
  return answer.value.totals.available;
}

async function stateOf(
  inventory: RunningInventory,
  id: string,
  reservation: ReservationId,
): Promise<string> {
  const answer = await inventory.reservation(sku(id), reservation);
  return answer.kind === 'ok' ? answer.value.state : answer.kind;
}

/** Resolves once the database's clock says that the hold has ended. */
async function lapse(
  inventory: RunningInventory,
  id: string,
  reservation: ReservationId,
): Promise<void> {
  while ((await stateOf(inventory, id, reservation)) !== 'expired') {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a hold of everything for one second', () => {
  it('ends by being looked at: free to read, to reserve and to ship, and never to commit', async () => {
    await room.stockSku('SECOND', { A1: 5 });
    const inventory = room.process();
    const held = await hold(inventory, 'SECOND', 5, 1);
    expect(await available(inventory, 'SECOND')).toBe(0);
    expect(outcome(await inventory.post(action(reserve('A1', 1), { id: 'SECOND' })))).toBe(
      'insufficient-stock',
    );
    const before = await room.document('SECOND');
    await lapse(inventory, 'SECOND', idOf(held));
    expect(await available(inventory, 'SECOND')).toBe(5);
    expect(await room.document('SECOND')).toEqual(before);
    expect(outcome(await inventory.post(action(commit(idOf(held)), { id: 'SECOND' })))).toBe(
      'reservation-expired',
    );
    expect(outcome(await inventory.post(action(release(idOf(held)), { id: 'SECOND' })))).toBe(
      'reservation-expired',
    );
    await hold(inventory, 'SECOND', 5);
    const entries = await room.entries('SECOND');
    expect(entries.at(-1)?.actionId).toBe(`~expire/${idOf(held)}`);
    expect(outcome(await inventory.post(action(commit(idOf(held)), { id: 'SECOND' })))).toBe(
      'reservation-expired',
    );
    expect(await stateOf(inventory, 'SECOND', idOf(held))).toBe('expired');
    expect(await room.faults('SECOND')).toEqual([]);
  });

  it('is committed on this side of its end', async () => {
    await room.stockSku('INTIME', { A1: 5 });
    const inventory = room.process();
    const held = await hold(inventory, 'INTIME', 5, 1);
    expect(outcome(await inventory.post(action(commit(idOf(held)), { id: 'INTIME' })))).toBe(
      'moved',
    );
    expect(await stateOf(inventory, 'INTIME', idOf(held))).toBe('committed');
  });

  it('is not committed by a write that comes after its end, though it was read before', async () => {
    await room.stockSku('LATE', { A1: 5 });
    const plain = room.ports();
    const watcher = room.process();
    const held = await hold(watcher, 'LATE', 5, 1);
    let waited = false;
    const slow: Ports = {
      ...plain,
      skus: {
        ...plain.skus,
        swap: async (change) => {
          if (!waited) await lapse(watcher, 'LATE', idOf(held));
          waited = true;
          return plain.skus.swap(change);
        },
      },
    };
    const answer = await room.process(slow).post(action(commit(idOf(held)), { id: 'LATE' }));
    expect(waited).toBe(true);
    expect(outcome(answer)).toBe('reservation-expired');
    expect((await room.document('LATE')).levels).toEqual([{ location: 'A1', onHand: 5 }]);
  });
});

describe('the last unit', () => {
  it('is held once by 20 clients at two processes', async () => {
    await room.stockSku('LASTHOLD', { A1: 1 });
    const processes = [room.process(), room.process()] as const;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        outcome(
          await processes[index % 2 === 0 ? 0 : 1].post(
            action(reserve('A1', 1), { id: 'LASTHOLD' }),
          ),
        ),
      ),
    );
    expect(outcomes.filter((word) => word === 'moved')).toHaveLength(1);
    expect(outcomes.filter((word) => word === 'insufficient-stock')).toHaveLength(19);
    expect((await room.document('LASTHOLD')).reservations).toHaveLength(1);
  });
});

describe('an ended hold', () => {
  it('is told by its own name, and releasing it twice gives one answer', async () => {
    await room.stockSku('ENDED', { A1: 10 });
    const inventory = room.process();
    const post = async (change: ReturnType<typeof commit> | ReturnType<typeof release>) =>
      inventory.post(action(change, { id: 'ENDED' }));
    const shipped = idOf(await hold(inventory, 'ENDED', 4));
    expect(outcome(await post(commit(shipped, 1)))).toBe('moved');
    expect(await room.document('ENDED')).toMatchObject({
      levels: [{ onHand: 9 }],
      reservations: [{ quantity: 3 }],
    });
    expect(outcome(await post(commit(shipped, 4)))).toBe('reservation-exceeded');
    expect(outcome(await post(commit(shipped)))).toBe('moved');
    expect(outcome(await post(commit(shipped)))).toBe('reservation-committed');
    expect(outcome(await post(release(shipped)))).toBe('reservation-committed');
    const dropped = idOf(await hold(inventory, 'ENDED', 4));
    const first = await done(inventory, action(release(dropped), { id: 'ENDED' }));
    const second = await done(inventory, action(release(dropped), { id: 'ENDED' }));
    expect(second.movement).toEqual(first.movement);
    expect(outcome(await post(commit(dropped)))).toBe('reservation-released');
    expect(outcome(await post(release('0000000000000000000000' as ReservationId)))).toBe(
      'unknown-reservation',
    );
    expect((await room.document('ENDED')).reservations).toEqual([]);
    expect(await available(inventory, 'ENDED')).toBe(6);
  });

  it('is still found when 600 movements have pushed its own out of the window', async () => {
    await room.stockSku('FAR', { A1: 1_000 });
    const inventory = room.process();
    const dropped = idOf(await hold(inventory, 'FAR', 4));
    const first = await done(inventory, action(release(dropped), { id: 'FAR' }));
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(
        Array.from({ length: 100 }, () => done(inventory, action(ship('A1', 1), { id: 'FAR' }))),
      );
    }
    expect(await stateOf(inventory, 'FAR', dropped)).toBe('released');
    expect((await done(inventory, action(release(dropped), { id: 'FAR' }))).movement).toEqual(
      first.movement,
    );
    expect(outcome(await inventory.post(action(commit(dropped), { id: 'FAR' })))).toBe(
      'reservation-released',
    );
  });
});

describe('1,000 holds', () => {
  /** Holds one unit 1,000 times; the first three for as long as is said. */
  async function fill(
    inventory: RunningInventory,
    id: string,
    seconds: number | null,
  ): Promise<void> {
    await room.stockSku(id, { A1: 100_000 });
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          hold(inventory, id, 1, round === 0 && index < 3 ? seconds : null),
        ),
      );
    }
  }

  async function reserveFive(inventory: RunningInventory, id: string): Promise<readonly string[]> {
    const outcomes = Array.from({ length: 5 }, async () =>
      outcome(await inventory.post(action(reserve('A1', 1), { id }))),
    );
    return (await Promise.all(outcomes)).toSorted();
  }

  it('that all live fill a document that stays under 1 MiB, and the next is refused', async () => {
    const inventory = room.process();
    await fill(inventory, 'ALLLIVE', null);
    const full = await room.document('ALLLIVE');
    expect(full.reservations).toHaveLength(1_000);
    expect(full.movements).toHaveLength(500);
    expect(BSON.calculateObjectSize(full)).toBeLessThan(1024 * 1024);
    expect(await reserveFive(inventory, 'ALLLIVE')).toEqual(Array(5).fill('reservation-limit'));
  });

  it('of which three have lapsed make room for three, in the same write', async () => {
    const inventory = room.process();
    await fill(inventory, 'LAPSED', 30);
    const { reservations } = await room.document('LAPSED');
    // Their end is set to now by the database; nothing else tells them from holds that ran out.
    await room.collections.skus.updateOne({ _id: sku('LAPSED') }, [
      { $set: { reservations: { $map: { input: '$reservations', in: ended('$$this') } } } },
    ]);
    expect(await reserveFive(inventory, 'LAPSED')).toEqual([
      'moved',
      'moved',
      'moved',
      'reservation-limit',
      'reservation-limit',
    ]);
    const after = await room.document('LAPSED');
    expect(after.reservations).toHaveLength(1_000);
    const gone = reservations.filter(({ expiresAt }) => expiresAt !== null);
    const kept = new Set(after.reservations.map(({ id }) => id));
    expect(gone.filter(({ id }) => kept.has(id))).toEqual([]);
    expect(await room.faults('LAPSED')).toEqual([]);
  });

  /** A hold whose time is up, where it had one. */
  function ended(hold: string): object {
    const isTimed = { $ne: [`${hold}.expiresAt`, null] };
    return { $cond: [isTimed, { $mergeObjects: [hold, { expiresAt: '$$NOW' }] }, hold] };
  }
});

describe('a process that dies during a commit', () => {
  it('leaves one shipment after the retry, at whichever call it died', async () => {
    await room.stockSku('DIES', { A1: 100 });
    const held = await hold(room.process(), 'DIES', 1);
    const watched = crashingPorts(room.ports());
    await done(room.process(watched.ports), action(commit(idOf(held)), { id: 'DIES' }));
    let shipped = 1;
    for (let call = 1; call <= watched.calls.length; call += 1) {
      for (const side of ['before', 'after'] as const) {
        const next = await hold(room.process(), 'DIES', 1);
        const request = action(commit(idOf(next)), { id: 'DIES' });
        const { ports } = crashingPorts(room.ports(), { call, side });
        await expect(room.process(ports).post(request)).rejects.toThrow(Crash);
        await done(room.process(), request);
        shipped += 1;
        expect((await room.document('DIES')).levels).toEqual([
          { location: 'A1', onHand: 100 - shipped },
        ]);
      }
    }
    expect((await room.document('DIES')).reservations).toEqual([]);
    expect(await room.faults('DIES')).toEqual([]);
  });
});
