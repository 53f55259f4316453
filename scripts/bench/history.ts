/** A SKU's past as the service would have left it: movements whose balances and counts agree. */
import { randomUUID } from 'node:crypto';
import { BSON } from 'mongodb';
import type { LocationId, Sku } from '../../src/domain/ids.ts';
import { parseActionId } from '../../src/domain/ids.ts';
import type { MovementLine } from '../../src/domain/movement.ts';
import type { MovementType } from '../../src/domain/movement-type.ts';
import { windowLimit } from '../../src/domain/movement.ts';
import { parseDelta, parseOnHand } from '../../src/domain/quantity.ts';
import type { LedgerDocument, SkuDocument, WindowDocument } from '../../src/store/documents.ts';
import { actor, locations, receivedPerLocation, required } from './stock.ts';

export interface SeededSku {
  readonly document: SkuDocument;
  readonly ledger: readonly LedgerDocument[];
}

/** `at`, `bytesThrough` and the array's own key, which the size of a movement includes. */
const stampBytes = 48;

/** @param length how many movements the SKU has behind it; each location is received first. */
export function seededSku(sku: Sku, length: number, at: Date): SeededSku {
  const levels = new Map<LocationId, number>();
  const movements: WindowDocument[] = [];
  let bytesThrough = 0;
  for (let ordinal = 1; ordinal <= length; ordinal += 1) {
    const movement = {
      actionId: required(parseActionId(actor, randomUUID())),
      ordinal,
      ...change(ordinal, levels),
      actor,
    };
    bytesThrough += BSON.calculateObjectSize(movement) + stampBytes;
    movements.push({ ...movement, at, bytesThrough });
  }
  return {
    document: skuDocument(sku, movements, levels, at),
    ledger: movements.map((movement) => ledgerDocument(sku, movement)),
  };
}

function change(
  ordinal: number,
  levels: Map<LocationId, number>,
): { readonly type: MovementType; readonly lines: readonly MovementLine[] } {
  const location = required(locations[(ordinal - 1) % locations.length]);
  if (ordinal <= locations.length) {
    return { type: 'receive', lines: [line(location, receivedPerLocation, levels)] };
  }
  return { type: 'ship', lines: [line(location, -1, levels)] };
}

function line(location: LocationId, delta: number, levels: Map<LocationId, number>): MovementLine {
  const onHand = (levels.get(location) ?? 0) + delta;
  levels.set(location, onHand);
  return {
    location,
    delta: required(parseDelta(delta)),
    onHand: required(parseOnHand(onHand)),
  };
}

function skuDocument(
  sku: Sku,
  movements: readonly WindowDocument[],
  levels: ReadonlyMap<LocationId, number>,
  at: Date,
): SkuDocument {
  const defined = required(parseActionId(actor, randomUUID()));
  return {
    _id: sku,
    description: `Bench article ${sku}`,
    baseUnit: 'each',
    packs: [],
    status: 'active',
    definedBy: defined,
    definedVersion: 1,
    levels: Array.from(levels, ([location, onHand]) => ({
      location,
      onHand: required(parseOnHand(onHand)),
    })),
    reservations: [],
    lastActionId: movements.at(-1)?.actionId ?? defined,
    version: movements.length + 1,
    movementCount: movements.length,
    movements: movements.slice(-windowLimit),
    ledgeredThrough: movements.length,
    lastAt: at,
  };
}

function ledgerDocument(sku: Sku, movement: WindowDocument): LedgerDocument {
  const { actionId, ordinal, type, lines, at } = movement;
  return { _id: { sku, ordinal }, actionId, type, lines, actor, at };
}
