/** Histories that are older than the test: written past the service, as the service would have left them. */
import type { Db } from 'mongodb';
import type { ActionId, Actor } from '../../src/domain/ids.ts';
import type { MovementLine } from '../../src/domain/movement.ts';
import type { MovementType } from '../../src/domain/movement-type.ts';
import { parseOnHand } from '../../src/domain/quantity.ts';
import type { LedgerDocument, SkuDocument, WindowDocument } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { actionId, actor, delta, place, sku } from './actions.ts';

export interface PlantedMovement {
  readonly at: Date;
  readonly type: MovementType;
  readonly lines: readonly (readonly [location: string, delta: number])[];
  readonly actor?: Actor;
  readonly reference?: string;
  readonly note?: string;
}

/** So many receipts of one unit at A, a second apart, the newest a minute old. */
export function receipts(count: number, more: Partial<PlantedMovement> = {}): PlantedMovement[] {
  const newest = Date.now() - 60_000;
  return Array.from({ length: count }, (_, index) => ({
    at: new Date(newest - (count - 1 - index) * 1_000),
    type: 'receive',
    lines: [['A', 1]],
    ...more,
  }));
}

export const plantedAction = (id: string, ordinal: number): ActionId =>
  actionId(`planted-${id}-${ordinal}`);

/** Makes the SKU with this history, in the ledger and, as far as it reaches, in the window. */
export async function plantSku(
  db: Db,
  id: string,
  history: readonly PlantedMovement[],
): Promise<void> {
  const { skus, movements } = collectionsOf(db);
  const levels = new Map<string, number>();
  const entries = history.map((movement, index) => entry(id, index + 1, movement, levels));
  const window = entries.slice(-500).map(windowed);
  await skus.insertOne(document(id, window, entries.length, levels));
  if (entries.length > 0) await movements.insertMany([...entries], { ordered: false });
}

function entry(
  id: string,
  ordinal: number,
  { at, type, lines, actor: by = actor, ...text }: PlantedMovement,
  levels: Map<string, number>,
): LedgerDocument {
  for (const [location, change] of lines) {
    levels.set(location, (levels.get(location) ?? 0) + change);
  }
  return {
    _id: { sku: sku(id), ordinal },
    actionId: plantedAction(id, ordinal),
    type,
    lines: lines.map(([location, change]) => line(location, change, levels)),
    ...text,
    actor: by,
    at,
  };
}

function line(location: string, change: number, levels: ReadonlyMap<string, number>): MovementLine {
  return {
    location: place(location),
    delta: delta(change),
    onHand: standing(levels.get(location)),
  };
}

function standing(onHand = 0) {
  const parsed = parseOnHand(onHand);
  if (parsed === undefined) throw new Error('the planted history goes below zero');
  return parsed;
}

function windowed({ _id, actionId, type, lines, actor, at }: LedgerDocument): WindowDocument {
  return {
    actionId,
    ordinal: _id.ordinal,
    type,
    lines,
    actor,
    at,
    bytesThrough: _id.ordinal * 200,
  };
}

function document(
  id: string,
  window: readonly WindowDocument[],
  count: number,
  levels: ReadonlyMap<string, number>,
): SkuDocument {
  const defined = actionId(`planted-${id}`);
  return {
    _id: sku(id),
    description: id,
    baseUnit: 'each',
    packs: [],
    status: 'active',
    definedBy: defined,
    definedVersion: 1,
    levels: Array.from(levels, ([location, onHand]) => ({
      location: place(location),
      onHand: standing(onHand),
    })),
    reservations: [],
    lastActionId: window.at(-1)?.actionId ?? defined,
    version: count + 1,
    movementCount: count,
    movements: window,
    ledgeredThrough: count,
    lastAt: window.at(-1)?.at ?? new Date(0),
  };
}
