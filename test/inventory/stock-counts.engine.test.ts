/** Opening and counting: pairs that only one open count has, lines that remember what they were counted against. */
import { describe, expect, it } from 'vitest';
import { action, receive, ship } from '../support/actions.ts';
import {
  cancelling,
  closeCount,
  closing,
  countingProcess,
  countIn,
  lineIn,
  opening,
  openCount,
  said,
  tally,
  tallying,
} from '../support/counting.ts';
import { gatedProcess } from '../support/count-of-every-kind.ts';
import { losingGate } from '../support/crash-gate.ts';
import { plantSku, receipts } from '../support/planted.ts';
import { done, useStockroom } from '../support/stockroom.ts';

const room = useStockroom();

async function shelf(id: string, opening: Readonly<Record<string, number>>) {
  await room.stockSku(id, opening);
  return countingProcess(room);
}

describe('a count', () => {
  it('opens over what stands, is counted, closed and shown', async () => {
    const process = await shelf('LIFE', { A1: 10, B1: 4 });
    const opened = await openCount(process, ['A1', 'B1'], { skus: ['LIFE'] });
    expect(opened).toMatchObject({
      status: 'open',
      lines: [
        { sku: 'LIFE', location: 'A1', expected: 10, tally: null },
        { sku: 'LIFE', location: 'B1', expected: 4, tally: null },
      ],
    });
    expect(await tally(process, opened.id, ['LIFE', 'A1'], 12)).toMatchObject({
      tally: { counted: 12, onHand: 10, asOfOrdinal: 2, by: 'tester' },
    });
    const closed = await closeCount(process, opened.id);
    expect(closed).toMatchObject({
      status: 'closed',
      endedBy: 'tester',
      lines: [{ outcome: { kind: 'adjusted', ordinal: 3 } }, { outcome: { kind: 'uncounted' } }],
    });
    const shown = await process.counts.count(opened.id);
    expect(shown).toEqual({ kind: 'ok', value: closed });
    expect(process.armed.size).toBe(0);
    expect(await room.faults('LIFE')).toEqual([]);
  });

  it('is the same however often its opening is sent, and later too', async () => {
    const process = await shelf('TWICE', { A1: 3 });
    const request = opening(['A1'], { skus: ['TWICE'] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => process.counts.open(request)),
    );
    const words = answers.map(said).toSorted();
    expect(words).toEqual(['open', ...Array<string>(19).fill('replayed')]);
    const first = countIn(answers[0] ?? expect.fail('20 answers'));
    for (const answer of answers) expect(countIn(answer)).toEqual(first);
    await tally(process, first.id, ['TWICE', 'A1'], 1);
    await closeCount(process, first.id);
    expect(await process.counts.open(request)).toEqual({
      kind: 'count',
      count: first,
      replayed: true,
    });
  });
});

describe('a database that loses', () => {
  it.each(['request', 'answer'] as const)(
    'the %s of any one call still opens, counts, finds and cancels once',
    { timeout: 120_000 },
    async (what) => {
      await room.stockSku('LOSSY', { Q1: 3 });
      await room.stockSku(`STRAY-${what}`, {});
      for (let at = 1, calls = Infinity; at <= calls; at += 1) {
        const gate = losingGate(at, what);
        const { counts } = gatedProcess(room, gate.gate);
        const answers = [await counts.open(opening(['Q1']))];
        const { id } = countIn(answers[0] ?? expect.fail('an answer'));
        const lines = [
          await counts.putLine(tallying(id, ['LOSSY', 'Q1'], at)),
          await counts.putLine(tallying(id, [`STRAY-${what}`, 'Q1'], at)),
        ];
        answers.push(await counts.cancel(cancelling(id)));
        expect([...answers, ...lines].map(said)).toEqual(['open', 'cancelled', 'line', 'line']);
        const shown = await countingProcess(room).counts.count(id);
        expect(shown).toMatchObject({ value: { status: 'cancelled' } });
        if (shown.kind !== 'ok') return expect.fail('the count is there');
        expect(shown.value.lines.map(({ sku, tally }) => [sku, tally?.counted])).toEqual([
          ['LOSSY', at],
          [`STRAY-${what}`, at],
        ]);
        calls = gate.calls();
      }
    },
  );

  it('tells nobody of an overlap while its own insertion may land yet', async () => {
    await room.stockSku('LATE', { A1: 3 });
    const store = room.counts();
    const rival = countingProcess(room);
    let insertions = 0;
    const process = countingProcess(room, {
      store: {
        ...store,
        insert: async (...asked) => {
          insertions += 1;
          if (insertions > 1) return store.insert(...asked);
          await openCount(rival, ['A1'], { skus: ['LATE'] });
          return { kind: 'unknown', cause: 'the request was lost, or is late' };
        },
      },
    });
    const request = opening(['A1'], { skus: ['LATE'] });
    expect(said(await process.counts.open(request))).toBe('unavailable');
    expect(said(await process.counts.open(request))).toBe('count-overlap');
  });
});

describe('a pair', () => {
  it('is in one open count: of 20 openings at once one passes', async () => {
    const process = await shelf('RACE', { A1: 3 });
    const others = [countingProcess(room), countingProcess(room)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const { counts } = [process, ...others][n % 3] ?? process;
        return counts.open(opening(['A1', 'B1'], { skus: ['RACE'] }));
      }),
    );
    expect(answers.map(said).toSorted()).toEqual([
      ...Array<string>(19).fill('count-overlap'),
      'open',
    ]);
    const opened = countIn(answers.find(({ kind }) => kind === 'count') ?? expect.fail('one'));
    expect(answers.find(({ kind }) => kind === 'refused')).toMatchObject({
      refusal: { sku: 'RACE', location: 'A1', count: opened.id },
    });
    const other = opening(['A1', 'B1'], { skus: ['RACE'] });
    expect(said(await process.counts.open(other))).toBe('count-overlap');
    await closeCount(process, opened.id);
    expect(said(await process.counts.open(other))).toBe('open');
  });

  it('is free again once its count is cancelled', async () => {
    const process = await shelf('FREED', { A1: 3 });
    const first = await openCount(process, ['A1'], { skus: ['FREED'] });
    expect(said(await process.counts.cancel(cancelling(first.id)))).toBe('cancelled');
    expect(said(await process.counts.cancel(cancelling(first.id)))).toBe('cancelled');
    expect(said(await process.counts.close(closing(first.id)))).toBe('count-cancelled');
    const second = await openCount(process, ['A1'], { skus: ['FREED'] });
    expect(second.id).not.toBe(first.id);
    await closeCount(process, second.id);
    expect(said(await process.counts.cancel(cancelling(second.id)))).toBe('count-closed');
  });

  it('may be found while counting, unless another open count has it', async () => {
    const process = await shelf('KNOWN', { C1: 3 });
    await room.stockSku('FOUND', {});
    const count = await openCount(process, ['C1']);
    expect(count.lines.map(({ sku }) => sku)).toEqual(['KNOWN']);
    const other = await openCount(process, ['C1'], { skus: ['FOUND'] });
    const put = () => process.counts.putLine(tallying(count.id, ['FOUND', 'C1'], 2));
    expect(said(await put())).toBe('count-overlap');
    await process.counts.cancel(cancelling(other.id));
    expect(lineIn(await put())).toMatchObject({ expected: 0, tally: { counted: 2, onHand: 0 } });
    expect(said(await process.counts.open(opening(['C1'], { skus: ['FOUND'] })))).toBe(
      'count-overlap',
    );
    const closed = await closeCount(process, count.id);
    expect(closed.lines.map(({ sku, outcome }) => [sku, outcome?.kind])).toEqual([
      ['KNOWN', 'uncounted'],
      ['FOUND', 'adjusted'],
    ]);
    expect((await room.document('FOUND')).levels).toEqual([{ location: 'C1', onHand: 2 }]);
  });

  it('found by 20 at once has one line', async () => {
    const process = await shelf('MANY', {});
    const count = await openCount(process, ['B1']);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => tally(process, count.id, ['MANY', 'B1'], n)),
    );
    const shown = await process.counts.count(count.id);
    if (shown.kind !== 'ok') return expect.fail('the count is there');
    expect(shown.value.lines.filter(({ sku }) => sku === 'MANY')).toHaveLength(1);
    await process.counts.cancel(cancelling(count.id));
  });
});

describe('a line', () => {
  it('is what was put last, and blank again when it is cleared', async () => {
    const process = await shelf('LAST', { A1: 9 });
    const { id } = await openCount(process, ['A1'], { skus: ['LAST'] });
    for (const counted of [3, 8, 5]) await tally(process, id, ['LAST', 'A1'], counted);
    expect(await process.counts.count(id)).toMatchObject({
      value: { lines: [{ tally: { counted: 5 } }] },
    });
    expect((await tally(process, id, ['LAST', 'A1'], null)).tally).toBeNull();
    expect(await closeCount(process, id)).toMatchObject({
      lines: [{ outcome: { kind: 'uncounted' } }],
    });
    expect((await room.document('LAST')).movementCount).toBe(1);
  });

  it('put under a key stays put once, whatever was put after it', async () => {
    const process = await shelf('KEYED', { A1: 9 });
    const { id } = await openCount(process, ['A1'], { skus: ['KEYED'] });
    const request = tallying(id, ['KEYED', 'A1'], 3, { key: 'line-key' });
    const first = await process.counts.putLine(request);
    expect(said(first)).toBe('line');
    expect(said(await process.counts.putLine(request))).toBe('replayed');
    await done(process.inventory, action(ship('A1', 1), { id: 'KEYED' }));
    await tally(process, id, ['KEYED', 'A1'], 8);
    const again = await process.counts.putLine(request);
    expect(again).toEqual({ ...first, replayed: true });
    const other = tallying(id, ['KEYED', 'A1'], 4, { key: 'line-key' });
    expect(said(await process.counts.putLine(other))).toBe('idempotency-key-reused');
    const closed = await closeCount(process, id);
    expect(closed.lines[0]).toMatchObject({ tally: { counted: 8, onHand: 8 } });
    expect(await process.counts.putLine(request)).toEqual({ ...first, replayed: true });
    expect(said(await process.counts.putLine(tallying(id, ['KEYED', 'A1'], 1)))).toBe(
      'count-closed',
    );
  });

  it('is counted against the ordinal that the counter saw', async () => {
    const process = await shelf('SEEN', { A1: 10, B1: 5 });
    const { id } = await openCount(process, ['A1', 'B1'], { skus: ['SEEN'] });
    await done(process.inventory, action(ship('A1', 4), { id: 'SEEN' }));
    await done(process.inventory, action(receive('B1', 2), { id: 'SEEN' }));
    const against = async (asOfOrdinal: number | undefined) =>
      tally(process, id, ['SEEN', 'A1'], 9, asOfOrdinal === undefined ? {} : { asOfOrdinal });
    expect((await against(0)).tally).toMatchObject({ onHand: 0, asOfOrdinal: 0 });
    expect((await against(1)).tally).toMatchObject({ onHand: 10 });
    expect((await against(2)).tally).toMatchObject({ onHand: 10, asOfOrdinal: 2 });
    expect((await against(3)).tally).toMatchObject({ onHand: 6 });
    expect((await against(undefined)).tally).toMatchObject({ onHand: 6, asOfOrdinal: 4 });
    const beyond = await process.counts.putLine(
      tallying(id, ['SEEN', 'A1'], 9, { asOfOrdinal: 5 }),
    );
    expect(beyond).toMatchObject({
      refusal: { code: 'validation', errors: [{ path: '/asOfOrdinal' }] },
    });
  });

  it('is counted against an ordinal that the window has let go of', async () => {
    const history = [
      ...receipts(1, { lines: [['A1', 700]] }),
      ...receipts(2, { lines: [['B1', 50]] }),
      ...receipts(600, { type: 'ship', lines: [['A1', -1]] }),
      ...receipts(1, { lines: [['B1', 9]] }),
    ];
    await plantSku(room.db, 'DEEP', history);
    const process = countingProcess(room);
    const { id } = await openCount(process, ['A1', 'B1'], { skus: ['DEEP'] });
    const stood = async (at: string, asOfOrdinal: number) =>
      (await tally(process, id, ['DEEP', at], 1, { asOfOrdinal })).tally?.onHand;
    expect(await stood('A1', 0)).toBe(0);
    expect(await stood('A1', 1)).toBe(700);
    expect(await stood('B1', 1)).toBe(0);
    expect(await stood('A1', 3)).toBe(700);
    expect(await stood('B1', 3)).toBe(100);
    expect(await stood('A1', 103)).toBe(600);
    expect(await stood('A1', 104)).toBe(599);
    expect(await stood('A1', 105)).toBe(598);
    expect(await stood('B1', 603)).toBe(100);
    expect(await stood('B1', 604)).toBe(109);
    await tally(process, id, ['DEEP', 'A1'], 690, { asOfOrdinal: 3 });
    await tally(process, id, ['DEEP', 'B1'], null);
    await closeCount(process, id);
    expect((await room.document('DEEP')).levels).toContainEqual({ location: 'A1', onHand: 90 });
  });

  it('belongs to its count', async () => {
    const process = await shelf('INSIDE', { A1: 1 });
    await room.stockSku('OUTSIDE', {});
    const { id } = await openCount(process, ['A1'], { skus: ['INSIDE'] });
    const refused = async (sku: string, at: string, counted: number | null) =>
      process.counts.putLine(tallying(id, [sku, at], counted));
    expect(await refused('OUTSIDE', 'A1', 1)).toMatchObject({
      refusal: { code: 'validation', errors: [{ path: '/sku' }] },
    });
    expect(await refused('INSIDE', 'B1', 1)).toMatchObject({
      refusal: { code: 'validation', errors: [{ path: '/location' }] },
    });
    const wide = await openCount(process, ['Q1']);
    const nowhere = await process.counts.putLine(tallying(wide.id, ['NOBODY', 'Q1'], 1));
    expect(said(nowhere)).toBe('unknown-sku');
    const nothing = await process.counts.putLine(tallying(wide.id, ['OUTSIDE', 'Q1'], null));
    expect(said(nothing)).toBe('validation');
  });
});
