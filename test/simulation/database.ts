/**
 * The simulated database, and what really happened in it: every movement that was ever written,
 * whatever window and ledger still show, and every state that ever stood.
 */
import type { ActionId, Instant, Sku, OrderNumber } from '../../src/domain/ids.ts';
import { epoch } from '../../src/domain/ids.ts';
import type { Location } from '../../src/domain/location.ts';
import type { Movement, WindowMovement } from '../../src/domain/movement.ts';
import type { ReceiptId } from '../../src/domain/purchase-order.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { replay } from '../../src/domain/invariants.ts';
import type { Reservation } from '../../src/domain/reservation.ts';
import type { Level, SkuState } from '../../src/domain/sku.ts';
import type { CountId } from '../../src/domain/stock-count.ts';
import type { CountStore } from '../../src/inventory/count-ports.ts';
import type {
  OrderRead,
  OrderStore,
  ReceiptStore,
  SkuCatalogue,
} from '../../src/inventory/order-ports.ts';
import type { Claim, Ports } from '../../src/inventory/ports.ts';
import type { Alarms } from '../../src/inventory/saga-ports.ts';
import {
  actionId,
  actor,
  definition,
  delta,
  location,
  onHand,
  place,
  sku,
} from '../support/actions.ts';
import type { MemoryRecord } from '../support/memory-records.ts';
import { found, pair, recorded } from '../support/memory-records.ts';
import type { MemoryCount } from '../support/memory-counts.ts';
import { memoryCounts } from '../support/memory-counts.ts';
import { memoryOrders, memoryReceipts } from '../support/memory-receiving.ts';
import type { MemorySku } from '../support/memory-skus.ts';
import type { MemoryClaim } from '../support/memory-barcodes.ts';
import { memoryStock } from '../support/memory-stock.ts';
import { orderWith } from '../support/receiving.ts';
import { codeFaults } from './barcodes.ts';
import type { Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';

/** The stores of the simulated database. */
export interface Stores extends Omit<Ports, 'timer'> {
  readonly orders: OrderStore;
  readonly receipts: ReceiptStore;
  readonly catalogue: SkuCatalogue;
  readonly counts: CountStore;
  readonly alarms: Alarms;
}

/** What stood of a SKU, and since when. Between two movements of one write something stood too. */
export interface Stood {
  readonly since: Instant;
  readonly levels: readonly Level[];
  readonly holds: readonly Pick<Reservation, 'id' | 'location' | 'quantity' | 'expiresAt'>[];
}

export interface Happened extends WindowMovement {
  /** The step at which it was written; 0 before the first. */
  readonly step: number;
}

export interface Database {
  readonly stores: Stores;
  readonly skus: ReadonlyMap<Sku, MemorySku>;
  readonly ledger: ReadonlyMap<Sku, ReadonlyMap<number, Movement>>;
  readonly claims: Map<ActionId, Claim>;
  readonly orders: ReadonlyMap<OrderNumber, OrderRead>;
  readonly receipts: ReadonlyMap<ReceiptId, MemoryRecord<Receipt>>;
  readonly counts: ReadonlyMap<CountId, MemoryCount>;
  readonly history: ReadonlyMap<Sku, readonly Happened[]>;
  readonly stood: ReadonlyMap<Sku, readonly Stood[]>;
  readonly codes: ReadonlyMap<string, MemoryClaim>;
  /** Each definition that was written, in their order. */
  readonly defined: readonly SkuState[];
  /** What was wrong about barcodes when a definition was written. */
  readonly doubled: readonly string[];
  /** Movements that left the window before they were in the ledger. */
  readonly fallen: readonly string[];
}

const locations: readonly Location[] = [
  location('A1'),
  location('B1'),
  location('R1', 'storage', true),
];

export const orderNumber = 'PO';
const lineOfOrder = [
  [1, 'A', 8],
  [2, 'B', 5],
] as const;

/** @param ring called when an alarm's time has come. */
export function openDatabase(
  stage: Stage,
  scenario: Scenario,
  ring: (alarm: string) => void,
): Database {
  const history = new Map<Sku, Happened[]>();
  const stood = new Map<Sku, Stood[]>();
  const fallen: string[] = [];
  const defined: SkuState[] = [];
  const doubled: string[] = [];
  const { clock } = stage;
  const stock = memoryStock({
    clock,
    locations,
    windowLimit: scenario.windowLimit,
    arriving: (items) => (stage.isPartial() ? items.filter(() => stage.random.chance(0.5)) : items),
    onDefined: (state) => {
      defined.push(state);
      doubled.push(...codeFaults(stock.skus, stock.codes));
    },
    onSwapped: (before, after, added) => {
      const { sku: of } = after.state;
      const step = stage.steps();
      history.get(of)?.push(...added.map((movement) => ({ ...movement, step })));
      stood.get(of)?.push(...stoodAfter(stood.get(of)?.at(-1), added, clock.now));
      const [first] = after.window;
      for (const { ordinal } of before.window) {
        const isKept = first !== undefined && ordinal >= first.ordinal;
        if (!isKept && stock.ledger.get(of)?.has(ordinal) !== true) {
          fallen.push(`${of} #${ordinal} left the window and is not in the ledger`);
        }
      }
    },
  });
  for (const [id, units] of Object.entries(scenario.opening)) {
    const opened = opening(id, units, id === 'A' ? scenario : { unproven: 0, missing: 0 });
    const { state } = opened;
    stock.skus.set(state.sku, opened);
    stock.ledger.set(state.sku, entriesOf(opened, id === 'A' ? scenario.missing : 0));
    history.set(
      state.sku,
      opened.window.map((movement) => ({ ...movement, step: 0 })),
    );
    stood.set(state.sku, [{ since: epoch, levels: state.levels, holds: [] }]);
  }
  const orders = new Map<OrderNumber, OrderRead>();
  const receipts = new Map<ReceiptId, MemoryRecord<Receipt>>();
  const counts = new Map<CountId, MemoryCount>();
  const order = orderWith(orderNumber, ...lineOfOrder);
  orders.set(order.number, { order, changedBy: actionId('ordered'), now: clock.now });
  return {
    ...stock,
    orders,
    receipts,
    counts,
    history,
    stood,
    defined,
    doubled,
    fallen,
    stores: {
      ...stock.ports,
      orders: memoryOrders(orders, clock),
      receipts: memoryReceipts(receipts, clock),
      catalogue: {
        definitions: (wanted) =>
          found(new Map(wanted.flatMap((one) => pair(one, stock.skus.get(one)?.state.definition)))),
      },
      counts: memoryCounts(counts, stock.skus, clock),
      alarms: alarmsOn(stage, ring),
    },
  };
}

/** What stood after each of the movements of one write. */
function stoodAfter(
  before: Stood | undefined,
  added: readonly WindowMovement[],
  since: Instant,
): readonly Stood[] {
  let { levels, holds } = before ?? { levels: [], holds: [] };
  return added.map(({ lines, reservation }) => {
    const moved = new Set(lines.map(({ location: at }) => at));
    levels = [...levels.filter(({ location: at }) => !moved.has(at)), ...lines];
    if (reservation !== undefined) {
      const others = holds.filter(({ id }) => id !== reservation.id);
      holds = reservation.state === 'held' ? [...others, reservation] : others;
    }
    return { since, levels, holds };
  });
}

function alarmsOn(stage: Stage, ring: (alarm: string) => void): Stores['alarms'] {
  const callOffs = new Map<string, () => void>();
  const timer = stage.timer();
  const disarm = (alarm: string): void => {
    callOffs.get(alarm)?.();
    callOffs.delete(alarm);
  };
  return {
    arm: ({ name, key }, afterMilliseconds) =>
      recorded(() => {
        const alarm = `${name}:${key}`;
        disarm(alarm);
        callOffs.set(
          alarm,
          timer.after(afterMilliseconds, () => {
            ring(alarm);
          }),
        );
      }),
    disarm: ({ name, key }) =>
      recorded(() => {
        disarm(`${name}:${key}`);
      }),
  };
}

/** A SKU that got what stands at A1 in as many receipts as are unproven, or in one. */
function opening(
  id: string,
  units: number,
  { unproven }: Pick<Scenario, 'unproven' | 'missing'>,
): MemorySku {
  const count = Math.max(1, unproven);
  let level = 0;
  const window = Array.from({ length: count }, (_, index): WindowMovement => {
    const by = index === 0 ? units + 1 : index % 2 === 0 ? 1 : -1;
    level += by;
    return {
      actionId: actionId(`opening-${id}-${index}`),
      ordinal: index + 1,
      type: 'adjust',
      lines: [{ location: place('A1'), delta: delta(by), onHand: onHand(level) }],
      reason: 'found',
      actor,
      at: epoch,
    };
  });
  return {
    state: {
      sku: sku(id),
      definition,
      levels: Array.from(replay(window).levels, ([at, units]) => ({
        location: at,
        onHand: onHand(units),
      })),
      reservations: [],
      lastActionId: actionId(`opening-${id}-${count - 1}`),
      version: count + 1,
      movementCount: count,
    },
    definedBy: actionId(`defined-${id}`),
    definedVersion: 1,
    window,
    ledgeredThrough: unproven === 0 ? count : 0,
    lastAt: epoch,
  };
}

function entriesOf({ state, window }: MemorySku, missing: number): Map<number, Movement> {
  const { sku: of, movementCount } = state;
  const entered = movementCount === 1 ? window : window.slice(0, movementCount - missing);
  return new Map(entered.map((movement) => [movement.ordinal, { ...movement, sku: of }]));
}
