/** What stock counts need from the world, and the use cases as the edge sees them. Types only. */
import type { ActionId, Actor, Instant, LocationId } from '../domain/ids.ts';
import type { OnHand } from '../domain/quantity.ts';
import type {
  CountId,
  CountLine,
  CountPair,
  CountScope,
  CountStatus,
  Standing,
  StockCount,
} from '../domain/stock-count.ts';
import type { NotFound, Page, QueryAnswer, Refused, Unavailable } from './answer.ts';
import type { KeyedRequest } from './keyed-request.ts';
import type { Lookup, Ports, Read, Unknown } from './ports.ts';
import type { SagaRead, SagaRecords } from './saga-ports.ts';

/** A count without its lines. */
export interface CountSummary extends Omit<StockCount, 'lines'>, CountProgress {}

export interface CountProgress {
  readonly lineCount: number;
  readonly countedCount: number;
}

export interface SummaryRead extends Pick<SagaRead<StockCount>, 'version' | 'isAbandoned'> {
  readonly count: CountSummary;
}

/** A count and one place in it, read without the other lines. */
export interface LineSlot {
  readonly version: number;
  readonly count: CountSummary;
  /** Absent where the pair has no line. */
  readonly line?: {
    readonly index: number;
    readonly value: CountLine;
    /** The action that counted or cleared it last. */
    readonly changedBy?: ActionId;
  };
}

/** One write of one line, against the version that was read; without an index it is added. */
export interface LineChange {
  readonly id: CountId;
  readonly version: number;
  readonly index?: number;
  readonly line: CountLine;
  readonly changedBy: ActionId;
}

export type LineWrite =
  | { readonly kind: 'written' }
  /** The version is another one by now. */
  | { readonly kind: 'lost' }
  /** Another open count covers the pair. */
  | { readonly kind: 'taken' }
  | Unknown;

/** A count's place among all, newest first. */
export interface CountPlace {
  readonly at: Instant;
  readonly id: CountId;
}

export interface ListCounts {
  readonly status?: CountStatus;
  readonly after?: CountPlace;
  readonly limit: number;
}

/**
 * A count is the record of the saga that closes it. `insert` is `lost` where the count is there
 * already, and where another open count covers one of its pairs. The write that ends a count
 * stamps when, and frees its pairs.
 */
export interface CountStore extends SagaRecords<CountId, StockCount> {
  readonly summary: (id: CountId) => Promise<Lookup<SummaryRead>>;
  readonly slot: (id: CountId, pair: CountPair) => Promise<Lookup<LineSlot>>;
  readonly putLine: (change: LineChange) => Promise<LineWrite>;
  readonly cancel: (id: CountId, version: number, by: Actor) => Promise<LineWrite>;
  /** Another count that covers one of the pairs, and the pair. */
  readonly overlapping: (
    id: CountId,
    pairs: readonly CountPair[],
  ) => Promise<Lookup<{ readonly id: CountId; readonly pair: CountPair }>>;
  readonly list: (query: ListCounts) => Promise<Read<readonly CountSummary[]>>;
  /** How many lines of each of these are at the locations, and how many of them are counted. */
  readonly progressAt: (
    counts: readonly CountId[],
    locations: readonly LocationId[],
  ) => Promise<Read<ReadonlyMap<CountId, CountProgress>>>;
  /** What stands of which SKUs; at most so many SKUs. */
  readonly standing: (scope: CountScope & { readonly limit: number }) => Promise<Read<Standing>>;
}

export interface CountingPorts extends Ports {
  readonly counts: CountStore;
}

/** What a caller does to a count. */
export interface CountAction extends KeyedRequest {
  readonly actor: Actor;
}

export interface OpenCount extends CountAction, CountScope {
  readonly isBlind: boolean;
}

export interface PutLine extends CountAction, CountPair {
  readonly id: CountId;
  /** null: not counted after all. */
  readonly counted: OnHand | null;
  /** The SKU's ordinal that the counter saw; the newest where it is left out. */
  readonly asOfOrdinal?: number;
}

export interface EndCount extends CountAction {
  readonly id: CountId;
}

export interface CountAnswered {
  readonly kind: 'count';
  readonly count: StockCount;
  /** True where this very request had been answered before. */
  readonly replayed: boolean;
}

export interface LineAnswered {
  readonly kind: 'line';
  readonly count: Pick<StockCount, 'id' | 'isBlind'>;
  readonly line: CountLine;
  readonly replayed: boolean;
}

export type CountAnswer = CountAnswered | NotFound | Refused | Unavailable;
export type LineAnswer = LineAnswered | NotFound | Refused | Unavailable;

export interface StockCounts {
  /** Answers the count as it was opened, however often the request comes. */
  readonly open: (request: OpenCount) => Promise<CountAnswer>;
  readonly putLine: (request: PutLine) => Promise<LineAnswer>;
  /** The count as it stands when the request's time is up: closed, or else closing. */
  readonly close: (request: EndCount) => Promise<CountAnswer>;
  readonly cancel: (request: EndCount) => Promise<CountAnswer>;
  readonly count: (id: CountId) => Promise<QueryAnswer<StockCount>>;
  readonly counts: (query: ListCounts) => Promise<QueryAnswer<Page<CountSummary>>>;
  /** As far as they are at these locations. */
  readonly progressAt: CountStore['progressAt'];
}

/**
 * Begins to close an open count, or goes on with one that was left, and waits for the end.
 * @param until by the process's own clock.
 * @returns the count as it stands then; a cancelled one stays so.
 */
export type CloseCount = (id: CountId, by: Actor, until: number) => Promise<Lookup<StockCount>>;
