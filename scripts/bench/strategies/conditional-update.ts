/** The bare conditional update: the same document and window as the service's, written plainly. */
import type { UpdateFilter } from 'mongodb';
import { MongoServerError } from 'mongodb';
import type { ActionId, Sku } from '../../../src/domain/ids.ts';
import { windowLimit } from '../../../src/domain/movement.ts';
import type { OnHand } from '../../../src/domain/quantity.ts';
import { parseDelta, parseOnHand } from '../../../src/domain/quantity.ts';
import type {
  Collections,
  LedgerDocument,
  SkuDocument,
  WindowDocument,
} from '../../../src/store/documents.ts';
import { actor, required, shippedFrom } from '../stock.ts';

/** What a writer has to know of the document to change it. */
export interface KnownState {
  readonly sku: Sku;
  readonly version: number;
  readonly movementCount: number;
  /** At the location that is shipped from, which stands first in every seeded document. */
  readonly onHand: OnHand;
}

const oneUnitLess = required(parseDelta(-1));
/** About what one movement adds; the bare update has no use for the exact size. */
const entryBytes = 280;
const writeConflict = 112;

type KnownDocument = Pick<SkuDocument, '_id' | 'version' | 'movementCount' | 'levels'>;

/** Reads a document without its window. */
export async function readState(skus: Collections['skus'], sku: Sku): Promise<KnownState> {
  const projection = { version: 1, movementCount: 1, levels: 1 };
  const document = await skus.findOne<KnownDocument>({ _id: sku }, { projection });
  if (document === null) throw new Error(`${sku} is gone`);
  const { version, movementCount, levels } = document;
  const [first] = levels;
  if (first?.location !== shippedFrom) throw new Error(`${sku} is not as it was seeded`);
  return { sku, version, movementCount, onHand: first.onHand };
}

export function stateAfter(state: KnownState): KnownState {
  const { sku, version, movementCount, onHand } = state;
  return {
    sku,
    version: version + 1,
    movementCount: movementCount + 1,
    onHand: required(parseOnHand(onHand - 1)),
  };
}

/** @returns false when somebody else's write came first. */
export async function conditionalUpdate(
  skus: Collections['skus'],
  before: KnownState,
  movement: WindowDocument,
): Promise<boolean> {
  const update: UpdateFilter<SkuDocument> = {
    $set: { lastActionId: movement.actionId, lastAt: movement.at },
    $inc: { version: 1, movementCount: 1, 'levels.0.onHand': -1 },
    $push: { movements: { $each: [movement], $slice: -windowLimit } },
  };
  try {
    const result = await skus.updateOne({ _id: before.sku, version: before.version }, update);
    return result.matchedCount === 1;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === writeConflict) return false;
    throw error;
  }
}

export function nextMovement(before: KnownState, actionId: ActionId): WindowDocument {
  const ordinal = before.movementCount + 1;
  const { onHand } = stateAfter(before);
  return {
    actionId,
    ordinal,
    type: 'ship',
    lines: [{ location: shippedFrom, delta: oneUnitLess, onHand }],
    actor,
    at: new Date(),
    bytesThrough: ordinal * entryBytes,
  };
}

export function ledgerEntry(sku: Sku, movement: WindowDocument): LedgerDocument {
  const { actionId, ordinal, type, lines, at } = movement;
  return { _id: { sku, ordinal }, actionId, type, lines, actor, at };
}
