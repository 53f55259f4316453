/** Deliveries of cycle counts on the real engine: one count an occurrence, and none piled up. */
import { describe, expect, it } from 'vitest';
import { cycleCountActor } from '../../src/domain/ids.ts';
import type { CountId } from '../../src/domain/stock-count.ts';
import type { CycleCounts } from '../../src/inventory/cycle-counts.ts';
import { createCycleCounts } from '../../src/inventory/cycle-counts.ts';
import type { Delivered, Delivery } from '../../src/inventory/reminder-delivery.ts';
import type { ReminderEvent } from '../../src/inventory/reminder-events.ts';
import { createReminders } from '../../src/inventory/reminders.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import { countsOf } from '../../src/store/count-documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { createReminderStore } from '../../src/store/reminder-store.ts';
import { instant } from '../support/actions.ts';
import type { CountingProcess, ProcessParts } from '../support/counting.ts';
import { cancelling, closeCount, countingProcess, openCount } from '../support/counting.ts';
import { gated, losingGate } from '../support/crash-gate.ts';
import { reminderId } from '../support/reminders.ts';
import { useStockroom } from '../support/stockroom.ts';

const room = useStockroom();
const dueAt = instant(Date.parse('2026-03-02T05:00:00Z'));

interface CyclingProcess extends CountingProcess {
  readonly deliver: (delivery: Delivery) => Promise<Delivered>;
  readonly events: readonly ReminderEvent[];
}

function process(parts: ProcessParts = {}): CyclingProcess {
  const counting = countingProcess(room, parts);
  const events: ReminderEvent[] = [];
  const report = (event: ReminderEvent): unknown => events.push(event);
  const { reminders, marks } = collectionsOf(room.db);
  const ports = {
    ...room.ports(),
    reminders: createReminderStore(reminders, marks),
    timer: processTimer,
  };
  const { deliver }: CycleCounts = createCycleCounts({
    ports: { locations: ports.locations, counts: room.counts() },
    reminders: createReminders(ports, report, 8_000),
    open: counting.counts.open,
    report,
  });
  const { signal } = new AbortController();
  return { ...counting, deliver: (delivery) => deliver(delivery, signal), events };
}

function due(sku: string, occurrence: string, scope: object = {}): Delivery {
  const payload = { locations: ['A1'], skus: [sku], isBlind: true, setBy: 'office', ...scope };
  return {
    deliveryId: `${sku}-${occurrence}`,
    id: reminderId(`${cycleCountActor}/weekly`),
    actor: cycleCountActor,
    name: 'weekly',
    dueAt,
    attempt: 1,
    payload: JSON.stringify(payload),
    sentAt: dueAt,
  };
}

/** The counts over a SKU, the first one first. */
async function countsOver(sku: string): Promise<readonly { _id: CountId; status: string }[]> {
  return countsOf(room.db)
    .find({ 'lines.sku': sku } as object)
    .sort({ openedAt: 1 })
    .toArray();
}

describe('a cycle count that is due', () => {
  it('opens a count over what it names, on behalf of whoever set it', async () => {
    await room.stockSku('CYCLE-1', { A1: 7 });
    expect(await process().deliver(due('CYCLE-1', 'first'))).toEqual({ kind: 'done' });
    expect(await countsOver('CYCLE-1')).toMatchObject([
      {
        status: 'open',
        isBlind: true,
        openedBy: 'office',
        locations: ['A1'],
        lines: [{ sku: 'CYCLE-1', location: 'A1', expected: 7 }],
      },
    ]);
  });

  it('opens one, delivered 20 times at once through two processes, and later again', async () => {
    await room.stockSku('CYCLE-2', { A1: 7 });
    const processes = [process(), process()];
    const delivery = due('CYCLE-2', 'first');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => processes.map(({ deliver }) => deliver(delivery))).flat(),
    );
    expect(answers.every(({ kind }) => kind === 'done')).toBe(true);
    expect(processes.flatMap(({ events }) => events)).toEqual([]);
    const [count, ...others] = await countsOver('CYCLE-2');
    expect(others).toEqual([]);
    if (count === undefined) return expect.fail('it opens');
    const late = process();
    await late.counts.cancel(cancelling(count._id));
    expect(await late.deliver(delivery)).toEqual({ kind: 'done' });
    expect(await countsOver('CYCLE-2')).toMatchObject([{ status: 'cancelled' }]);
  });

  it('opens one whichever call to the counts loses its request or its answer', async () => {
    for (const what of ['request', 'answer'] as const) {
      let losses = 0;
      for (let at = 1; losses === at - 1; at += 1) {
        const sku = `CYCLE-${what}-${at}`;
        await room.stockSku(sku, { A1: 7 });
        const { gate, calls } = losingGate(at, what);
        const { deliver, events } = process({ store: gated(gate, 'counts', room.counts()) });
        expect(await deliver(due(sku, 'first'))).toEqual({ kind: 'done' });
        expect(events).toEqual([]);
        expect(await countsOver(sku)).toHaveLength(1);
        if (calls() >= at) losses += 1;
      }
      expect(losses).toBeGreaterThan(3);
    }
  });

  it('leaves out the times that an open count covers, says so, and then goes on', async () => {
    await room.stockSku('CYCLE-3', { A1: 7, B1: 1 });
    const { counts, deliver, events, ...rest } = process();
    const byHand = await openCount({ counts }, ['A1'], { skus: ['CYCLE-3'] });
    const wide = { locations: ['B1', 'A1'] };
    for (const week of ['first', 'second']) {
      expect(await deliver(due('CYCLE-3', week, wide))).toEqual({ kind: 'done' });
    }
    const reminder = reminderId(`${cycleCountActor}/weekly`);
    const skipped = { kind: 'cycle-count-skipped', reminder, dueAt, openCount: byHand.id };
    expect(events).toEqual([skipped, skipped]);
    await closeCount({ counts }, byHand.id);
    await rest.runs.idle();
    expect(await deliver(due('CYCLE-3', 'third', wide))).toEqual({ kind: 'done' });
    const statuses = (await countsOver('CYCLE-3')).map(({ status }) => status);
    expect(statuses).toEqual(['closed', 'open']);
    // Its own count of last time counts as well.
    expect(await deliver(due('CYCLE-3', 'fourth', wide))).toEqual({ kind: 'done' });
    expect(events).toHaveLength(3);
    expect(await countsOver('CYCLE-3')).toHaveLength(2);
  });

  it('fails where it can open none for another reason, so that somebody looks', async () => {
    const { deliver, events } = process();
    const failed = await deliver(due('CYCLE-NONE', 'first'));
    expect(failed).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(failed)).toContain('unknown-sku');
    expect(events).toEqual([]);
  });
});
