/** Orders and receipts as MongoDB holds them, and the way between them and the domain's values. */
import type { Collection, Db } from 'mongodb';
import type { ActionId, Actor, OrderNumber } from '../domain/ids.ts';
import type {
  Appointment,
  OrderLine,
  OrderStanding,
  OrderStatus,
  Percent,
  PurchaseOrder,
  ReceiptId,
  ReceiptOutcome,
} from '../domain/purchase-order.ts';
import type { Receipt, ReceiptLine, ReceiptReversal, ReceiptState } from '../domain/receipt.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Held, Lease } from '../inventory/saga-ports.ts';
import { instantOf } from './documents.ts';

export interface OrderDocument {
  readonly _id: OrderNumber;
  readonly supplier: string;
  readonly standing: OrderStanding;
  readonly lines: readonly OrderLine[];
  readonly overReceiptPercent?: Percent;
  readonly outcomes: readonly ReceiptOutcome[];
  /** Only of orders that ever had one. */
  readonly appointments?: readonly Appointment[];
  /** As the lines and the standing have it, written along with them, for lists. */
  readonly listedAs: OrderStatus;
  readonly version: number;
  readonly changedBy: ActionId;
  /** Only of orders whose appointments were to be given up. */
  readonly lease?: LeaseDocument;
}

export interface LeaseDocument extends Lease {
  /** Only while the record waits for something. */
  readonly until?: Date;
}

export interface ReceiptDocument {
  readonly _id: ReceiptId;
  readonly number: OrderNumber;
  readonly lines: readonly ReceiptLine[];
  readonly attempt: number;
  readonly state: ReceiptState;
  readonly onOrder: boolean;
  readonly refusal?: Refusal;
  readonly reversal?: ReceiptReversal;
  readonly reference?: string;
  readonly appointment?: NonNullable<Receipt['appointment']>;
  readonly actor: Actor;
  readonly at: Date;
  readonly version: number;
  readonly lease: LeaseDocument;
}

export interface OrderCollections {
  readonly orders: Collection<OrderDocument>;
  readonly receipts: Collection<ReceiptDocument>;
}

export function ordersOf(db: Db): OrderCollections {
  return { orders: db.collection('orders'), receipts: db.collection('receipts') };
}

export function orderOf(document: OrderDocument): PurchaseOrder {
  const { _id, supplier, standing, lines, overReceiptPercent, outcomes, version } = document;
  const { appointments = [] } = document;
  return {
    number: _id,
    supplier,
    standing,
    lines,
    ...(overReceiptPercent === undefined ? {} : { overReceiptPercent }),
    outcomes,
    appointments,
    version,
  };
}

export function receiptOf(document: ReceiptDocument): Receipt {
  const { _id: id, number, lines, attempt, state, onOrder, actor, at } = document;
  const { refusal, reversal, reference, appointment } = document;
  return {
    id,
    number,
    lines,
    attempt,
    state,
    onOrder,
    ...(refusal === undefined ? {} : { refusal }),
    ...(reversal === undefined ? {} : { reversal }),
    ...(reference === undefined ? {} : { reference }),
    ...(appointment === undefined ? {} : { appointment }),
    actor,
    at: instantOf(at),
  };
}

export function receiptFields(
  receipt: Receipt,
): Omit<ReceiptDocument, '_id' | 'version' | 'lease'> {
  const { number, lines, attempt, state, onOrder, refusal, reversal } = receipt;
  const { reference, appointment, actor, at } = receipt;
  return {
    number,
    lines,
    attempt,
    state,
    onOrder,
    ...(refusal === undefined ? {} : { refusal }),
    ...(reversal === undefined ? {} : { reversal }),
    ...(reference === undefined ? {} : { reference }),
    ...(appointment === undefined ? {} : { appointment }),
    actor,
    at: new Date(at),
  };
}

export function heldOf(document: ReceiptDocument): Held<Receipt> {
  const { version, lease } = document;
  const { holder, fence } = lease;
  return { record: receiptOf(document), version, lease: { holder, fence } };
}
