/**
 * What a swap sends: the changes of a SKU document, as the stages of one update.
 *
 * 1. Every value of a caller's stands in a literal: nothing a caller sends is an expression.
 * 2. `at` is the database's clock, never earlier than the movement before.
 * 3. The window keeps what is not known to be in the ledger, and of the rest the newest 500 within
 *    512 KiB.
 */
import type { Document } from 'mongodb';
import { BSON } from 'mongodb';
import type { Instant } from '../domain/ids.ts';
import type { DecidedMovement } from '../domain/movement.ts';
import { windowByteLimit, windowLimit } from '../domain/movement.ts';
import type { Reservation } from '../domain/reservation.ts';
import type { Level, SkuDefinition, SkuState } from '../domain/sku.ts';
import type { SkuChange } from '../inventory/ports.ts';
import type { WindowDocument } from './documents.ts';
import { dated, definitionFields, particularFields } from './documents.ts';

/** Room for the oldest retained movement, whose own size the byte count leaves out. */
const oldestAllowance = 8 * 1024;

/** In a $cond, since DocumentDB looks for an index that could answer a bare comparison. */
export function isBefore(until: Instant): Document {
  return { $cond: [{ $lt: ['$$NOW', new Date(until)] }, true, false] };
}

/** The stages of a swap. */
export function changeStages(change: SkuChange): Document[] {
  const { before, after } = change;
  const fields: Document = {
    lastActionId: { $literal: after.lastActionId },
    version: after.version,
    movementCount: after.movementCount,
    ledgeredThrough: change.ledgeredThrough,
    ...levelsChange(before.levels, after.levels),
    ...reservationsChange(before.reservations, after.reservations),
    ...definitionChange(before.definition, after),
    ...(change.movements.length === 0 ? {} : { movements: windowAfter(change) }),
  };
  // The first stage fixes the instant that the second stamps on every movement.
  return [
    ...(change.movements.length === 0
      ? []
      : [{ $set: { lastAt: { $max: ['$$NOW', '$lastAt'] } } }]),
    { $set: fields },
    ...(after.definition === before.definition
      ? []
      : [{ $unset: clearedFields(after.definition) }]),
  ].filter((stage) => !('$unset' in stage) || stage.$unset.length > 0);
}

function levelsChange(before: readonly Level[], after: readonly Level[]): Document {
  const stood = new Map(before.map((level) => [level.location, level.onHand]));
  const changed = after.filter((level) => stood.get(level.location) !== level.onHand);
  const kept = new Set(after.map((level) => level.location));
  const dropped = before.filter((level) => !kept.has(level.location));
  if (changed.length + dropped.length === 0) return {};
  const replaced = [...changed, ...dropped].map((level) => level.location);
  const others = {
    $filter: {
      input: '$levels',
      cond: { $not: [{ $in: ['$$this.location', { $literal: replaced }] }] },
    },
  };
  return { levels: { $concatArrays: [others, { $literal: changed }] } };
}

/** A reservation that is the very same value has not changed. */
function reservationsChange(
  before: readonly Reservation[],
  after: readonly Reservation[],
): Document {
  const stood = new Set(before);
  const kept = new Set(after);
  const changed = after.filter((reservation) => !stood.has(reservation));
  const gone = before.filter((reservation) => !kept.has(reservation));
  if (changed.length + gone.length === 0) return {};
  const others = {
    $filter: {
      input: '$reservations',
      cond: { $not: [{ $in: ['$$this.id', { $literal: gone.map(({ id }) => id) }] }] },
    },
  };
  return {
    reservations: { $concatArrays: [others, { $literal: changed.map(dated<Reservation>) }] },
  };
}

function definitionChange(before: SkuDefinition, after: SkuState): Document {
  if (after.definition === before) return {};
  const literals = Object.entries(definitionFields(after.definition)).map(
    ([field, value]: [string, unknown]) => [field, { $literal: value }] as const,
  );
  return {
    ...Object.fromEntries(literals),
    definedBy: { $literal: after.lastActionId },
    definedVersion: after.version,
  };
}

function clearedFields(definition: SkuDefinition): string[] {
  return [
    ...(definition.barcodes.length === 0 ? ['barcodes'] : []),
    ...(definition.reorderPoint === undefined ? ['reorderPoint'] : []),
  ];
}

/** The window with the new movements at its end and what may leave it gone (3). */
function windowAfter({ extent, after, movements, ledgeredThrough }: SkuChange): Document {
  const added = windowDocuments(movements, extent.bytesThrough);
  const bytesThrough = added.at(-1)?.bytesThrough ?? extent.bytesThrough;
  const stamped = {
    $map: {
      input: { $literal: added },
      in: { $mergeObjects: ['$$this', { at: '$lastAt' }] },
    },
  };
  const all = { $concatArrays: ['$movements', stamped] };
  const oldestKept = Math.min(after.movementCount - windowLimit, ledgeredThrough) + 1;
  const withinBytes = bytesThrough - extent.bytesFrom + oldestAllowance <= windowByteLimit;
  if (withinBytes) {
    const from = Math.max(extent.from, oldestKept);
    return { $slice: [all, -(after.movementCount - from + 1)] };
  }
  const isRecent = { $gte: ['$$this.ordinal', oldestKept] };
  const fits = { $gt: ['$$this.bytesThrough', bytesThrough - windowByteLimit + oldestAllowance] };
  const isUnproven = { $gt: ['$$this.ordinal', ledgeredThrough] };
  return { $filter: { input: all, cond: { $or: [isUnproven, { $and: [isRecent, fits] }] } } };
}

function windowDocuments(
  movements: readonly DecidedMovement[],
  bytesBefore: number,
): readonly Omit<WindowDocument, 'at'>[] {
  let bytesThrough = bytesBefore;
  return movements.map((movement) => {
    const { actionId, ordinal, type, lines, actor } = movement;
    const document = {
      actionId,
      ordinal,
      type,
      lines,
      ...particularFields(movement),
      actor,
    };
    bytesThrough += BSON.calculateObjectSize(document) + stampBytes;
    return { ...document, bytesThrough };
  });
}

/** `at`, `bytesThrough` and the array's own key in BSON. */
const stampBytes = 48;
