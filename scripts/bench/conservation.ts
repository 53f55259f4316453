/**
 * Conservation: after each run a SKU's levels are the opening ones less what was acknowledged, and
 * its movements count the acknowledged ones. A figure of a run that lost or made stock is worthless.
 */

/** What a database says of one SKU. */
export interface Standing {
  readonly onHand: number;
  readonly movementCount: number;
}

/** What the clients know of one SKU; every movement takes one unit. */
export interface Tally {
  readonly acknowledged: number;
  /** Sent, and never answered with anything definite: each may have happened or not. */
  readonly unknown: number;
}

export const nothingYet: Tally = { acknowledged: 0, unknown: 0 };

/** @returns one line a fault; none when stock is conserved. */
export function conservationFaults(
  opening: ReadonlyMap<string, Standing>,
  tallies: ReadonlyMap<string, Tally>,
  found: ReadonlyMap<string, Standing>,
): readonly string[] {
  const faults: string[] = [];
  for (const [sku, before] of opening) {
    const now = found.get(sku);
    if (now === undefined) {
      faults.push(`${sku} is gone`);
      continue;
    }
    faults.push(...skuFaults(sku, before, tallies.get(sku) ?? nothingYet, now));
  }
  for (const sku of [...tallies.keys(), ...found.keys()]) {
    if (!opening.has(sku)) faults.push(`${sku} was not there at the opening`);
  }
  return faults;
}

function skuFaults(sku: string, before: Standing, tally: Tally, now: Standing): readonly string[] {
  const taken = before.onHand - now.onHand;
  const counted = now.movementCount - before.movementCount;
  const most = tally.acknowledged + tally.unknown;
  const expected =
    tally.unknown === 0 ? `${tally.acknowledged}` : `${tally.acknowledged} to ${most}`;
  const faults: string[] = [];
  if (taken < tally.acknowledged || taken > most) {
    faults.push(`${sku}: ${taken} units left, ${expected} acknowledged`);
  }
  if (counted < tally.acknowledged || counted > most) {
    faults.push(`${sku}: ${counted} movements counted, ${expected} acknowledged`);
  }
  if (taken !== counted) {
    faults.push(`${sku}: ${taken} units left in ${counted} movements of one unit each`);
  }
  return faults;
}

/** Entries of a collection to which every acknowledged movement adds exactly one. */
export function entryFaults(
  what: string,
  seeded: number,
  tallies: Iterable<Tally>,
  found: number,
): readonly string[] {
  let acknowledged = 0;
  let unknown = 0;
  for (const tally of tallies) {
    acknowledged += tally.acknowledged;
    unknown += tally.unknown;
  }
  const added = found - seeded;
  return added >= acknowledged && added <= acknowledged + unknown
    ? []
    : [`${added} ${what} were added, ${acknowledged} movements acknowledged`];
}
