/**
 * A count that is to be closed, in memory: the closing's records, claims, alarms and stock. The stock
 * is decided by the domain itself; every call is one indivisible step.
 */
import type { CountId, StockCount } from '../../src/domain/stock-count.ts';
import { parseCountId } from '../../src/domain/stock-count.ts';
import { attemptClose } from '../../src/inventory/count-end.ts';
import type { CountAnswer, CountStore } from '../../src/inventory/count-ports.ts';
import { untilAnswered } from '../../src/inventory/keyed-request.ts';
import type { SagaRecords } from '../../src/inventory/saga-ports.ts';
import { closingSaga, createCloseCount } from '../../sagas/close-stock-count.ts';
import { createSagaRuns } from '../../sagas/saga-runs.ts';
import { action, actor, instant, location, onHand, place, ship, sku } from './actions.ts';
import { closing } from './counting.ts';
import { Crash } from './gate.ts';
import type { MemoryRecord } from './memory-records.ts';
import { found, memoryRecords, missing } from './memory-records.ts';
import type { MemoryPorts, MemoryWorld } from './memory-receiving.ts';
import { memoryWorld, putSku } from './memory-receiving.ts';
import { briskTimer } from './receiving.ts';

export interface CountingWorld extends MemoryWorld {
  readonly count: CountId;
  readonly records: Map<CountId, MemoryRecord<StockCount>>;
  readonly countPorts: Pick<MemoryPorts, 'actions' | 'inventory' | 'alarms'> & {
    readonly counts: SagaRecords<CountId, StockCount> & Pick<CountStore, 'summary'>;
  };
}

function countId(): CountId {
  const id = parseCountId('count'.padStart(22, '0'));
  if (id === undefined) throw new Error('22 characters are an id');
  return id;
}

/**
 * Five lines: more was found, less, the same, nobody looked, and one whose variance cannot be taken
 * off any more. After they were counted 2 of the first and 9 of the last were shipped.
 */
export async function countedWorld(): Promise<CountingWorld> {
  const world = memoryWorld(['A1', 'B1', 'C1'].map((id) => location(id)));
  putSku(world, sku('FIRST'), { A1: 10, B1: 10 });
  putSku(world, sku('SECOND'), { A1: 10, C1: 10 });
  const line = (of: string, at: string, counted: number | null) => ({
    sku: sku(of),
    location: place(at),
    expected: onHand(10),
    tally:
      counted === null
        ? null
        : { counted: onHand(counted), asOfOrdinal: 0, onHand: onHand(10), by: actor },
  });
  const count: StockCount = {
    id: countId(),
    status: 'open',
    isBlind: false,
    locations: ['A1', 'B1', 'C1'].map(place),
    skus: ['FIRST', 'SECOND'].map(sku),
    lines: [
      line('FIRST', 'A1', 13),
      line('SECOND', 'A1', 4),
      line('FIRST', 'B1', 10),
      line('SECOND', 'B1', null),
      line('SECOND', 'C1', 3),
    ],
    openedWith: 5,
    openedBy: actor,
    openedAt: instant(world.clock.now),
  };
  await world.ports.inventory.post(action(ship('A1', 2), { id: 'FIRST' }));
  await world.ports.inventory.post(action(ship('C1', 9), { id: 'SECOND' }));
  const records = new Map<CountId, MemoryRecord<StockCount>>([
    [count.id, { record: count, version: 1, lease: { holder: 'nobody', fence: 1 } }],
  ]);
  const { actions, inventory, alarms } = world.ports;
  return {
    ...world,
    count: count.id,
    records,
    countPorts: { actions, inventory, alarms, counts: memoryCounts(records, world.clock) },
  };
}

function memoryCounts(
  records: CountingWorld['records'],
  clock: MemoryWorld['clock'],
): CountingWorld['countPorts']['counts'] {
  const kept = memoryRecords(records, clock, ({ id }: StockCount) => id);
  return {
    ...kept,
    summary: async (id) => {
      const read = await kept.read(id);
      if (read.kind !== 'found') return missing;
      const { version, isAbandoned, record } = read.value;
      const { lines, ...head } = record;
      const countedCount = lines.filter(({ tally }) => tally !== null).length;
      return found({
        version,
        isAbandoned,
        count: { ...head, lineCount: lines.length, countedCount },
      });
    },
  };
}

export interface ClosingProcess {
  readonly close: (key: string) => Promise<CountAnswer>;
  /** Resumes what is abandoned until nothing is. */
  readonly recover: () => Promise<void>;
  readonly idle: () => Promise<void>;
}

let processes = 0;

/** One more process on these ports. */
export function closingProcess(
  { count }: CountingWorld,
  { counts, inventory, alarms, actions }: CountingWorld['countPorts'],
): ClosingProcess {
  const timer = briskTimer();
  const defects: unknown[] = [];
  const runs = createSagaRuns({
    name: 'count',
    keyOf: String,
    idOf: ({ id }: StockCount) => id,
    saga: closingSaga(inventory),
    records: counts,
    alarms,
    timer,
    process: `process-${(processes += 1)}`,
    report: (defect) => {
      if (!(defect instanceof Crash)) defects.push(defect);
    },
  });
  const closeCount = createCloseCount({ counts, runs, timer });
  return {
    close: (key) =>
      untilAnswered(timer, 8_000, (progress, deadline) =>
        attemptClose({ actions, counts }, closeCount, closing(count, key), progress, deadline),
      ),
    recover: async () => {
      while ((await runs.resumeAbandoned()) > 0) {
        if (defects.length > 0) throw defects[0];
      }
      await runs.idle();
    },
    idle: runs.idle,
  };
}
