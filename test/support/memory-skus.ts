/**
 * SKU documents in memory, with the conditions of the real ones: every call is one indivisible step.
 *
 * 1. A swap lands on the version and the last action that it names, before `until` by the
 *    database's clock, or not at all.
 * 2. The window holds no text and no SKU, and lets go of what the swap says is in the ledger, down
 *    to the limit. The limit in bytes is left out.
 */
import type { ActionId, Instant, Sku } from '../../src/domain/ids.ts';
import { epoch } from '../../src/domain/ids.ts';
import type { DecidedMovement, WindowMovement } from '../../src/domain/movement.ts';
import { windowLimit as realWindowLimit } from '../../src/domain/movement.ts';
import type { SkuState } from '../../src/domain/sku.ts';
import type {
  SkuChange,
  SkuRead,
  SkuStore,
  Swap,
  WindowExtent,
} from '../../src/inventory/ports.ts';
import { found, lost, missing } from './memory-records.ts';

export interface MemorySku {
  readonly state: SkuState;
  readonly definedBy: ActionId;
  readonly definedVersion: number;
  readonly window: readonly WindowMovement[];
  readonly ledgeredThrough: number;
  readonly lastAt: Instant;
}

export interface MemorySkuParts {
  readonly documents: Map<Sku, MemorySku>;
  /** The database's clock. */
  readonly clock: { readonly now: Instant };
  readonly windowLimit?: number;
  /** Told of each swap that landed, with the movements as they were stamped. */
  readonly onSwapped?: (
    before: MemorySku,
    after: MemorySku,
    added: readonly WindowMovement[],
  ) => void;
  /** Told of each definition that landed. */
  readonly onDefined?: (state: SkuState) => void;
}

export function memorySkus(parts: MemorySkuParts): SkuStore {
  const { documents, clock } = parts;
  const inOrder = (): readonly MemorySku[] =>
    Array.from(documents.values()).toSorted((one, other) =>
      one.state.sku < other.state.sku ? -1 : 1,
    );
  return {
    read: (sku, { actions, reservations, undone }) => {
      const document = documents.get(sku);
      if (document === undefined) return missing;
      const retained = document.window.filter(
        ({ actionId, reservation, reverses }) =>
          actions.includes(actionId) ||
          (reservation !== undefined && reservations.includes(reservation.id)) ||
          (reverses !== undefined && undone.includes(reverses)),
      );
      return found(readOf(document, retained, clock.now));
    },
    create: (after, until) => {
      if (documents.has(after.sku) || isPast(until, clock)) return lost;
      const { lastActionId: definedBy, version: definedVersion } = after;
      const state: SkuState = { ...after, reservations: [], movementCount: 0 };
      const empty = { window: [], ledgeredThrough: 0, lastAt: epoch };
      documents.set(after.sku, { state, definedBy, definedVersion, ...empty });
      parts.onDefined?.(state);
      return Promise.resolve({ kind: 'swapped', at: epoch, extent: extentOf(0, [], 0) });
    },
    swap: (change) => swap(parts, change),
    window: (sku, after) =>
      found((documents.get(sku)?.window ?? []).filter(({ ordinal }) => ordinal > after)),
    snapshot: (sku) => {
      const document = documents.get(sku);
      if (document === undefined) return missing;
      const { state, extent, now } = readOf(document, [], clock.now);
      return found({ state, extent, now, window: document.window });
    },
    movedSince: ({ since, after, limit }) =>
      found(
        Array.from(documents.values(), ({ state, lastAt, ledgeredThrough }) => ({
          sku: state.sku,
          lastAt,
          ledgeredThrough,
          movementCount: state.movementCount,
        }))
          .filter(({ sku, lastAt }) =>
            after === undefined
              ? lastAt > since
              : lastAt > after.lastAt || (lastAt === after.lastAt && sku > after.sku),
          )
          .toSorted((one, other) => one.lastAt - other.lastAt || (one.sku < other.sku ? -1 : 1))
          .slice(0, limit),
      ),
    list: ({ after, limit, contains, standingAt }) => {
      const skus = inOrder()
        .map(({ state }) => state)
        .filter(({ sku }) => after === undefined || sku > after)
        .filter((state) => contains === undefined || mentions(state, contains.toLowerCase()))
        .filter(
          ({ levels, reservations }) =>
            standingAt === undefined ||
            levels.some(({ location, onHand }) => onHand > 0 && standingAt.includes(location)) ||
            reservations.some(({ location }) => standingAt.includes(location)),
        )
        .slice(0, limit);
      return found({ skus, now: skus.length === 0 ? epoch : clock.now });
    },
  };
}

function mentions({ sku, definition }: SkuState, text: string): boolean {
  return [sku, definition.description].some((member) => member.toLowerCase().includes(text));
}

function readOf(
  { state, window, ledgeredThrough, definedBy, definedVersion }: MemorySku,
  retained: readonly WindowMovement[],
  now: Instant,
): SkuRead {
  const extent = extentOf(state.movementCount, window, ledgeredThrough);
  return { state, extent, definedBy, definedVersion, retained, now };
}

function extentOf(
  movementCount: number,
  window: readonly WindowMovement[],
  ledgeredThrough: number,
): WindowExtent {
  const from = window[0]?.ordinal ?? movementCount + 1;
  return { from, ledgeredThrough, bytesFrom: 0, bytesThrough: 0 };
}

function swap(parts: MemorySkuParts, change: SkuChange): Promise<Swap> {
  const { documents, clock, windowLimit = realWindowLimit } = parts;
  const { before, after, until, ledgeredThrough } = change;
  const standing = documents.get(before.sku);
  if (
    standing?.state.version !== before.version ||
    standing.state.lastActionId !== before.lastActionId ||
    isPast(until, clock)
  ) {
    return lost;
  }
  const isDefined = after.definition !== before.definition;
  const isMoved = change.movements.length > 0;
  const lastAt = isMoved && clock.now > standing.lastAt ? clock.now : standing.lastAt;
  const added = change.movements.map((movement) => retainedOf(movement, lastAt));
  const oldestKept = Math.min(after.movementCount - windowLimit, ledgeredThrough) + 1;
  const from = Math.max(change.extent.from, oldestKept);
  const kept = after.movementCount - from + 1;
  const window = isMoved ? [...standing.window, ...added].slice(-kept) : standing.window;
  const written: MemorySku = {
    state: after,
    definedBy: isDefined ? after.lastActionId : standing.definedBy,
    definedVersion: isDefined ? after.version : standing.definedVersion,
    window,
    ledgeredThrough,
    lastAt,
  };
  documents.set(before.sku, written);
  parts.onSwapped?.(standing, written, added);
  if (isDefined) parts.onDefined?.(after);
  const extent = extentOf(after.movementCount, window, ledgeredThrough);
  return Promise.resolve({ kind: 'swapped', at: lastAt, extent });
}

function isPast(until: Instant | undefined, { now }: MemorySkuParts['clock']): boolean {
  return until !== undefined && now >= until;
}

/** As the window holds it: its SKU is the document's, its text the claim's. */
function retainedOf(movement: DecidedMovement, at: Instant): WindowMovement {
  const { actionId, ordinal, type, lines, reason, reservation, refused, reverses, actor } =
    movement;
  return {
    actionId,
    ordinal,
    type,
    lines,
    ...(reason === undefined ? {} : { reason }),
    ...(reservation === undefined ? {} : { reservation }),
    ...(refused === undefined ? {} : { refused }),
    ...(reverses === undefined ? {} : { reverses }),
    actor,
    at,
  };
}
