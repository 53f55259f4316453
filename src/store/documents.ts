/** The documents as MongoDB holds them, and the way between them and the domain's values. */
import type { Collection, Db } from 'mongodb';
import type { Booking, BookingStatus } from '../domain/dock-slot.ts';
import type {
  ActionId,
  Actor,
  Digest,
  Instant,
  LocationId,
  Sku,
  WarehouseId,
} from '../domain/ids.ts';
import { parseInstant } from '../domain/ids.ts';
import type { Location, LocationKind } from '../domain/location.ts';
import type { MovementReason, MovementType } from '../domain/movement-type.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { MovementLine, WindowMovement } from '../domain/movement.ts';
import type { PurchaseOrder } from '../domain/purchase-order.ts';
import type { Quantity } from '../domain/quantity.ts';
import type { ReservationId, ReservationRecord, ReservationState } from '../domain/reservation.ts';
import type { Barcode, Level, Pack, SkuDefinition, SkuState, SkuStatus } from '../domain/sku.ts';
import type { CountLine, StockCount } from '../domain/stock-count.ts';
import type { ClaimSubject } from '../inventory/ports.ts';
import type { ReminderDocument } from './reminder-document.ts';

export interface WindowDocument {
  readonly actionId: ActionId;
  readonly ordinal: number;
  readonly type: MovementType;
  readonly lines: readonly MovementLine[];
  readonly reason?: MovementReason;
  readonly reservation?: ReservationRecordDocument;
  readonly reverses?: ActionId;
  readonly refused?: RefusalCode;
  readonly actor: Actor;
  readonly at: Date;
  /** Bytes of all the SKU's movements up to this one: tells the size of any stretch of them. */
  readonly bytesThrough: number;
}

export interface ReservationRecordDocument {
  readonly id: ReservationId;
  readonly location: LocationId;
  readonly quantity: Quantity;
  readonly expiresAt: Date | null;
  readonly state: ReservationState;
}

export interface ReservationDocument {
  readonly id: ReservationId;
  readonly location: LocationId;
  readonly quantity: Quantity;
  readonly expiresAt: Date | null;
  readonly changedAt: number;
  readonly digest: Digest;
}

export interface DefinitionFields {
  readonly description: string;
  readonly baseUnit: string;
  readonly packs: readonly Pack[];
  /** Left out when there are none. */
  readonly barcodes?: readonly Barcode[];
  readonly reorderPoint?: number;
  readonly status: SkuStatus;
}

/** Where the window begins and ends; only in answers that project it, never stored. */
export interface WindowEdges {
  readonly oldest?: Partial<Pick<WindowDocument, 'ordinal' | 'bytesThrough'>> | null;
  readonly newest?: Partial<Pick<WindowDocument, 'ordinal' | 'bytesThrough'>> | null;
}

export interface SkuDocument extends DefinitionFields, WindowEdges {
  readonly _id: Sku;
  readonly definedBy: ActionId;
  readonly definedVersion: number;
  readonly levels: readonly Level[];
  readonly reservations: readonly ReservationDocument[];
  readonly lastActionId: ActionId;
  readonly version: number;
  readonly movementCount: number;
  readonly movements: readonly WindowDocument[];
  readonly ledgeredThrough: number;
  /** `at` of the newest movement, or of the making of the SKU. */
  readonly lastAt: Date;
}

export interface ActionDocument {
  readonly _id: ActionId;
  readonly digest: Digest;
  readonly operation: string;
  readonly subject: ClaimSubject;
  readonly reference?: string;
  readonly note?: string;
}

export interface LedgerDocument {
  readonly _id: { readonly sku: Sku; readonly ordinal: number };
  readonly actionId: ActionId;
  readonly type: MovementType;
  readonly lines: readonly MovementLine[];
  readonly reason?: MovementReason;
  readonly reservation?: ReservationRecordDocument;
  readonly reverses?: ActionId;
  readonly refused?: RefusalCode;
  readonly reference?: string;
  readonly note?: string;
  readonly actor: Actor;
  readonly at: Date;
}

export interface LocationDocument {
  readonly _id: LocationId;
  readonly warehouse: WarehouseId;
  readonly name?: string;
  readonly kind: LocationKind;
  readonly version: number;
  readonly changedBy: ActionId;
  readonly retiredAt?: Date;
}

export type AnswerDocument = { readonly _id: ActionId } & (
  | {
      readonly kind: 'definition';
      readonly sku: Sku;
      readonly definition: DefinitionFields;
      readonly version: number;
    }
  | { readonly kind: 'location'; readonly location: LocationDocument }
  | {
      readonly kind: 'count-line';
      readonly count: Pick<StockCount, 'id' | 'isBlind'>;
      readonly line: CountLine;
    }
  | { readonly kind: 'order'; readonly order: PurchaseOrder }
  | { readonly kind: 'dock-hold'; readonly booking: Booking; readonly status: BookingStatus }
  | { readonly kind: 'reminder'; readonly shown: string }
);

export interface BarcodeDocument {
  readonly _id: string;
  readonly sku: Sku;
  readonly madeBy: string | null;
  readonly heldBy: string;
  readonly until: Date;
}

export interface MarkDocument {
  readonly _id: string;
  readonly through: Date;
}

export interface Collections {
  readonly marks: Collection<MarkDocument>;
  readonly skus: Collection<SkuDocument>;
  readonly barcodes: Collection<BarcodeDocument>;
  readonly actions: Collection<ActionDocument>;
  readonly movements: Collection<LedgerDocument>;
  readonly locations: Collection<LocationDocument>;
  readonly answers: Collection<AnswerDocument>;
  readonly reminders: Collection<ReminderDocument>;
}

export function collectionsOf(db: Db): Collections {
  return {
    skus: db.collection('skus'),
    barcodes: db.collection('barcodes'),
    actions: db.collection('actions'),
    movements: db.collection('movements'),
    locations: db.collection('locations'),
    answers: db.collection('answers'),
    reminders: db.collection('reminders'),
    marks: db.collection('marks'),
  };
}

/** @throws when the database holds a date that is none: no writer of this service makes one. */
export function instantOf(date: Date): Instant {
  const instant = parseInstant(date.getTime());
  if (instant === undefined) throw new RangeError('the database holds an invalid date');
  return instant;
}

export function definitionFields(definition: SkuDefinition): DefinitionFields {
  const { barcodes, ...rest } = definition;
  return { ...rest, ...(barcodes.length === 0 ? {} : { barcodes }) };
}

export function definitionOf(document: DefinitionFields): SkuDefinition {
  const { description, baseUnit, packs, barcodes, reorderPoint, status } = document;
  return {
    description,
    baseUnit,
    packs,
    barcodes: barcodes ?? [],
    ...(reorderPoint === undefined ? {} : { reorderPoint }),
    status,
  };
}

export function stateOf(document: Omit<SkuDocument, 'movements'>): SkuState {
  return {
    sku: document._id,
    definition: definitionOf(document),
    levels: document.levels,
    reservations: document.reservations.map(undated<ReservationDocument>),
    lastActionId: document.lastActionId,
    version: document.version,
    movementCount: document.movementCount,
  };
}

/** `expiresAt` as the domain has it, whatever else the value carries. */
function undated<T extends { readonly expiresAt: Date | null }>(
  document: T,
): Omit<T, 'expiresAt'> & { readonly expiresAt: Instant | null } {
  const { expiresAt } = document;
  return { ...document, expiresAt: expiresAt === null ? null : instantOf(expiresAt) };
}

/** `expiresAt` as the database holds it. */
export function dated<T extends { readonly expiresAt: Instant | null }>(
  value: T,
): Omit<T, 'expiresAt'> & { readonly expiresAt: Date | null } {
  const { expiresAt } = value;
  return { ...value, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

/** The members of a movement that only some have, as the database holds them. */
export function particularFields(movement: {
  readonly reason?: MovementReason;
  readonly reservation?: ReservationRecord;
  readonly reverses?: ActionId;
  readonly refused?: RefusalCode;
}): Pick<WindowDocument, 'reason' | 'reservation' | 'reverses' | 'refused'> {
  const { reason, reservation, reverses, refused } = movement;
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(reservation === undefined ? {} : { reservation: dated(reservation) }),
    ...(reverses === undefined ? {} : { reverses }),
    ...(refused === undefined ? {} : { refused }),
  };
}

/** The same members as the domain has them. */
export function particularsOf(
  document: Pick<WindowDocument, 'reason' | 'reservation' | 'reverses' | 'refused'>,
): Pick<WindowMovement, 'reason' | 'reservation' | 'reverses' | 'refused'> {
  const { reason, reservation, reverses, refused } = document;
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(reservation === undefined ? {} : { reservation: undated(reservation) }),
    ...(reverses === undefined ? {} : { reverses }),
    ...(refused === undefined ? {} : { refused }),
  };
}

export function windowMovementOf(document: WindowDocument): WindowMovement {
  const { actionId, ordinal, type, lines, actor, at } = document;
  return {
    actionId,
    ordinal,
    type,
    lines,
    ...particularsOf(document),
    actor,
    at: instantOf(at),
  };
}

export function locationOf(document: LocationDocument): Location {
  const { _id, warehouse, name, kind, version, retiredAt } = document;
  return {
    location: _id,
    warehouse,
    ...(name === undefined ? {} : { name }),
    kind,
    version,
    ...(retiredAt === undefined ? {} : { retiredAt: instantOf(retiredAt) }),
  };
}
