/** What the use cases need from the world. Types only; src/store fills them. */
import type { Booking, BookingStatus, HoldId, SlotId } from '../domain/dock-slot.ts';
import type {
  ActionId,
  Actor,
  Digest,
  Instant,
  LocationId,
  Sku,
  WarehouseId,
  OrderNumber,
} from '../domain/ids.ts';
import type { Location, LocationDefinition } from '../domain/location.ts';
import type {
  DecidedMovement,
  Movement,
  MovementText,
  WindowMovement,
} from '../domain/movement.ts';
import type { MovementType } from '../domain/movement-type.ts';
import type { PurchaseOrder, ReceiptId } from '../domain/purchase-order.ts';
import type { ReminderId } from '../domain/reminder.ts';
import type { ReservationId } from '../domain/reservation.ts';
import type { SkuDefinition, SkuState } from '../domain/sku.ts';
import type { CountId, CountLine, StockCount } from '../domain/stock-count.ts';

/**
 * The database could not be asked, or its answer was lost. For a read nothing has happened; for a
 * write nobody knows, so the caller of the port looks before it says anything.
 */
export interface Unknown {
  readonly kind: 'unknown';
  readonly cause: string;
}

export interface Found<T> {
  readonly kind: 'found';
  readonly value: T;
}
export interface Missing {
  readonly kind: 'missing';
}

export type Read<T> = Found<T> | Unknown;
export type Lookup<T> = Found<T> | Missing | Unknown;

/** Where the retained window begins and how far the ledger is known to reach. */
export interface WindowExtent {
  /** The oldest retained ordinal; movementCount + 1 where the window is empty. */
  readonly from: number;
  /** The newest ordinal known to be in the ledger with all before it. */
  readonly ledgeredThrough: number;
  /** Bytes of all movements up to the oldest retained and up to the newest. */
  readonly bytesFrom: number;
  readonly bytesThrough: number;
}

export interface SkuRead {
  readonly state: SkuState;
  readonly extent: WindowExtent;
  /** The last definition, while it is what answers a repeat of its own action. */
  readonly definedBy: ActionId;
  readonly definedVersion: number;
  /** The retained movements that were asked for, oldest first. */
  readonly retained: readonly WindowMovement[];
  /** The database's clock at the read. */
  readonly now: Instant;
}

/** What a read looks for in the window. */
export interface Interest {
  readonly actions: readonly ActionId[];
  /** Movements that concern one of these. */
  readonly reservations: readonly ReservationId[];
  /** Movements that undo one of these. */
  readonly undone: readonly ActionId[];
}

/** One write of a SKU document: what changes, against which state. */
export interface SkuChange {
  readonly before: SkuState;
  readonly extent: WindowExtent;
  readonly after: SkuState;
  readonly movements: readonly DecidedMovement[];
  readonly ledgeredThrough: number;
  /** The write lands only while the database's clock is before this. */
  readonly until?: Instant;
}

export type Swap =
  | { readonly kind: 'swapped'; readonly at: Instant; readonly extent: WindowExtent }
  /** Somebody else's write came first, or an earlier attempt of ours landed after all. */
  | { readonly kind: 'lost' }
  | Unknown;

export interface SkuStore {
  /** @returns the state without its window, and what the window holds of interest. */
  readonly read: (sku: Sku, interest: Interest) => Promise<Lookup<SkuRead>>;
  /**
   * The first write of a SKU; `lost` when it exists already.
   * @param until it lands only while the database's clock is before this.
   */
  readonly create: (after: SkuState, until?: Instant) => Promise<Swap>;
  /** The one conditional write: level, movement and action id together, or nothing. */
  readonly swap: (change: SkuChange) => Promise<Swap>;
  /** The retained movements with an ordinal above `after`, oldest first. */
  readonly window: (sku: Sku, after: number) => Promise<Read<readonly WindowMovement[]>>;
  /** The document whole, as of one moment. */
  readonly snapshot: (sku: Sku) => Promise<Lookup<SkuSnapshot>>;
  /** SKUs moved after `since`, in the order of their newest movement, from `after` on. */
  readonly movedSince: (query: {
    readonly since: Instant;
    readonly after?: LedgerGap;
    readonly limit: number;
  }) => Promise<Read<readonly LedgerGap[]>>;
  readonly list: (query: SkuQuery) => Promise<Read<StampedSkus>>;
}

/** That a barcode is, or is about to be, a SKU's. */
export interface CodeClaim {
  readonly code: string;
  readonly sku: Sku;
  /** Who made it or took it over, each by a token of its own; null once another has held it too. */
  readonly madeBy: string | null;
  /** Who held it last. */
  readonly heldBy: string;
  /** Before this, by the database's clock, nobody takes it over. */
  readonly until: Instant;
  /** That was so long before the read that no clock is before it any more. */
  readonly isOver: boolean;
}

export interface Claimant {
  readonly sku: Sku;
  readonly token: string;
}

/** Claims of barcodes, one document a code. The rules are those of barcode-claims.ts. */
export interface BarcodeStore {
  /** Makes claims of codes that nobody has; each is over at once, and nothing may rest on it yet. */
  readonly make: (by: Claimant, codes: readonly string[]) => Promise<Recorded>;
  /** Claims anew, for a while from now, those that are the SKU's. */
  readonly hold: (by: Claimant, codes: readonly string[]) => Promise<Recorded>;
  /** By code, as far as they are claimed. */
  readonly read: (codes: readonly string[]) => Promise<Read<ReadonlyMap<string, CodeClaim>>>;
  /** As if made anew; nothing happens where the claim is another by now. */
  readonly takeOver: (claim: CodeClaim, by: Claimant) => Promise<Recorded>;
  /** Takes those away that are as they were read. */
  readonly release: (claims: readonly CodeClaim[]) => Promise<Recorded>;
  /** The codes that the documents of the claims' SKUs carry, after all writes that have landed. */
  readonly carried: (claims: readonly CodeClaim[]) => Promise<Read<ReadonlySet<string>>>;
}

export interface SkuSnapshot extends Pick<SkuRead, 'state' | 'extent' | 'now'> {
  readonly window: readonly WindowMovement[];
}

/** How far the ledger of a SKU is known to reach, and how far its history does. */
export interface LedgerGap {
  readonly sku: Sku;
  readonly lastAt: Instant;
  readonly ledgeredThrough: number;
  readonly movementCount: number;
}

export interface StampedSkus {
  readonly skus: readonly SkuState[];
  readonly now: Instant;
}

export interface SkuQuery {
  /** Only SKUs after this one, in code point order. */
  readonly after?: Sku;
  readonly limit: number;
  /** Literal text that the SKU or its description contains, whatever the case. */
  readonly contains?: string;
  /** Only SKUs with stock or reservations at one of these. */
  readonly standingAt?: readonly LocationId[];
}

/** The claim: this action id means this request, for ever. */
export interface Claim extends MovementText {
  readonly actionId: ActionId;
  readonly digest: Digest;
  readonly operation: string;
  readonly subject: ClaimSubject;
}

export type ClaimSubject =
  | { readonly kind: 'sku'; readonly sku: Sku }
  | { readonly kind: 'location'; readonly location: LocationId }
  | { readonly kind: 'count'; readonly count: CountId }
  | { readonly kind: 'order'; readonly order: OrderNumber; readonly receipt?: ReceiptId }
  | { readonly kind: 'reminder'; readonly reminder: ReminderId | Actor }
  | { readonly kind: 'dock-slot'; readonly slot: SlotId; readonly hold?: HoldId };

export type Claimed =
  /** `standing` holds the claims that were there before, whoever made them. */
  { readonly kind: 'claimed'; readonly standing: ReadonlyMap<ActionId, Claim> } | Unknown;

export interface ActionStore {
  readonly claim: (claims: readonly Claim[]) => Promise<Claimed>;
  readonly find: (actions: readonly ActionId[]) => Promise<Read<ReadonlyMap<ActionId, Claim>>>;
}

export interface HistoryQuery {
  readonly sku: Sku;
  /** Only ordinals below this one. */
  readonly before?: number;
  readonly limit: number;
  readonly location?: LocationId;
  readonly type?: MovementType;
  readonly from?: Instant;
  readonly to?: Instant;
}

/** Across SKUs, newest first: by instant, then by SKU and ordinal. */
export interface MovementSearch {
  readonly sku?: Sku;
  /** Movements with a line at one of these. */
  readonly locations?: readonly LocationId[];
  readonly type?: MovementType;
  readonly actor?: Actor;
  readonly reference?: string;
  readonly from?: Instant;
  readonly to: Instant;
  readonly after?: MovementPlace;
  readonly limit: number;
}

/** A movement's place among all. */
export interface MovementPlace {
  readonly at: Instant;
  readonly sku: Sku;
  readonly ordinal: number;
}

export type Recorded = { readonly kind: 'recorded' } | Unknown;

export interface Ledger {
  /** Enters movements; one that is there already stays as it is. */
  readonly record: (movements: readonly Movement[]) => Promise<Recorded>;
  /** Which of the ordinals above `after`, up to `through`, are entered. */
  readonly ordinals: (
    sku: Sku,
    after: number,
    through: number,
  ) => Promise<Read<ReadonlySet<number>>>;
  readonly byAction: (
    sku: Sku,
    actions: readonly ActionId[],
  ) => Promise<Read<ReadonlyMap<ActionId, Movement>>>;
  /** Whatever its SKU. */
  readonly ofAction: (action: ActionId) => Promise<Lookup<Movement>>;
  /** The newest entry of each reservation. */
  readonly byReservation: (
    sku: Sku,
    reservations: readonly ReservationId[],
  ) => Promise<Read<ReadonlyMap<ReservationId, Movement>>>;
  /** The entries that undo one of the actions. */
  readonly undoing: (sku: Sku, actions: readonly ActionId[]) => Promise<Read<readonly Movement[]>>;
  /** Oldest first, `after` < ordinal ≤ `through`. */
  readonly entries: (query: {
    readonly sku: Sku;
    readonly after: number;
    readonly through: number;
    readonly limit: number;
  }) => Promise<Read<readonly Movement[]>>;
  readonly search: (query: MovementSearch) => Promise<Read<readonly Movement[]>>;
  /** What the lines of the ordinals above `after`, up to `through`, add up to. */
  readonly netByLocation: (
    sku: Sku,
    after: number,
    through: number,
  ) => Promise<Read<ReadonlyMap<LocationId, number>>>;
  /** The entries that made a reservation under this reference, newest first. */
  readonly reservedUnder: (query: {
    readonly reference: string;
    readonly after?: MovementPlace;
    readonly limit: number;
  }) => Promise<Read<readonly Movement[]>>;
  /** Newest first. */
  readonly history: (query: HistoryQuery) => Promise<Read<readonly Movement[]>>;
}

/** Up to which instant every movement is known to be in the ledger, over all SKUs. */
export interface LedgerMark {
  readonly read: () => Promise<Read<{ readonly through: Instant; readonly now: Instant }>>;
  /** Moves it on; never back. */
  readonly advance: (through: Instant) => Promise<Recorded>;
}

/** The first answer of an action that leaves no movement, kept for its repeats. */
export type KeptAnswer =
  | {
      readonly actionId: ActionId;
      readonly kind: 'definition';
      readonly sku: Sku;
      readonly definition: SkuDefinition;
      readonly version: number;
    }
  | { readonly actionId: ActionId; readonly kind: 'location'; readonly location: Location }
  | {
      readonly actionId: ActionId;
      readonly kind: 'count-line';
      readonly count: Pick<StockCount, 'id' | 'isBlind'>;
      readonly line: CountLine;
    }
  | { readonly actionId: ActionId; readonly kind: 'order'; readonly order: PurchaseOrder }
  /** Of a request that found the hold as it wanted it. */
  | {
      readonly actionId: ActionId;
      readonly kind: 'dock-hold';
      readonly booking: Booking;
      readonly status: BookingStatus;
    }
  /** What was shown, as JSON text. */
  | { readonly actionId: ActionId; readonly kind: 'reminder'; readonly shown: string };

export interface AnswerStore {
  readonly keep: (answer: KeptAnswer) => Promise<Recorded>;
  readonly find: (action: ActionId) => Promise<Lookup<KeptAnswer>>;
}

export interface LocationRead {
  readonly location: Location;
  /** The action that made this version. */
  readonly changedBy: ActionId;
}

export type LocationSwap =
  { readonly kind: 'swapped'; readonly location: Location } | { readonly kind: 'lost' } | Unknown;

export interface LocationStore {
  readonly read: (location: LocationId) => Promise<Lookup<LocationRead>>;
  readonly find: (
    locations: readonly LocationId[],
  ) => Promise<Read<ReadonlyMap<LocationId, Location>>>;
  readonly create: (
    location: LocationId,
    definition: LocationDefinition,
    by: ActionId,
  ) => Promise<LocationSwap>;
  readonly redefine: (
    before: LocationRead,
    definition: LocationDefinition,
    by: ActionId,
  ) => Promise<LocationSwap>;
  readonly retire: (before: LocationRead, by: ActionId) => Promise<LocationSwap>;
  readonly list: (query: {
    readonly warehouses?: readonly WarehouseId[];
    readonly after?: LocationId;
    readonly limit: number;
  }) => Promise<Read<readonly Location[]>>;
}

/** Time of this process, for deadlines and pauses only; what is decided uses the database's. */
export interface Timer {
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Calls `then` once after the time; the result calls it off. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
  /** 0 ≤ x < 1 */
  readonly random: () => number;
}

export interface Ports {
  readonly skus: SkuStore;
  readonly barcodes: BarcodeStore;
  readonly actions: ActionStore;
  readonly ledger: Ledger;
  readonly mark: LedgerMark;
  readonly answers: AnswerStore;
  readonly locations: LocationStore;
  readonly timer: Timer;
}
