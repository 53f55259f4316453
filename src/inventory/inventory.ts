/** The use cases as the edge sees them. */
import type { Action } from '../domain/action.ts';
import type { ActionId, Digest, Instant, LocationId, Sku, WarehouseId } from '../domain/ids.ts';
import type { Location, LocationDefinition } from '../domain/location.ts';
import type { Movement } from '../domain/movement.ts';
import type { ReservationId } from '../domain/reservation.ts';
import type {
  ActionAnswer,
  LocationAnswer,
  NotFound,
  Page,
  QueryAnswer,
  Refused,
  SkuView,
  StandingStock,
} from './answer.ts';
import type { FindMovements, MovementPage } from './audit.ts';
import type { LevelsAt } from './levels-at.ts';
import type { HistoryQuery, MovementPlace, Read } from './ports.ts';
import type { ReservationPage, ReservationView } from './reservation-queries.ts';
import type { Verification } from './verify-sku.ts';

/** A change of a location. Without a caller's key, `actionId` is one of the service's own. */
export interface LocationAction {
  readonly actionId: ActionId;
  readonly operation: string;
  readonly digest: Digest;
  readonly location: LocationId;
  readonly ifVersion?: number;
}

export interface ListSkus {
  readonly contains?: string;
  readonly warehouse?: WarehouseId;
  readonly after?: Sku;
  readonly limit: number;
}

/** The envelope of a reversal: what it undoes is looked up. */
export interface ReversalRequest extends Omit<Action, 'sku' | 'change'> {
  readonly original: ActionId;
}

/** `refused` only to a key that has warehouses of its own, and at once. */
export type ExportPage = Read<readonly Movement[]> | Refused;

export interface Inventory {
  /**
   * Applies one action to one SKU, exactly once for its action id however often and through
   * however many processes it is sent. Never throws; answers within the request's deadline.
   */
  readonly post: (action: Action) => Promise<ActionAnswer>;

  /** Undoes a movement, once; `not-found` where no such movement is. */
  readonly reverse: (request: ReversalRequest) => Promise<ActionAnswer | NotFound>;

  /** A reservation, one that has ended too. */
  readonly reservation: (sku: Sku, id: ReservationId) => Promise<QueryAnswer<ReservationView>>;
  readonly reservationsUnder: (query: {
    readonly reference: string;
    readonly after?: MovementPlace;
    readonly limit: number;
  }) => Promise<QueryAnswer<ReservationPage>>;

  readonly levelsAt: (sku: Sku, at: Instant) => Promise<QueryAnswer<LevelsAt>>;
  readonly movements: (
    query: FindMovements & { readonly after?: MovementPlace; readonly limit: number },
  ) => Promise<QueryAnswer<MovementPage>>;
  /** Page by page; a page that is not `found` ends it unfinished. */
  readonly exportMovements: (query: FindMovements) => AsyncIterable<ExportPage>;
  readonly verification: (sku: Sku) => Promise<QueryAnswer<Verification>>;

  readonly putLocation: (
    action: LocationAction,
    definition: LocationDefinition,
  ) => Promise<LocationAnswer>;
  readonly retireLocation: (action: LocationAction) => Promise<LocationAnswer>;

  readonly sku: (sku: Sku) => Promise<QueryAnswer<SkuView>>;
  readonly skuByBarcode: (code: string) => Promise<QueryAnswer<SkuView>>;
  readonly skus: (query: ListSkus) => Promise<QueryAnswer<Page<SkuView>>>;
  /** Newest first, the whole history. */
  readonly history: (query: HistoryQuery) => Promise<QueryAnswer<Page<Movement>>>;
  /** The movement that an action led to, once its ledger entry is there. */
  readonly movementOf: (action: ActionId) => Promise<QueryAnswer<Movement>>;

  readonly location: (location: LocationId) => Promise<QueryAnswer<Location>>;
  readonly locations: (query: {
    readonly warehouse?: WarehouseId;
    /** Those of one of these, where no one is named. */
    readonly warehouses?: readonly WarehouseId[];
    readonly after?: LocationId;
    readonly limit: number;
  }) => Promise<QueryAnswer<Page<Location>>>;
  /** What stands at a location, by SKU. */
  readonly stockAt: (
    location: LocationId,
    query: { readonly after?: Sku; readonly limit: number },
  ) => Promise<QueryAnswer<Page<StandingStock>>>;
}

/** Whether the service can work: the database answers and its indexes are there. */
export interface Readiness {
  readonly ready: () => Promise<
    { readonly kind: 'ready' } | { readonly kind: 'not-ready'; readonly cause: string }
  >;
}
