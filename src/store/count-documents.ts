/** Stock counts as MongoDB holds them, and the way between them and the domain's values. */
import type { Collection, Db } from 'mongodb';
import type { ActionId, Actor, LocationId, Sku } from '../domain/ids.ts';
import type {
  CountId,
  CountLine,
  CountScope,
  CountStatus,
  StockCount,
} from '../domain/stock-count.ts';
import { pairText } from '../domain/stock-count.ts';
import type { CountSummary } from '../inventory/count-ports.ts';
import type { Lease } from '../inventory/saga-ports.ts';
import { instantOf } from './documents.ts';

export interface CountLineDocument extends CountLine {
  /** The action that counted or cleared it last. */
  readonly changedBy?: ActionId;
}

/** What a count document has beside its lines and pairs. */
export interface CountHead {
  readonly _id: CountId;
  readonly version: number;
  readonly status: CountStatus;
  readonly isBlind: boolean;
  readonly locations: readonly LocationId[];
  readonly skus?: readonly Sku[];
  readonly openedWith: number;
  readonly openedBy: Actor;
  readonly openedAt: Date;
  readonly endedBy?: Actor;
  readonly endedAt?: Date;
}

export interface CountDocument extends CountHead {
  readonly lease: Lease;
  /** The lease lasts for so long from then on. */
  readonly leasedAt: Date;
  readonly lines: readonly CountLineDocument[];
  /**
   * What the count covers, one text a line. It is there while the count is open or closing and has
   * lines, so that the unique index passes over all others.
   */
  readonly pairs?: readonly string[];
}

/** A head with numbers in place of the lines, as a projection makes it. */
export interface SummaryDocument extends CountHead {
  readonly lineCount: number;
  readonly countedCount: number;
}

export function countsOf(db: Db): Collection<CountDocument> {
  return db.collection('counts');
}

/** A count as it is inserted. An open one is nobody's work, so its lease is over. */
export function countDocument(count: StockCount, lease: Lease): CountDocument {
  const { id, skus, lines, openedAt, endedAt, ...rest } = count;
  return {
    _id: id,
    version: 1,
    lease,
    leasedAt: new Date(0),
    ...rest,
    ...(skus === undefined ? {} : { skus }),
    openedAt: new Date(openedAt),
    ...(endedAt === undefined ? {} : { endedAt: new Date(endedAt) }),
    lines,
    ...(lines.length === 0 ? {} : { pairs: lines.map(pairText) }),
  };
}

export function countOf({ lines, ...head }: CountHead & Pick<CountDocument, 'lines'>): StockCount {
  return { ...headOf(head), lines: lines.map(lineOf) };
}

export function summaryOf({ lineCount, countedCount, ...head }: SummaryDocument): CountSummary {
  return { ...headOf(head), lineCount, countedCount };
}

export function lineOf({ sku, location, expected, tally, outcome }: CountLineDocument): CountLine {
  return { sku, location, expected, tally, ...(outcome === undefined ? {} : { outcome }) };
}

function headOf(head: CountHead): Omit<StockCount, 'lines'> {
  const { _id: id, status, isBlind, openedWith, openedBy } = head;
  const { endedBy, endedAt } = head;
  return {
    id,
    status,
    isBlind,
    ...scopeOf(head),
    openedWith,
    openedBy,
    openedAt: instantOf(head.openedAt),
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(endedAt === undefined ? {} : { endedAt: instantOf(endedAt) }),
  };
}

function scopeOf({ locations, skus }: CountHead): CountScope {
  return { locations, ...(skus === undefined ? {} : { skus }) };
}
