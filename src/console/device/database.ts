/** What the console keeps on the device. */
import type { DBSchema, IDBPDatabase } from 'idb';
import { openDB } from 'idb';

interface Noted {
  readonly sku: string;
  readonly note?: string;
}

/** A movement as `POST /v1/movements/batch` takes it, without its key. */
export type MovementDraft =
  | (Noted & {
      readonly type: 'receive' | 'ship';
      readonly location: string;
      readonly quantity: number;
      readonly unit: string;
    })
  | (Noted & {
      readonly type: 'transfer';
      readonly from: string;
      readonly to: string;
      readonly quantity: number;
      readonly unit: string;
    })
  | (Noted & {
      readonly type: 'adjust';
      readonly location: string;
      readonly delta: number;
      readonly reason: string;
    });

/** A line of an open count. */
export interface TallyDraft {
  readonly count: string;
  readonly sku: string;
  readonly location: string;
  readonly counted: number;
}

export type Draft =
  | { readonly kind: 'movement'; readonly movement: MovementDraft }
  | { readonly kind: 'tally'; readonly tally: TallyDraft };

/** An action of a scanner, from the moment it is made until somebody has dealt with its answer. */
export interface QueuedAction {
  /** The order in which actions were made. */
  readonly seq: number;
  readonly idempotencyKey: string;
  /** The name of the API key that it was made with: keys of actions belong to it. */
  readonly holder: string;
  readonly madeAt: string;
  readonly draft: Draft;
  readonly state: 'queued' | 'refused';
  /** Why it was refused. */
  readonly refusal?: string;
}

export interface KnownSku {
  readonly sku: string;
  readonly description: string;
  readonly baseUnit: string;
  readonly packs: readonly { readonly unit: string; readonly contains: number }[];
  readonly barcodes: readonly { readonly code: string; readonly unit?: string }[];
}

export interface KnownCode {
  /** Normalised. */
  readonly code: string;
  readonly sku: string;
  readonly unit: string;
}

export interface KnownLocation {
  readonly location: string;
  readonly warehouse: string;
  readonly kind: string;
}

interface Schema extends DBSchema {
  readonly actions: { readonly key: number; readonly value: QueuedAction };
  readonly skus: { readonly key: string; readonly value: KnownSku };
  readonly codes: { readonly key: string; readonly value: KnownCode };
  readonly locations: { readonly key: string; readonly value: KnownLocation };
  readonly facts: { readonly key: string; readonly value: string };
}

export type DeviceDatabase = IDBPDatabase<Schema>;

let opened: Promise<DeviceDatabase> | undefined;

export function deviceDatabase(): Promise<DeviceDatabase> {
  opened ??= openDB<Schema>('stockroom', 1, {
    upgrade: (database) => {
      database.createObjectStore('actions', { keyPath: 'seq', autoIncrement: true });
      database.createObjectStore('skus', { keyPath: 'sku' });
      database.createObjectStore('codes', { keyPath: 'code' });
      database.createObjectStore('locations', { keyPath: 'location' });
      database.createObjectStore('facts');
    },
  });
  return opened;
}
