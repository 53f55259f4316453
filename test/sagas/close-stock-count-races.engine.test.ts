/** Two runners of one closing, in every order that a scheduler finds: the record and the stock agree. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CountId, StockCount } from '../../src/domain/stock-count.ts';
import { countsOf } from '../../src/store/count-documents.ts';
import { action, receive, ship } from '../support/actions.ts';
import type { CountingProcess } from '../support/counting.ts';
import { countingProcess, openCount, tally } from '../support/counting.ts';
import type { Gate } from '../support/crash-gate.ts';
import { gated } from '../support/crash-gate.ts';
import { done, useStockroom } from '../support/stockroom.ts';

const room = useStockroom();
let rounds = 0;

/** A process each of whose calls waits until the scheduler lets it go. */
function scheduledProcess(scheduler: fc.Scheduler, name: string): CountingProcess {
  const gate: Gate = async (call, make) => {
    await scheduler.schedule(Promise.resolve(), `${name} ${call}`);
    return make();
  };
  const ports = room.ports();
  return countingProcess(room, {
    ports: {
      ...ports,
      skus: gated(gate, 'skus', ports.skus),
      actions: gated(gate, 'actions', ports.actions),
      ledger: gated(gate, 'ledger', ports.ledger),
    },
    store: gated(gate, 'counts', room.counts()),
  });
}

/** Two lines whose variances can be posted or not, as goods come and go. */
async function delicateCount(): Promise<{ readonly sku: string; readonly id: CountId }> {
  const sku = `DELICATE-${(rounds += 1)}`;
  await room.stockSku(sku, { A1: 3, B1: 3 });
  const process = countingProcess(room);
  const { id } = await openCount(process, ['A1', 'B1'], { skus: [sku] });
  await tally(process, id, [sku, 'A1'], 0);
  await tally(process, id, [sku, 'B1'], 1);
  return { sku, id };
}

/** The count closing under a lease that has lapsed, so that anybody may take it over. */
async function leftClosing(id: CountId, by: CountingProcess): Promise<void> {
  const store = room.counts();
  const read = await store.read(id);
  if (read.kind !== 'found') return expect.fail('the count is there');
  const { record } = read.value;
  const begun: StockCount = { ...record, status: 'closing', endedBy: record.openedBy };
  const reopened = await store.reopen(read.value, begun, by.runs.holder());
  expect(reopened.kind).toBe('saved');
  await lapse(id);
}

async function lapse(id: CountId): Promise<void> {
  await countsOf(room.db).updateOne({ _id: id }, { $set: { leasedAt: new Date(0) } });
}

/** Each line's outcome is what its one movement says, and the stock is what the history says. */
async function expectAgreement(sku: string, id: CountId): Promise<void> {
  const read = await room.counts().read(id);
  if (read.kind !== 'found') return expect.fail('the count is there');
  const { status, lines } = read.value.record;
  expect(status).toBe('closed');
  const { movements } = await room.document(sku);
  for (const [index, { outcome }] of lines.entries()) {
    const posted = movements.filter(({ actionId }) => actionId === `~count/${id}/${index}`);
    expect(posted).toHaveLength(1);
    expect(outcome).toMatchObject({
      kind: posted[0]?.type === 'void' ? 'recount' : 'adjusted',
      ordinal: posted[0]?.ordinal,
    });
  }
  expect(await room.faults(sku)).toEqual([]);
}

describe('two runners of one closing', () => {
  it('come to one outcome while goods come and go', { timeout: 240_000 }, async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { sku, id } = await delicateCount();
        const one = scheduledProcess(scheduler, 'one');
        const other = scheduledProcess(scheduler, 'other');
        await leftClosing(id, one);
        const clerk = room.process();
        const clerkAt = async (what: ReturnType<typeof action>): Promise<void> => {
          await scheduler.schedule(Promise.resolve(), `clerk ${what.change.type}`);
          await clerk.post(what);
        };
        const takeOver = async (process: CountingProcess): Promise<void> => {
          await process.runs.resumeAbandoned();
          await lapse(id);
          await process.runs.resumeAbandoned();
        };
        await scheduler.waitFor(
          Promise.all([
            takeOver(one),
            takeOver(other),
            clerkAt(action(ship('A1', 2), { id: sku })).then(() =>
              clerkAt(action(receive('A1', 5), { id: sku })),
            ),
            clerkAt(action(ship('B1', 2), { id: sku })),
          ]),
        );
        await lapse(id);
        await countingProcess(room).runs.resumeAbandoned();
        await expectAgreement(sku, id);
        const read = await room.counts().read(id);
        if (read.kind === 'found') {
          seen.add(read.value.record.lines.map(({ outcome }) => outcome?.kind).join(' '));
        }
      }),
      { numRuns: 60 },
    );
    // The test could not fail if the order never mattered.
    expect(seen.size).toBeGreaterThan(1);
  });

  it('find what the other found where the first had lost its lease in the middle', async () => {
    const { sku, id } = await delicateCount();
    const slow = countingProcess(room);
    await leftClosing(id, slow);
    const read = await room.counts().read(id);
    if (read.kind !== 'found') return expect.fail('the count is there');
    const taken = await room.counts().take(read.value, slow.runs.holder());
    if (taken.kind !== 'saved') return expect.fail('it was abandoned');
    // The lease lapses before the first has done anything, and goods leave and come back.
    await lapse(id);
    const clerk = room.process();
    await done(clerk, action(ship('A1', 2), { id: sku }));
    await countingProcess(room).runs.resumeAbandoned();
    await done(clerk, action(receive('A1', 5), { id: sku }));
    const end = await slow.runs.start(taken.held, ({ status }) => status === 'closed');
    expect(end).toBeUndefined();
    expect(slow.defects).toEqual([]);
    await expectAgreement(sku, id);
    expect((await room.document(sku)).levels).toContainEqual({ location: 'A1', onHand: 6 });
  });
});
