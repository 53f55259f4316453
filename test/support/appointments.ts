/** Processes that make appointments and cancel orders, and what has to hold whatever became of them. */
import type { BookingEntry, DockSlot, HoldId, SlotId } from '../../src/domain/dock-slot.ts';
import { oneSeat, parseCapacity, statusOf } from '../../src/domain/dock-slot.ts';
import { nextToGiveUp } from '../../src/domain/appointment.ts';
import type { ActionId, Instant, OrderNumber } from '../../src/domain/ids.ts';
import { parseWarehouseId } from '../../src/domain/ids.ts';
import type { PurchaseOrder } from '../../src/domain/purchase-order.ts';
import { createAppointments } from '../../src/inventory/appointments.ts';
import { createDock } from '../../src/inventory/dock.ts';
import { holdIdOf, slotIdOf } from '../../src/inventory/dock-ids.ts';
import type { Dock, DockPorts, HoldAnswer, OpenSlot } from '../../src/inventory/dock-ports.ts';
import type {
  OrderAnswer,
  OrderRead,
  OrderRecords,
  OrderStore,
} from '../../src/inventory/order-ports.ts';
import type { Timer } from '../../src/inventory/ports.ts';
import type { Alarms } from '../../src/inventory/saga-ports.ts';
import { createPurchaseOrders } from '../../src/inventory/purchase-orders.ts';
import { requestDigest } from '../../src/inventory/request-digest.ts';
import { appointmentsSaga } from '../../sagas/give-up-appointments.ts';
import { createSagaRuns } from '../../sagas/saga-runs.ts';
import { actionId, certain, instant } from './actions.ts';
import { Crash } from './gate.ts';
import { memoryBookings, memorySlots } from './memory-dock.ts';
import type { MemoryRecord } from './memory-records.ts';
import { memoryRecords, recorded } from './memory-records.ts';
import { memoryOrders } from './memory-receiving.ts';
import { memoryActions, memoryAnswers } from './memory-stock.ts';
import { envelope, orderWith } from './receiving.ts';

export interface AppointmentWorldPorts extends Omit<DockPorts, 'appointments' | 'timer'> {
  readonly orders: OrderStore;
  readonly orderRecords: OrderRecords;
  readonly alarms: Alarms;
}

export interface AppointmentWorld {
  readonly ports: AppointmentWorldPorts;
  readonly clock: { now: Instant };
  readonly alarmed: Set<string>;
}

export function appointmentWorld(): AppointmentWorld {
  const clock = { now: instant(1_000_000) };
  const orders = new Map<OrderNumber, OrderRead>();
  const slots = new Map<SlotId, DockSlot>();
  const entries = new Map<string, BookingEntry>();
  const alarmed = new Set<string>();
  return {
    clock,
    alarmed,
    ports: {
      ...memoryOrdersAsRecords(orders, clock),
      slots: memorySlots(slots, clock),
      bookings: memoryBookings(entries),
      actions: memoryActions(),
      answers: memoryAnswers(),
      mark: {
        read: () =>
          Promise.resolve({ kind: 'found', value: { through: clock.now, now: clock.now } }),
      },
      alarms: {
        arm: ({ name, key }) => recorded(() => alarmed.add(`${name}:${key}`)),
        disarm: ({ name, key }) => recorded(() => alarmed.delete(`${name}:${key}`)),
      },
    },
  };
}

/** One document is order and record: a write of either raises the version of both. */
function memoryOrdersAsRecords(
  orders: Map<OrderNumber, OrderRead>,
  clock: { readonly now: Instant },
): { readonly orders: OrderStore; readonly orderRecords: OrderRecords } {
  const leases = new Map<OrderNumber, Pick<MemoryRecord<PurchaseOrder>, 'lease' | 'until'>>();
  const plain = memoryOrders(orders, clock);
  const asRecords = () =>
    new Map(
      Array.from(orders, ([number, { order }]): [OrderNumber, MemoryRecord<PurchaseOrder>] => {
        const standing = leases.get(number) ?? { lease: { holder: '', fence: 0 } };
        return [number, { record: order, version: order.version, ...standing }];
      }),
    );
  /** What the records' own call has changed goes back into the order. */
  async function through<T>(call: (records: OrderRecords) => Promise<T>): Promise<T> {
    const records = asRecords();
    const before = new Map(records);
    const answer = await call(memoryRecords(records, clock, ({ number }) => number));
    for (const [number, { record, version, lease, until }] of records) {
      const earlier = before.get(number);
      if (earlier?.version === version && earlier.until === until) continue;
      const standing = orders.get(number);
      if (standing === undefined) continue;
      orders.set(number, { ...standing, order: { ...record, version } });
      leases.set(number, { lease, ...(until === undefined ? {} : { until }) });
    }
    return answer;
  }
  return {
    orders: {
      ...plain,
      swap: async (before, after, by) => {
        const written = await plain.swap(before, after, by);
        const begins = before.order.standing === 'open' && nextToGiveUp(after) !== undefined;
        if (written.kind === 'written' && begins) {
          const lease = { holder: '', fence: 0 };
          leases.set(after.number, { lease, until: instant(1) });
        }
        return written;
      },
    },
    orderRecords: {
      read: (number) => through((records) => records.read(number)),
      save: (before, after, finished) =>
        through((records) => records.save(before, after, finished)),
      take: (before, holder) => through((records) => records.take(before, holder)),
      renew: (number, lease) => through((records) => records.renew(number, lease)),
      abandoned: (limit) => through((records) => records.abandoned(limit)),
    },
  };
}

let processes = 0;

export const warehouse = certain(parseWarehouseId('W'));

export interface AppointmentProcess {
  readonly dock: Dock;
  readonly hold: (slot: SlotId, order: string, key: string) => Promise<HoldAnswer>;
  readonly confirm: (hold: HoldId, key: string) => Promise<HoldAnswer>;
  readonly cancelOrder: (order: string, key: string) => Promise<OrderAnswer>;
  /** Resumes what is abandoned until nothing is, as the reconciler has it done. */
  readonly recover: () => Promise<void>;
  readonly idle: () => Promise<void>;
}

export function appointmentProcess(ports: AppointmentWorldPorts, timer: Timer): AppointmentProcess {
  const { slots, bookings, orders, orderRecords, alarms } = ports;
  const defects: unknown[] = [];
  const times = { holdSeconds: 300, availabilitySeconds: 10, deadlineMilliseconds: 8_000 };
  const appointments = createAppointments({ orders, slots, bookings });
  const dock = createDock({ ...ports, appointments, timer }, times);
  const runs = createSagaRuns({
    name: 'order',
    keyOf: String,
    idOf: ({ number }: PurchaseOrder) => number,
    saga: appointmentsSaga({ dock, slots }),
    records: orderRecords,
    alarms,
    timer,
    process: `process-${(processes += 1)}`,
    report: (defect) => {
      if (!(defect instanceof Crash)) defects.push(defect);
    },
  });
  const purchaseOrders = createPurchaseOrders(
    {
      ...ports,
      catalogue: { definitions: () => Promise.resolve({ kind: 'found', value: new Map() }) },
      dock,
      appointments: { arm: runs.arm, carryOn: runs.resume },
      timer,
    },
    times.deadlineMilliseconds,
  );
  return {
    dock,
    hold: (slot, order, key) => dock.hold(holdRequest(slot, order, key)),
    confirm: (hold, key) => {
      const operation = 'POST /v1/dock/holds/{id}/confirm';
      const digest = requestDigest(operation, { id: hold }, {});
      return dock.confirm({ actionId: actionId(key), operation, digest, hold });
    },
    cancelOrder: (order, key) =>
      purchaseOrders.end(
        envelope('POST /v1/purchase-orders/{number}/cancel', order, key, {}),
        'cancelled',
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

export function cancelRequest(hold: HoldId, key: string) {
  const operation = 'DELETE /v1/dock/holds/{id}';
  const digest = requestDigest(operation, { id: hold }, {});
  return { actionId: actionId(key), operation, digest, hold };
}

/** A slot with one place. */
export function openRequest(key: string, startsAt: Instant): OpenSlot {
  const operation = 'POST /v1/dock/slots';
  const body = windowOf(1, startsAt);
  return {
    actionId: actionId(key),
    operation,
    digest: requestDigest(operation, {}, body),
    ...body,
  };
}

function windowOf(places: number, startsAt: Instant) {
  const capacity = certain(parseCapacity(places));
  return { warehouse, startsAt, endsAt: instant(startsAt + 3_600_000), capacity };
}

function holdRequest(slot: SlotId, order: string, key: string) {
  const operation = 'POST /v1/dock/slots/{slot}/holds';
  const { number: purchaseOrder } = orderWith(order);
  const body = { seats: oneSeat, purchaseOrder };
  const digest = requestDigest(operation, { slot }, body);
  return { actionId: actionId(key), operation, digest, slot, ...body };
}

export function holdOfKey(slot: SlotId, key: string): HoldId {
  return holdIdOf(slot, actionId(key));
}

/** @param startsAt well after all that a test lets happen. */
export async function openSlot(
  { slots }: Pick<AppointmentWorldPorts, 'slots'>,
  key: string,
  places: number,
  startsAt: Instant,
): Promise<SlotId> {
  const opened: ActionId = actionId(key);
  const id = slotIdOf(opened);
  const window = windowOf(places, startsAt);
  await slots.create({ id, ...window, seats: [], version: 1, lastActionId: opened });
  return id;
}

/** What is wrong with an order, its appointments and the slots, once nothing is under way. */
export async function appointmentFaults(
  { orders, slots }: AppointmentWorldPorts,
  number: string,
  among: readonly SlotId[],
): Promise<readonly string[]> {
  const read = await orders.read(orderWith(number).number);
  if (read.kind !== 'found') return ['the order is gone'];
  const { order } = read.value;
  const known = new Set(order.appointments.map(({ hold }) => hold));
  const faults: string[] = [];
  if (nextToGiveUp(order) !== undefined) faults.push('something is still to be given up');
  if (known.size < order.appointments.length) faults.push('an appointment is there twice');
  for (const id of among) {
    const slot = await slots.read(id);
    if (slot.kind !== 'found') return ['the slot is gone'];
    for (const seat of slot.value.slot.seats) {
      if (seat.purchaseOrder !== order.number) continue;
      if (!known.has(seat.hold)) faults.push(`the order does not know ${seat.hold}`);
      const status = statusOf(seat, slot.value.now);
      if (order.standing === 'cancelled' && (status === 'held' || status === 'confirmed')) {
        faults.push(`${seat.hold} has a place for a cancelled order`);
      }
    }
  }
  return faults;
}
