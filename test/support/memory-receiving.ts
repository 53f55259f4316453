/**
 * What receiving needs from the world, in memory: every call is one indivisible step. It passes the
 * suite that the real stores pass, as far as they overlap; stock is decided by the domain itself.
 */
import type { Action } from '../../src/domain/action.ts';
import type { Circumstances } from '../../src/domain/circumstances.ts';
import { decide } from '../../src/domain/decide.ts';
import type { ActionId, Instant, LocationId, Sku, OrderNumber } from '../../src/domain/ids.ts';
import type { Location } from '../../src/domain/location.ts';
import type { Movement } from '../../src/domain/movement.ts';
import type { PurchaseOrder, ReceiptId } from '../../src/domain/purchase-order.ts';
import { statusOf } from '../../src/domain/purchase-order.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { isCredited } from '../../src/domain/receipt.ts';
import type { SkuState } from '../../src/domain/sku.ts';
import { availableAt } from '../../src/domain/sku.ts';
import type { ActionAnswer, SkuView } from '../../src/inventory/answer.ts';
import type { Inventory } from '../../src/inventory/inventory.ts';
import type { OrderRead, OrderStore, ReceiptStore } from '../../src/inventory/order-ports.ts';
import type { SkuCatalogue } from '../../src/inventory/order-ports.ts';
import type { ActionStore, Ledger, LocationStore } from '../../src/inventory/ports.ts';
import type { Alarms } from '../../src/inventory/saga-ports.ts';
import { instant, location, stocked } from './actions.ts';
import type { Clock, MemoryRecord } from './memory-records.ts';
import { found, lost, memoryRecords, missing, pair, recorded } from './memory-records.ts';
import { memoryActions } from './memory-stock.ts';

export interface MemoryPorts {
  readonly orders: OrderStore;
  readonly receipts: ReceiptStore;
  readonly catalogue: SkuCatalogue;
  readonly actions: ActionStore;
  readonly locations: Pick<LocationStore, 'find'>;
  readonly inventory: Pick<Inventory, 'post' | 'reverse' | 'sku'>;
  readonly ledger: Pick<Ledger, 'undoing'>;
  readonly alarms: Alarms;
}

export interface MemoryWorld {
  readonly ports: MemoryPorts;
  /** The database's clock. */
  readonly clock: { now: Instant };
  readonly orders: Map<OrderNumber, OrderRead>;
  readonly receipts: Map<ReceiptId, MemoryRecord<Receipt>>;
  readonly skus: Map<Sku, SkuState>;
  /** By the action that led to each. */
  readonly movements: Map<ActionId, Movement>;
  readonly alarmed: Set<string>;
}

export function memoryWorld(
  places: readonly Location[] = [location('A1'), location('B1'), location('R1', 'storage', true)],
): MemoryWorld {
  const clock = { now: instant(1_000_000) };
  const orders = new Map<OrderNumber, OrderRead>();
  const receipts = new Map<ReceiptId, MemoryRecord<Receipt>>();
  const skus = new Map<Sku, SkuState>();
  const movements = new Map<ActionId, Movement>();
  const alarmed = new Set<string>();
  const known = new Map(places.map((place) => [place.location, place]));
  return {
    clock,
    orders,
    receipts,
    skus,
    movements,
    alarmed,
    ports: {
      orders: memoryOrders(orders, clock),
      receipts: memoryReceipts(receipts, clock),
      catalogue: {
        definitions: (wanted) =>
          found(new Map(wanted.flatMap((sku) => pair(sku, skus.get(sku)?.definition)))),
      },
      actions: memoryActions(),
      locations: {
        find: (wanted) => found(new Map(wanted.flatMap((id) => pair(id, known.get(id))))),
      },
      inventory: memoryInventory(skus, movements, known, clock),
      ledger: {
        undoing: (of, actions) =>
          found(
            Array.from(movements.values()).filter(
              ({ sku, reverses }) =>
                sku === of && reverses !== undefined && actions.includes(reverses),
            ),
          ),
      },
      alarms: {
        arm: ({ name, key }) => recorded(() => alarmed.add(`${name}:${key}`)),
        disarm: ({ name, key }) => recorded(() => alarmed.delete(`${name}:${key}`)),
      },
    },
  };
}

export function memoryOrders(orders: Map<OrderNumber, OrderRead>, clock: Clock): OrderStore {
  return {
    read: (number) => {
      const order = orders.get(number);
      return order === undefined ? missing : found({ ...order, now: clock.now });
    },
    create: (order, changedBy) => {
      if (orders.has(order.number)) return lost;
      orders.set(order.number, { order, changedBy, now: clock.now });
      return Promise.resolve({ kind: 'written', order });
    },
    swap: (before, decided, by) => {
      const standing = orders.get(before.order.number);
      if (standing?.order.version !== before.order.version) return lost;
      const order: PurchaseOrder = { ...decided, version: before.order.version + 1 };
      orders.set(order.number, { order, changedBy: by ?? before.changedBy, now: clock.now });
      return Promise.resolve({ kind: 'written', order });
    },
    list: ({ status, after, limit }) =>
      found(
        Array.from(orders.values(), ({ order }) => order)
          .filter((order) => status === undefined || statusOf(order) === status)
          .filter(({ number }) => after === undefined || number > after)
          .toSorted((one, other) => (one.number < other.number ? -1 : 1))
          .slice(0, limit),
      ),
  };
}

export function memoryReceipts(
  receipts: Map<ReceiptId, MemoryRecord<Receipt>>,
  clock: Clock,
): ReceiptStore {
  return {
    ...memoryRecords(receipts, clock, ({ id }) => id),
    list: ({ number, after, limit }) =>
      found(
        Array.from(receipts.values(), ({ record }) => record)
          .filter((record) => record.number === number && isCredited(record))
          .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
          .filter(
            ({ at, id }) =>
              after === undefined || at < after.at || (at === after.at && id < after.id),
          )
          .slice(0, limit),
      ),
  };
}

function memoryInventory(
  skus: Map<Sku, SkuState>,
  movements: Map<ActionId, Movement>,
  locations: ReadonlyMap<LocationId, Location>,
  clock: Clock,
): MemoryPorts['inventory'] {
  function given(actionId: ActionId): Circumstances {
    const applied = movements.get(actionId);
    const reversals = new Map(
      Array.from(movements.values()).flatMap(({ reverses, actionId: by }) => pairOf(reverses, by)),
    );
    return { now: clock.now, locations, reversals, ...(applied === undefined ? {} : { applied }) };
  }

  function post(action: Action): Promise<ActionAnswer> {
    const before = movements.get(action.actionId);
    const decision = decide(skus.get(action.sku) ?? null, action, given(action.actionId));
    switch (decision.kind) {
      case 'already-applied': {
        if (before === undefined) throw new Error('applied, and not among the movements');
        return Promise.resolve({ kind: 'moved', movement: before, replayed: true });
      }
      case 'moved': {
        const movement: Movement = { ...decision.movement, at: clock.now };
        const version = decision.state.version + 1;
        skus.set(action.sku, { ...decision.state, version });
        movements.set(action.actionId, movement);
        return Promise.resolve({ kind: 'moved', movement, replayed: false });
      }
      case 'refused':
        return Promise.resolve(decision);
      case 'defined':
        throw new Error('no test defines a SKU here');
    }
  }

  return {
    post,
    reverse: async ({ original, ...envelope }) => {
      const movement = movements.get(original);
      if (movement === undefined) return { kind: 'not-found' };
      const change = { type: 'reverse', original: movement } as const;
      return post({ ...envelope, sku: movement.sku, change });
    },
    sku: (sku) => {
      const state = skus.get(sku);
      return Promise.resolve(
        state === undefined
          ? { kind: 'not-found' }
          : { kind: 'ok', value: viewOf(state, locations, clock) },
      );
    },
  };
}

function pairOf<K, V>(key: K | undefined, value: V): readonly (readonly [K, V])[] {
  return key === undefined ? [] : [[key, value]];
}

function viewOf(
  state: SkuState,
  locations: ReadonlyMap<LocationId, Location>,
  clock: Clock,
): SkuView {
  const levels = state.levels.flatMap(({ location: id, onHand }) => {
    const place = locations.get(id);
    if (place === undefined) return [];
    const available = availableAt(state, id, place.kind, clock.now);
    const { warehouse, kind } = place;
    return [{ location: id, warehouse, kind, onHand, reserved: onHand - available, available }];
  });
  const { sku, definition, version, lastActionId, movementCount } = state;
  const totals = { onHand: 0, reserved: 0, available: 0 };
  const asOf = clock.now;
  return {
    sku,
    definition,
    version,
    lastActionId,
    movementCount,
    totals,
    levels,
    reservations: [],
    asOf,
  };
}

/** Puts a SKU there that nothing stands of, unless levels are named. */
export function putSku(
  world: MemoryWorld,
  id: Sku,
  levels: Readonly<Record<string, number>> = {},
): void {
  world.skus.set(id, { ...stocked(levels, id), movementCount: 0 });
}
