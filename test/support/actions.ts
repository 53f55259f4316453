/** Actions and states as tests write them down. */
import type { Action, Change } from '../../src/domain/action.ts';
import type { Circumstances } from '../../src/domain/circumstances.ts';
import type { ActionId, Actor, Digest, Instant, LocationId, Sku } from '../../src/domain/ids.ts';
import {
  parseActionId,
  parseActor,
  parseInstant,
  parseLocationId,
  parseSku,
  parseWarehouseId,
} from '../../src/domain/ids.ts';
import type { Location, LocationKind } from '../../src/domain/location.ts';
import type { Delta, OnHand, Quantity } from '../../src/domain/quantity.ts';
import {
  parseDelta,
  parseOnHand,
  parsePackSize,
  parseQuantity,
} from '../../src/domain/quantity.ts';
import { parseHoldSeconds, parseReservationId } from '../../src/domain/reservation.ts';
import type { SkuDefinition, SkuState } from '../../src/domain/sku.ts';
import { requestDigest } from '../../src/inventory/request-digest.ts';

export function certain<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the test names a value that the domain refuses');
  return value;
}

export const sku = (text: string): Sku => certain(parseSku(text));
export const place = (text: string): LocationId => certain(parseLocationId(text));
export const quantity = (value: number): Quantity => certain(parseQuantity(value));
export const delta = (value: number): Delta => certain(parseDelta(value));
export const onHand = (value: number): OnHand => certain(parseOnHand(value));
export const instant = (value: number): Instant => certain(parseInstant(value));
export const actor: Actor = certain(parseActor('tester'));
export const reservationId = (text: string) => certain(parseReservationId(text.padStart(22, '-')));
export const holdId = reservationId('hold');
export const actionId = (key: string): ActionId => certain(parseActionId(actor, key));

export const definition: SkuDefinition = {
  description: 'Widget',
  baseUnit: 'each',
  packs: [{ unit: 'case', contains: certain(parsePackSize(12)) }],
  barcodes: [],
  status: 'active',
};

export function location(id: string, kind: LocationKind = 'storage', retired = false): Location {
  return {
    location: place(id),
    warehouse: certain(parseWarehouseId('W1')),
    kind,
    version: 1,
    ...(retired ? { retiredAt: instant(1) } : {}),
  };
}

/** A SKU of which so much stands at each location. */
export function stocked(levels: Readonly<Record<string, number>>, id = 'A'): SkuState {
  return {
    sku: sku(id),
    definition,
    levels: Object.entries(levels).map(([at, units]) => ({
      location: place(at),
      onHand: onHand(units),
    })),
    reservations: [],
    lastActionId: actionId('before'),
    version: 3,
    movementCount: 7,
  };
}

export function given(...locations: readonly Location[]): Circumstances {
  return {
    now: instant(1_000_000),
    locations: new Map(locations.map((known) => [known.location, known])),
  };
}

let keys = 0;

/** An action under a key of its own, unless one is named. */
export function action<C extends Change>(
  change: C,
  { key = `key-${(keys += 1)}`, id = 'A' }: { readonly key?: string; readonly id?: string } = {},
): Action<C> {
  const digest: Digest = requestDigest('POST /v1/movements', {}, { id, change });
  return {
    actionId: actionId(key),
    actor,
    sku: sku(id),
    operation: 'POST /v1/movements',
    digest,
    change,
  };
}

export const receive = (at: string, amount: number) =>
  ({ type: 'receive', lines: [{ location: place(at), quantity: quantity(amount) }] }) as const;
export const ship = (at: string, amount: number) =>
  ({ type: 'ship', lines: [{ location: place(at), quantity: quantity(amount) }] }) as const;
export const transfer = (from: string, to: string, amount: number) =>
  ({ type: 'transfer', from: place(from), to: place(to), quantity: quantity(amount) }) as const;
export const adjust = (at: string, by: number) =>
  ({
    type: 'adjust',
    lines: [{ location: place(at), delta: delta(by) }],
    reason: 'found',
  }) as const;

let reservations = 0;

/** A hold under an id of its own, unless one is named. */
export const reserve = (
  at: string,
  amount: number,
  seconds: number | null = null,
  id?: string,
) => ({
  type: 'reserve' as const,
  reservation: reservationId(id ?? `r${(reservations += 1)}`),
  location: place(at),
  quantity: quantity(amount),
  seconds: seconds === null ? null : certain(parseHoldSeconds(seconds)),
});
