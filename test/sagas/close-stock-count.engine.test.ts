/** G8, G10 and cases 25, 26 of counts: closing is finished, once, and erases no movement. */
import { describe, expect, it } from 'vitest';
import type { CountId } from '../../src/domain/stock-count.ts';
import { pairText } from '../../src/domain/stock-count.ts';
import { countsOf } from '../../src/store/count-documents.ts';
import { action, receive, reserve, ship } from '../support/actions.ts';
import type { CountingProcess } from '../support/counting.ts';
import {
  cancelling,
  closeCount,
  closing,
  countingProcess,
  countIn,
  openCount,
  outcomes,
  said,
  tally,
} from '../support/counting.ts';
import {
  countOfEveryKind,
  everyOutcome,
  expectClosedOnce,
  gatedProcess,
  lapse,
  stored,
} from '../support/count-of-every-kind.ts';
import { crashGate } from '../support/crash-gate.ts';
import type { CrashPoint } from '../support/faulty-ports.ts';
import { Crash } from '../support/faulty-ports.ts';
import { plantSku, receipts } from '../support/planted.ts';
import { done, outcome, useStockroom } from '../support/stockroom.ts';

const room = useStockroom();

describe('closing', () => {
  it('posts each variance as an adjustment of whoever closes, with the count as its reference', async () => {
    const count = await countOfEveryKind(room, 'KINDS');
    const process = countingProcess(room);
    const closed = await closeCount(process, count.id);
    expect(outcomes(closed)).toEqual(everyOutcome);
    await expectClosedOnce(room, count.id);
    const posted = await process.inventory.history({
      sku: closed.lines[5]?.sku ?? expect.fail('six'),
      limit: 2,
    });
    expect(posted).toMatchObject({
      value: {
        items: [
          {
            type: expect.stringMatching(/adjust|void/) as unknown,
            actor: 'tester',
            reference: count.id,
          },
          {
            type: expect.stringMatching(/adjust|void/) as unknown,
            actor: 'tester',
            reference: count.id,
          },
        ],
      },
    });
    expect(closed.lines[5]?.outcome).toMatchObject({ refused: 'insufficient-stock' });
  });

  it('of a count without lines closes it', async () => {
    await room.stockSku('EMPTY', {});
    const process = countingProcess(room);
    const one = await openCount(process, ['Q1']);
    const other = await openCount(process, ['Q1']);
    expect(one.lines).toEqual([]);
    expect(await closeCount(process, one.id)).toMatchObject({ status: 'closed', lines: [] });
    expect(said(await process.counts.cancel(cancelling(other.id)))).toBe('cancelled');
  });

  it('leaves in place what is shipped meanwhile: 200 ships', async () => {
    await room.stockSku('SHIPS', { A1: 1_000 });
    const process = countingProcess(room);
    const { id } = await openCount(process, ['A1'], { skus: ['SHIPS'] });
    await tally(process, id, ['SHIPS', 'A1'], 990);
    const shippers = [room.process(), process.inventory];
    const ships = Array.from({ length: 200 }, (_, n) =>
      done(shippers[n % 2] ?? process.inventory, action(ship('A1', 1), { id: 'SHIPS' })),
    );
    const closed = await closeCount(process, id);
    await Promise.all(ships);
    expect(outcomes(closed)).toEqual(['adjusted']);
    expect((await room.document('SHIPS')).levels).toEqual([{ location: 'A1', onHand: 790 }]);
    expect(await room.faults('SHIPS')).toEqual([]);
  });

  it('may go below what is reserved, visibly: 20 on hand, 19 reserved, 5 counted', async () => {
    await room.stockSku('HELD', { A1: 20 });
    const process = countingProcess(room);
    await done(process.inventory, action(reserve('A1', 19), { id: 'HELD' }));
    const { id, skus } = await openCount(process, ['A1'], { skus: ['HELD'] });
    await tally(process, id, ['HELD', 'A1'], 5);
    expect(outcomes(await closeCount(process, id))).toEqual(['adjusted']);
    expect(await process.inventory.sku(skus?.[0] ?? expect.fail('one SKU'))).toMatchObject({
      value: { totals: { onHand: 5, reserved: 19, available: -14 } },
    });
    const more = await process.inventory.post(action(reserve('A1', 1), { id: 'HELD' }));
    expect(outcome(more)).toBe('insufficient-stock');
  });

  it('sent 20 times at once, under one key or many, through two processes, is once', async () => {
    const count = await countOfEveryKind(room, 'CLOSE20');
    const processes = [countingProcess(room), countingProcess(room)];
    const answers = await Promise.all(
      processes.flatMap(({ counts }) =>
        Array.from({ length: 10 }, (_, n) =>
          counts.close(closing(count.id, n < 5 ? 'close-20' : undefined)),
        ),
      ),
    );
    for (const answer of answers) {
      expect(countIn(answer)).toEqual(await stored(room, count.id));
    }
    await expectClosedOnce(room, count.id);
    const later = await countingProcess(room).counts.close(closing(count.id));
    expect(countIn(later)).toEqual(await stored(room, count.id));
  });

  it('has one outcome against a cancel at the same time', async () => {
    const process = countingProcess(room);
    for (let round = 0; round < 10; round += 1) {
      const count = await countOfEveryKind(room, `EITHER-${round}`);
      const [closed, cancelled] = await Promise.all([
        process.counts.close(closing(count.id)),
        countingProcess(room).counts.cancel(cancelling(count.id)),
      ]);
      const words = [said(closed), said(cancelled)];
      const { status } = await stored(room, count.id);
      expect(words).toEqual(
        status === 'closed' ? ['closed', 'count-closed'] : ['count-cancelled', 'cancelled'],
      );
      if (status === 'closed') await expectClosedOnce(room, count.id);
      else expect(outcomes(await stored(room, count.id))).toEqual(Array(6).fill('open'));
    }
  });
});

/** Closes through a process that dies at the point. */
async function closeAndDie(id: CountId, point: CrashPoint): Promise<CountingProcess> {
  const dying = gatedProcess(room, crashGate(point).gate);
  await expect(
    dying.counts
      .close(closing(id))
      .then(() => dying.runs.idle())
      .then(() => {
        if (dying.defects.length > 0) throw dying.defects[0];
        throw new Crash('it died after its answer, or never');
      }),
  ).rejects.toBeInstanceOf(Crash);
  return dying;
}

/** Nobody asks again: whoever looks for abandoned sagas brings it to its end. */
async function recover(id: CountId, dead: CountingProcess): Promise<void> {
  if ((await stored(room, id)).status === 'open') {
    // It died before the record said anything: the count is still to be counted, or closed again.
    await closeCount(countingProcess(room), id);
    return;
  }
  if ((await stored(room, id)).status === 'closing') expect(dead.armed.has(id)).toBe(true);
  await lapse(room, id);
  await countingProcess(room).runs.resumeAbandoned();
}

async function callsOfAClosing(name: string): Promise<readonly string[]> {
  const count = await countOfEveryKind(room, name);
  const watching = crashGate();
  const process = gatedProcess(room, watching.gate);
  await closeCount(process, count.id);
  await process.runs.idle();
  return watching.calls;
}

describe('a process that dies while it closes a count', () => {
  it(
    'leaves it to be finished, once, at whichever call it died',
    { timeout: 240_000 },
    async () => {
      const calls = await callsOfAClosing('WATCHED');
      expect(calls).toEqual(expect.arrayContaining(['counts.reopen', 'skus.swap', 'counts.save']));
      for (let call = 1; call <= calls.length; call += 1) {
        for (const side of ['before', 'after'] as const) {
          const count = await countOfEveryKind(room, `DIE-${call}-${side}`);
          const dead = await closeAndDie(count.id, { call, side });
          await recover(count.id, dead);
          await expectClosedOnce(room, count.id);
        }
      }
    },
  );

  it(
    'and another that dies on its way to finish it, leave it to a third',
    { timeout: 600_000 },
    async () => {
      const { length } = await callsOfAClosing('PAIRS');
      for (let first = 1; first <= length; first += 3) {
        for (let second = 1; second <= length; second += 1) {
          const side = (first + second) % 2 === 0 ? 'before' : 'after';
          const count = await countOfEveryKind(room, `DIE-${first}-${second}`);
          await closeAndDie(count.id, { call: first, side: 'after' });
          await lapse(room, count.id);
          const dying = gatedProcess(room, crashGate({ call: second, side }).gate);
          await dying.runs.resumeAbandoned().catch((error: unknown) => {
            expect(error).toBeInstanceOf(Crash);
          });
          await lapse(room, count.id);
          await countingProcess(room).runs.resumeAbandoned();
          if ((await stored(room, count.id)).status === 'open')
            await closeCount(countingProcess(room), count.id);
          await expectClosedOnce(room, count.id);
        }
      }
    },
  );
});

describe('a count of 2,000 lines', () => {
  it(
    'is opened, and closed in the background of a request that has not the time',
    { timeout: 120_000 },
    async () => {
      const process = countingProcess(room);
      const ids = Array.from({ length: 2_000 }, (_, n) => `BIG-${String(n).padStart(4, '0')}`);
      for (let from = 0; from < ids.length; from += 100) {
        await Promise.all(
          ids
            .slice(from, from + 100)
            .map((id) => plantSku(room.db, id, receipts(1, { lines: [['B1', 5]] }))),
        );
      }
      const count = await openCount(process, ['B1'], { skus: ids });
      expect(count.lines).toHaveLength(2_000);
      const counts = countsOf(room.db);
      const lines = count.lines.map((line, n) => ({
        ...line,
        tally: { counted: n % 10, asOfOrdinal: 1, onHand: 5, by: 'tester' },
      }));
      await counts.updateOne({ _id: count.id }, [{ $set: { lines: { $literal: lines } } }]);
      expect((await counts.findOne({ _id: count.id }))?.pairs).toEqual(count.lines.map(pairText));
      // Whoever has no time is told that it goes on, and may ask again under the same key.
      const hasty = countingProcess(room, { deadlineMilliseconds: 300 });
      const request = closing(count.id, 'close-2000');
      const first = await hasty.counts.close(request);
      expect(said(first)).toBe('closing');
      let answer = countIn(first);
      while (answer.status === 'closing') {
        const again = await process.counts.close(request);
        expect(again).toMatchObject({ kind: 'count', replayed: true });
        answer = countIn(again);
      }
      const words = outcomes(answer);
      expect(words.filter((word) => word === 'unchanged')).toHaveLength(200);
      expect(words.filter((word) => word === 'adjusted')).toHaveLength(1_800);
      expect((await room.document('BIG-0009')).levels).toEqual([{ location: 'B1', onHand: 9 }]);
      expect((await counts.findOne({ _id: count.id }))?.pairs).toBeUndefined();
      expect(
        (await done(process.inventory, action(receive('B1', 1), { id: 'BIG-0000' }))).movement,
      ).toMatchObject({ ordinal: 3 });
    },
  );
});
