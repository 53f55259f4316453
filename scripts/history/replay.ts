/** A SKU's history replayed: what stood where after each movement, and what was promised. */
import type { Breach, Hold, HistoryMovement, Rule, SkuDocument } from './history.ts';

/** The state after a movement; version 0 is before the first. */
export interface Version {
  readonly ordinal: number;
  /** The database's clock at the movement, in milliseconds. */
  readonly at: number;
  readonly onHand: ReadonlyMap<string, number>;
  readonly holds: ReadonlyMap<string, Hold>;
}

export interface Replay {
  readonly versions: readonly Version[];
  readonly breaches: readonly Breach[];
}

/** What may be sold at a location, if the database's clock stands at `now`. */
export function availableAt(version: Version, location: string, now: number): number {
  return (version.onHand.get(location) ?? 0) - reservedAt(version.holds.values(), location, now);
}

function reservedAt(holds: Iterable<Hold>, location: string, now: number): number {
  let reserved = 0;
  for (const hold of holds) {
    if (hold.location === location && isLive(hold, now)) reserved += hold.quantity;
  }
  return reserved;
}

function isLive({ expiresAt }: Hold, now: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > now;
}

export function replay(sku: string, history: readonly HistoryMovement[]): Replay {
  const versions: Version[] = [{ ordinal: 0, at: 0, onHand: new Map(), holds: new Map() }];
  const breaches: Breach[] = [];
  for (const movement of history) {
    const before = versions.at(-1);
    if (before === undefined) break;
    const breach = (rule: Rule, detail: string): void => {
      breaches.push({ rule, sku, detail: `movement ${movement.ordinal}: ${detail}` });
    };
    const after = next(before, movement);
    if (movement.ordinal !== before.ordinal + 1) {
      breach('ordinals-contiguous', `it follows ${before.ordinal}`);
    }
    if (after.at < before.at) breach('times-ascend', `${movement.at} is before the one before`);
    for (const { location, onHand } of movement.lines) {
      const stands = after.onHand.get(location) ?? 0;
      if (stands !== onHand) {
        breach('levels-follow', `${location} shows ${onHand}, and ${stands} follows`);
      }
      if (onHand < 0) breach('nothing-below-zero', `${location} shows ${onHand}`);
    }
    const oversold = oversoldAt(before, after, movement);
    if (oversold !== undefined) breach('nothing-oversold', oversold);
    versions.push(after);
  }
  return { versions, breaches };
}

function next(before: Version, movement: HistoryMovement): Version {
  const { ordinal, lines, reservation } = movement;
  const at = Date.parse(movement.at);
  const onHand = new Map(before.onHand);
  for (const { location, delta } of lines)
    onHand.set(location, (onHand.get(location) ?? 0) + delta);
  if (reservation === undefined) return { ordinal, at, onHand, holds: before.holds };
  const holds = new Map(before.holds);
  if (reservation.state === 'held') holds.set(reservation.id, reservation);
  else holds.delete(reservation.id);
  return { ordinal, at, onHand, holds };
}

/** What only takes what is free; an adjustment and a shipment of a hold go by what is on hand. */
const guarded: ReadonlySet<string> = new Set(['ship', 'transfer', 'reserve', 'change']);

function oversoldAt(
  before: Version,
  after: Version,
  { type, lines, reservation }: HistoryMovement,
): string | undefined {
  if (!guarded.has(type) || (type === 'ship' && reservation !== undefined)) return undefined;
  const touched = [
    ...lines.filter(({ delta }) => delta < 0).map(({ location }) => location),
    ...(reservation === undefined ? [] : [reservation.location]),
  ];
  for (const location of touched) {
    const left = availableAt(after, location, after.at);
    // What an adjustment left below what is promised may stay so, but nothing may take more.
    if (left < 0 && left < availableAt(before, location, after.at)) {
      return `${type} leaves ${left} available in ${location}`;
    }
  }
  return undefined;
}

/** Compares what the service shows of a SKU with what follows from its history. */
export function compareDocument(last: Version, document: SkuDocument): readonly Breach[] {
  const { sku } = document;
  const details: string[] = [];
  if (document.movementCount !== last.ordinal) {
    details.push(`${document.movementCount} movements are shown, and ${last.ordinal} are there`);
  }
  const now = Date.parse(document.asOf);
  const live = [...last.holds.values()].filter((hold) => isLive(hold, now));
  const shown = new Map(document.levels.map((level) => [level.location, level]));
  for (const location of new Set([...shown.keys(), ...last.onHand.keys()])) {
    const { onHand, reserved } = shown.get(location) ?? { onHand: 0, reserved: 0 };
    const follows = last.onHand.get(location) ?? 0;
    const promised = reservedAt(live, location, now);
    if (onHand !== follows) details.push(`${location} shows ${onHand}, and ${follows} follows`);
    if (reserved !== promised) {
      details.push(`${location} shows ${reserved} reserved, and ${promised} follows`);
    }
  }
  const ids = (holds: readonly Hold[]): string =>
    holds
      .map(({ id }) => id)
      .toSorted()
      .join();
  if (ids(live) !== ids(document.reservations)) details.push('other holds are shown than live');
  return details.map((detail) => ({ rule: 'document-follows', sku, detail }));
}
