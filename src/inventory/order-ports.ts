/** What purchase orders need from the world, and the use cases as the edge sees them. Types only. */
import type {
  ActionId,
  Actor,
  Digest,
  Instant,
  LocationId,
  OrderNumber,
  Sku,
  WarehouseId,
} from '../domain/ids.ts';
import type { HoldId } from '../domain/dock-slot.ts';
import type { MovementText } from '../domain/movement.ts';
import type {
  OrderStanding,
  OrderStatus,
  Percent,
  PurchaseOrder,
  ReceiptId,
} from '../domain/purchase-order.ts';
import type { Quantity } from '../domain/quantity.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { SkuDefinition } from '../domain/sku.ts';
import type { HoldView } from './dock-ports.ts';
import type { NotFound, Page, QueryAnswer, Refused, Unavailable } from './answer.ts';
import type { Lookup, Read, Recorded, Unknown } from './ports.ts';
import type { SagaRecords } from './saga-ports.ts';

export interface OrderRead {
  readonly order: PurchaseOrder;
  /** The request that made or changed it last; receipts are no such requests. */
  readonly changedBy: ActionId;
  /** The database's clock at the read. */
  readonly now: Instant;
}

export type OrderWrite =
  | { readonly kind: 'written'; readonly order: PurchaseOrder }
  /** The version is another one by now, or the number is taken. */
  | { readonly kind: 'lost' }
  | Unknown;

export interface OrderStore {
  readonly read: (number: OrderNumber) => Promise<Lookup<OrderRead>>;
  readonly create: (order: PurchaseOrder, by: ActionId) => Promise<OrderWrite>;
  /** One conditional write of what differs; the version goes up by one. */
  readonly swap: (
    before: Pick<OrderRead, 'order' | 'changedBy'>,
    after: PurchaseOrder,
    by?: ActionId,
  ) => Promise<OrderWrite>;
  /** In the order of their numbers. */
  readonly list: (query: ListOrders) => Promise<Read<readonly PurchaseOrder[]>>;
}

/** Orders as the records of the sagas that give up the appointments of cancelled ones. */
export type OrderRecords = Pick<
  SagaRecords<OrderNumber, PurchaseOrder>,
  'read' | 'save' | 'take' | 'renew' | 'abandoned'
>;

/** Gives up the appointments of an order. Sagas carry it out; orders know this much of them. */
export interface GiveUpAppointments {
  /** To be done before an order with appointments is cancelled: somebody will look after them. */
  readonly arm: (number: OrderNumber) => Promise<Recorded>;
  /** Goes on with those of a cancelled order, unless somebody is at it, to their end. */
  readonly carryOn: (number: OrderNumber) => Promise<unknown>;
}

export interface ListOrders {
  readonly status?: OrderStatus;
  readonly after?: OrderNumber;
  readonly limit: number;
}

/** A receipt's place among those of its order, newest first. */
export interface ReceiptPlace {
  readonly at: Instant;
  readonly id: ReceiptId;
}

export interface ListReceipts {
  readonly number: OrderNumber;
  readonly after?: ReceiptPlace;
  readonly limit: number;
}

export interface ReceiptStore extends SagaRecords<ReceiptId, Receipt> {
  /** Those that the order has credited. */
  readonly list: (query: ListReceipts) => Promise<Read<readonly Receipt[]>>;
}

/** Packs and base units of many SKUs at once. */
export interface SkuCatalogue {
  readonly definitions: (
    skus: readonly Sku[],
  ) => Promise<Read<ReadonlyMap<Sku, Pick<SkuDefinition, 'baseUnit' | 'packs'>>>>;
}

/** A request about an order. Without a caller's key, `actionId` is one of the service's own. */
export interface OrderAction {
  readonly actionId: ActionId;
  readonly operation: string;
  readonly digest: Digest;
  readonly number: OrderNumber;
}

export interface DraftLine {
  readonly line: number;
  readonly sku: Sku;
  readonly ordered: Quantity;
  /** The SKU's base unit where it is left out, else the name of a pack. */
  readonly unit?: string;
  readonly overReceiptPercent?: Percent;
}

export interface OrderDraft {
  readonly supplier: string;
  readonly lines: readonly DraftLine[];
  readonly overReceiptPercent?: Percent;
}

/** What is named changes; a line that the order has not yet is added. */
export interface OrderChange {
  readonly supplier?: string;
  /** null: none any more. */
  readonly overReceiptPercent?: Percent | null;
  readonly lines?: readonly LineChange[];
}

export interface LineChange {
  readonly line: number;
  readonly sku?: Sku;
  readonly ordered?: Quantity;
  readonly unit?: string;
  /** null: the order's own. */
  readonly overReceiptPercent?: Percent | null;
}

export interface OrderAnswered {
  readonly kind: 'order';
  readonly order: PurchaseOrder;
  /** True where this very request had its effect before. */
  readonly replayed: boolean;
}

export type OrderAnswer = OrderAnswered | NotFound | Refused | Unavailable;

/** An appointment that has a seat, or had one. */
export interface AppointmentView extends HoldView {
  readonly warehouse: WarehouseId;
}

export interface OrderView {
  readonly order: PurchaseOrder;
  /** In the order in which they were made. */
  readonly appointments: readonly AppointmentView[];
}

export interface PurchaseOrders {
  readonly create: (action: OrderAction, draft: OrderDraft) => Promise<OrderAnswer>;
  readonly change: (action: OrderAction, change: OrderChange) => Promise<OrderAnswer>;
  /** Ends it: nothing more is received. One that has ended the same way stays as it is. */
  readonly end: (
    action: OrderAction,
    standing: Exclude<OrderStanding, 'open'>,
  ) => Promise<OrderAnswer>;
  readonly order: (number: OrderNumber) => Promise<QueryAnswer<OrderView>>;
  readonly orders: (query: ListOrders) => Promise<QueryAnswer<Page<PurchaseOrder>>>;
}

export interface AskedLine {
  readonly line: number;
  readonly location: LocationId;
  readonly quantity: Quantity;
  readonly unit?: string;
}

export interface ReceiveRequest extends OrderAction {
  readonly actor: Actor;
  readonly lines: readonly AskedLine[];
  readonly reference?: string;
  /** The hold at the dock on which the goods arrived. */
  readonly appointment?: HoldId;
}

export interface ReverseRequest extends OrderAction, MovementText {
  readonly actor: Actor;
  readonly receipt: ReceiptId;
}

export interface ReceiptAnswered {
  readonly kind: 'receipt';
  /** As it stands when the request's time is up; the order has credited it. */
  readonly receipt: Receipt;
  readonly replayed: boolean;
}

export type ReceiptAnswer = ReceiptAnswered | NotFound | Refused | Unavailable;

/** Receiving what was ordered. Sagas carry it out; the edge knows this much of them. */
export interface Receiving {
  readonly receive: (request: ReceiveRequest) => Promise<ReceiptAnswer>;
  /** Sends back all that a receipt brought in, once, while the stock is there. */
  readonly reverse: (request: ReverseRequest) => Promise<ReceiptAnswer>;
  readonly receipt: (number: OrderNumber, id: ReceiptId) => Promise<QueryAnswer<Receipt>>;
  /** Newest first. */
  readonly receipts: (query: ListReceipts) => Promise<QueryAnswer<Page<Receipt>>>;
}
