/** What the dock needs from the world, and the use cases as the edge sees them. Types only. */
import type {
  Booking,
  BookingEntry,
  BookingStatus,
  Capacity,
  DockSlot,
  HoldId,
  Occupancy,
  SeatCount,
  SlotId,
} from '../domain/dock-slot.ts';
import type { Instant, WarehouseId, OrderNumber } from '../domain/ids.ts';
import type { Appointment } from '../domain/purchase-order.ts';
import type { NotFound, Page, QueryAnswer, Refused, Unavailable } from './answer.ts';
import type { KeyedRequest } from './keyed-request.ts';
import type {
  ActionStore,
  AnswerStore,
  LedgerMark,
  Lookup,
  Read,
  Recorded,
  Timer,
  Unknown,
} from './ports.ts';

export interface SlotRead {
  readonly slot: DockSlot;
  /** The database's clock at the read. */
  readonly now: Instant;
}

/** One conditional write of a slot: what changes of its seats, against which state. */
export interface SlotChange {
  readonly before: DockSlot;
  readonly after: DockSlot;
  /** The write lands only while the database's clock is before this. */
  readonly until?: Instant;
}

export type SlotWrite =
  | { readonly kind: 'written' }
  /** The version is another one by now, it is too late, or the slot is there already. */
  | { readonly kind: 'lost' }
  | Unknown;

/** A slot in a list: of its seats only what tells whether they are taken. */
export interface ListedSlot extends Omit<DockSlot, 'seats' | 'version' | 'lastActionId'> {
  readonly seats: readonly Occupancy[];
}

/** A slot's place among all, the earliest first. */
export interface SlotPlace {
  readonly startsAt: Instant;
  readonly id: SlotId;
}

export interface ListSlots {
  readonly warehouse?: WarehouseId;
  /** Only slots of these. */
  readonly warehouses?: readonly WarehouseId[];
  /** Only slots that start then or later. */
  readonly from?: Instant;
  /** Only slots that start then or earlier. */
  readonly to?: Instant;
  readonly after?: SlotPlace;
  readonly limit: number;
}

export interface DockSlotStore {
  readonly read: (id: SlotId) => Promise<Lookup<SlotRead>>;
  readonly create: (slot: DockSlot) => Promise<SlotWrite>;
  readonly swap: (change: SlotChange) => Promise<SlotWrite>;
  readonly list: (
    query: ListSlots,
  ) => Promise<Read<readonly { readonly slot: ListedSlot; readonly now: Instant }[]>>;
}

/** What happened to holds, one entry for each event of each. */
export interface DockLedger {
  /** One that is there already stays as it is. */
  readonly record: (entries: readonly BookingEntry[]) => Promise<Recorded>;
  readonly ofHold: (hold: HoldId) => Promise<Read<readonly BookingEntry[]>>;
}

/** The purchase orders that appointments are for. */
export interface Appointments {
  /**
   * Puts a hold on the order that it names, before it takes a seat. Said again it changes nothing.
   * An order that takes no deliveries any more refuses.
   */
  readonly register: (
    order: OrderNumber,
    appointment: Appointment,
  ) => Promise<{ readonly kind: 'registered' } | Refused | { readonly kind: 'lost' } | Unknown>;
}

export interface DockPorts {
  readonly slots: DockSlotStore;
  readonly bookings: DockLedger;
  readonly appointments: Appointments;
  readonly actions: ActionStore;
  readonly answers: AnswerStore;
  readonly mark: Pick<LedgerMark, 'read'>;
  readonly timer: Timer;
}

export interface OpenSlot extends KeyedRequest {
  readonly warehouse: WarehouseId;
  readonly startsAt: Instant;
  readonly endsAt: Instant;
  readonly capacity: Capacity;
}

export interface TakeHold extends KeyedRequest {
  readonly slot: SlotId;
  readonly seats: SeatCount;
  readonly purchaseOrder?: OrderNumber;
}

export interface ChangeHold extends KeyedRequest {
  readonly hold: HoldId;
}

export interface SlotView extends Omit<ListedSlot, 'seats'> {
  /** Seats that nobody has, less live holds. */
  readonly remaining: number;
}

export interface SlotAnswered {
  readonly kind: 'slot';
  readonly slot: Omit<ListedSlot, 'seats'>;
  /** True where this very request had been answered before. */
  readonly replayed: boolean;
}

export interface HoldAnswered {
  readonly kind: 'hold';
  readonly booking: Booking;
  readonly status: BookingStatus;
  readonly replayed: boolean;
}

export type SlotAnswer = SlotAnswered | Refused | Unavailable;
export type HoldAnswer = HoldAnswered | NotFound | Refused | Unavailable;

export interface HoldView {
  readonly booking: Booking;
  readonly status: BookingStatus;
}

export interface Dock {
  readonly openSlot: (request: OpenSlot) => Promise<SlotAnswer>;
  readonly slot: (id: SlotId) => Promise<QueryAnswer<SlotView>>;
  /** The earliest first. */
  readonly slots: (query: ListSlots) => Promise<QueryAnswer<Page<SlotView>>>;
  /** Those that have not started, the earliest first. */
  readonly availability: (warehouse?: WarehouseId) => Promise<QueryAnswer<readonly SlotView[]>>;
  readonly hold: (request: TakeHold) => Promise<HoldAnswer>;
  readonly confirm: (request: ChangeHold) => Promise<HoldAnswer>;
  readonly cancel: (request: ChangeHold) => Promise<HoldAnswer>;
  readonly holdOf: (id: HoldId) => Promise<QueryAnswer<HoldView>>;
}
