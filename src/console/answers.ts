/** What the service answers, as its OpenAPI document says it. */
import type { KnownLocation, KnownSku } from './device/database.ts';
import type { Role } from './role.ts';

export interface LevelAnswer {
  readonly location: string;
  readonly warehouse: string;
  readonly kind: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
}

export interface ReservationAnswer {
  readonly id: string;
  readonly location: string;
  readonly quantity: number;
  readonly expiresAt: string | null;
}

export interface ApiKeyAnswer {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly warehouses?: readonly string[];
  readonly createdAt: string;
  readonly revokedAt?: string;
}

export interface SkuAnswer extends KnownSku {
  readonly reorderPoint?: number;
  readonly status: 'active' | 'discontinued';
  readonly version: number;
  readonly movementCount: number;
  readonly totals: Pick<LevelAnswer, 'onHand' | 'reserved' | 'available'>;
  readonly levels: readonly LevelAnswer[];
}

/** Of one SKU; lists leave the reservations out. */
export interface WholeSkuAnswer extends SkuAnswer {
  readonly reservations: readonly ReservationAnswer[];
}

export interface LocationAnswer extends KnownLocation {
  readonly name?: string;
  readonly version: number;
  readonly retiredAt?: string;
}

export interface MovementAnswer {
  readonly actionId: string;
  readonly sku: string;
  readonly ordinal: number;
  readonly type: string;
  readonly lines: readonly {
    readonly location: string;
    readonly delta: number;
    readonly onHand: number;
  }[];
  readonly reservation?: {
    readonly id: string;
    readonly location: string;
    readonly quantity: number;
    readonly expiresAt: string | null;
    readonly state: 'held' | 'expired' | 'committed' | 'released';
  };
  readonly reverses?: string;
  readonly reason?: string;
  readonly reference?: string;
  readonly note?: string;
  readonly actor: string;
  readonly at: string;
}

export interface OrderLineAnswer {
  readonly line: number;
  readonly sku: string;
  readonly ordered: number;
  readonly received: number;
  readonly remaining: number;
  readonly status: string;
}

export interface OrderAnswer {
  readonly number: string;
  readonly supplier: string;
  readonly status: string;
  readonly lines: readonly OrderLineAnswer[];
  readonly appointments?: readonly AppointmentAnswer[];
}

export interface AppointmentAnswer {
  readonly id: string;
  readonly warehouse: string;
  readonly seats: number;
  readonly status: DockHoldAnswer['status'];
}

export interface ReceiptAnswer {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly at: string;
  readonly actor: string;
  readonly lines: readonly {
    readonly line: number;
    readonly sku: string;
    readonly location: string;
    readonly quantity: number;
    readonly ordinal?: number;
    readonly status?: string;
    readonly code?: string;
  }[];
}

export interface CountSummaryAnswer {
  readonly id: string;
  readonly status: string;
  readonly blind: boolean;
  readonly locations: readonly string[];
  readonly openedBy: string;
  readonly openedAt: string;
  readonly lineCount: number;
  readonly countedCount: number;
}

export interface CountLineAnswer {
  readonly sku: string;
  readonly location: string;
  readonly expected?: number;
  readonly counted: number | null;
  /** On hand after the ordinal that it was counted against; the variance is less that. */
  readonly onHand?: number;
  readonly variance?: number;
  readonly outcome?: string;
}

export interface CountAnswer extends Omit<CountSummaryAnswer, 'lineCount' | 'countedCount'> {
  readonly lines: readonly CountLineAnswer[];
}

export interface DockSlotAnswer {
  readonly slot: string;
  readonly warehouse: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly capacity: number;
  readonly remaining: number;
}

export interface DockHoldAnswer {
  readonly id: string;
  readonly slot: string;
  readonly seats: number;
  readonly status: 'held' | 'confirmed' | 'cancelled' | 'expired';
  readonly expiresAt: string | null;
  readonly purchaseOrder?: string;
}

export interface VerificationAnswer {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly detail: string;
  }[];
}

export interface LevelsAtAnswer {
  readonly at: string;
  readonly levels: readonly { readonly location: string; readonly onHand: number }[];
}
