/** Stock counts on a stockroom: processes that open, count and close, and what they leave. */
import { randomUUID } from 'node:crypto';
import type { CountId, CountLine, StockCount } from '../../src/domain/stock-count.ts';
import type {
  CountAction,
  CountAnswer,
  CountStore,
  LineAnswer,
  StockCounts,
} from '../../src/inventory/count-ports.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import type { Ports } from '../../src/inventory/ports.ts';
import { requestDigest } from '../../src/inventory/request-digest.ts';
import { createStockCounts } from '../../src/inventory/stock-counts.ts';
import { closingSaga, createCloseCount } from '../../sagas/close-stock-count.ts';
import type { SagaRuns } from '../../sagas/saga-runs.ts';
import { createSagaRuns } from '../../sagas/saga-runs.ts';
import { actionId, actor, onHand, place, sku } from './actions.ts';
import type { Stockroom } from './stockroom.ts';

export interface CountingProcess {
  readonly counts: StockCounts;
  readonly inventory: RunningInventory;
  readonly runs: SagaRuns<CountId, StockCount>;
  /** Keys of alarms that are set, as this process knows. */
  readonly armed: ReadonlySet<string>;
  /** What was reported as a defect. */
  readonly defects: readonly unknown[];
}

export interface ProcessParts {
  readonly ports?: Ports;
  readonly store?: CountStore;
  readonly deadlineMilliseconds?: number;
}

/** One more process, on these ports or on the plain ones. */
export function countingProcess(room: Stockroom, parts: ProcessParts = {}): CountingProcess {
  const { ports = room.ports(), store = room.counts(), deadlineMilliseconds = 8_000 } = parts;
  const inventory = room.process(ports);
  const armed = new Set<string>();
  const defects: unknown[] = [];
  const runs = createSagaRuns({
    name: 'close-stock-count',
    keyOf: (id: CountId) => id,
    idOf: (count: StockCount) => count.id,
    saga: closingSaga(inventory),
    records: store,
    timer: ports.timer,
    process: randomUUID(),
    alarms: {
      arm: ({ key }) => {
        armed.add(key);
        return Promise.resolve({ kind: 'recorded' });
      },
      disarm: ({ key }) => {
        armed.delete(key);
        return Promise.resolve({ kind: 'recorded' });
      },
    },
    report: (defect) => defects.push(defect),
  });
  const closeCount = createCloseCount({ counts: store, runs, timer: ports.timer });
  const counts = createStockCounts({ ...ports, counts: store }, closeCount, deadlineMilliseconds);
  return { counts, inventory, runs, armed, defects };
}

let keys = 0;

/** A request under a key of its own, unless one is named. */
function counting<B extends object>(
  operation: string,
  body: B,
  key = `count-key-${(keys += 1)}`,
): CountAction & B {
  const digest = requestDigest(operation, {}, body);
  return { ...body, actionId: actionId(key), actor, operation, digest };
}

export function opening(
  locations: readonly string[],
  {
    skus,
    isBlind = false,
    key,
  }: { skus?: readonly string[]; isBlind?: boolean; key?: string } = {},
) {
  const scope = { locations: locations.map(place), ...(skus && { skus: skus.map(sku) }) };
  return counting('POST /v1/stock-counts', { ...scope, isBlind }, key);
}

export function tallying(
  id: CountId,
  [of, at]: readonly [sku: string, location: string],
  counted: number | null,
  { asOfOrdinal, key }: { asOfOrdinal?: number; key?: string } = {},
) {
  const body = {
    id,
    sku: sku(of),
    location: place(at),
    counted: counted === null ? null : onHand(counted),
    ...(asOfOrdinal !== undefined && { asOfOrdinal }),
  };
  return counting('PUT /v1/stock-counts/{id}/lines', body, key);
}

export const closing = (id: CountId, key?: string) =>
  counting('POST /v1/stock-counts/{id}/close', { id }, key);
export const cancelling = (id: CountId, key?: string) =>
  counting('POST /v1/stock-counts/{id}/cancel', { id }, key);

/** The count that an answer has to show. */
export function countIn(answer: CountAnswer): StockCount {
  if (answer.kind !== 'count') throw new Error(`no count: ${said(answer)}`);
  return answer.count;
}

export function lineIn(answer: LineAnswer): CountLine {
  if (answer.kind !== 'line') throw new Error(`no line: ${said(answer)}`);
  return answer.line;
}

/** An answer in a word: the count's status, `line`, `replayed`, a refusal's code, or its kind. */
export function said(answer: CountAnswer | LineAnswer): string {
  switch (answer.kind) {
    case 'count':
      return answer.replayed ? 'replayed' : answer.count.status;
    case 'line':
      return answer.replayed ? 'replayed' : 'line';
    case 'refused':
      return answer.refusal.code;
    case 'not-found':
    case 'unavailable':
      return answer.kind;
  }
}

/** Opens a count that has to be opened. */
export async function openCount(
  { counts }: Pick<CountingProcess, 'counts'>,
  ...asked: Parameters<typeof opening>
): Promise<StockCount> {
  return countIn(await counts.open(opening(...asked)));
}

/** Puts a line that has to be accepted. */
export async function tally(
  { counts }: Pick<CountingProcess, 'counts'>,
  ...asked: Parameters<typeof tallying>
): Promise<CountLine> {
  return lineIn(await counts.putLine(tallying(...asked)));
}

export async function closeCount(
  { counts }: Pick<CountingProcess, 'counts'>,
  id: CountId,
): Promise<StockCount> {
  return countIn(await counts.close(closing(id)));
}

/** The outcomes of a count's lines, in a word each. */
export function outcomes({ lines }: StockCount): readonly string[] {
  return lines.map(({ outcome }) => outcome?.kind ?? 'open');
}
