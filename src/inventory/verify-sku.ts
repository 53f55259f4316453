/**
 * Verification: whether a SKU's document follows from its history. It only looks; what has been
 * written in the last seconds may still be on its way into the ledger and is not faulted.
 */
import type { Fault, FaultKind } from '../domain/invariants.ts';
import { documentFaults, levelFaults, startReplay } from '../domain/invariants.ts';
import type { Sku } from '../domain/ids.ts';
import type { Movement, WindowMovement } from '../domain/movement.ts';
import { onHandAt, placesOf } from '../domain/sku.ts';
import type { LocationDirectory } from './location-directory.ts';
import type { Lookup, Ports, Read, SkuSnapshot } from './ports.ts';

export interface Check {
  readonly name: CheckName;
  readonly ok: boolean;
  /** What was found, for a person. */
  readonly detail: string;
}

const checkNames = [
  'levels follow from the history',
  'ordinals are contiguous',
  'balances and instants follow',
  'the ledger is complete',
  'the window agrees with the ledger',
  'the document is within its bounds',
  'nothing stands at a retired location',
] as const;
export type CheckName = (typeof checkNames)[number];

export interface Verification {
  readonly sku: Sku;
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

type Found = Record<CheckName, string[]>;

const pageSize = 1_000;
const inFlightMilliseconds = 15_000;
/** More of one kind would not tell more. */
const detailLimit = 5;

export async function verifySku(
  ports: Ports,
  directory: LocationDirectory,
  sku: Sku,
): Promise<Lookup<Verification>> {
  const read = await ports.skus.snapshot(sku);
  if (read.kind !== 'found') return read;
  const snapshot = read.value;
  const found = nothingFound();
  const replayed = await replayLedger(ports, snapshot, found);
  if (replayed.kind === 'unknown') return replayed;
  const beyond = await entriesBeyond(ports, snapshot);
  if (beyond.kind === 'unknown') return beyond;
  found['ordinals are contiguous'].push(...windowFaults(snapshot), ...beyond.value);
  noteFaults(found, documentFaults(snapshot.state, snapshot.window.length));
  const retired = await retiredPlaces(directory, snapshot);
  if (retired.kind === 'unknown') return retired;
  found['nothing stands at a retired location'].push(...retired.value);
  const checks = checkNames.map((name) => checkOf(name, found[name]));
  return { kind: 'found', value: { sku, ok: checks.every(({ ok }) => ok), checks } };
}

function nothingFound(): Found {
  return {
    'levels follow from the history': [],
    'ordinals are contiguous': [],
    'balances and instants follow': [],
    'the ledger is complete': [],
    'the window agrees with the ledger': [],
    'the document is within its bounds': [],
    'nothing stands at a retired location': [],
  };
}

function checkOf(name: CheckName, faults: readonly string[]): Check {
  const more = faults.length > detailLimit ? ` and ${faults.length - detailLimit} more` : '';
  return {
    name,
    ok: faults.length === 0,
    detail: faults.length === 0 ? 'nothing wrong' : faults.slice(0, detailLimit).join('; ') + more,
  };
}

/** Reads the whole ledger of the SKU, oldest first, and holds the window against it. */
async function replayLedger(
  ports: Ports,
  { state, window, now }: SkuSnapshot,
  found: Found,
): Promise<Read<void>> {
  const { sku, movementCount: through } = state;
  const replaying = startReplay();
  const retained = new Map(window.map((movement) => [movement.ordinal, movement]));
  let after = 0;
  while (after < through) {
    const page = await ports.ledger.entries({ sku, after, through, limit: pageSize });
    if (page.kind === 'unknown') return page;
    for (const entry of page.value) {
      addMissing(replaying.add, retained, found, { after, before: entry.ordinal, now });
      replaying.add(entry);
      const kept = retained.get(entry.ordinal);
      if (kept !== undefined && !isSame(kept, entry)) {
        found['the window agrees with the ledger'].push(`ordinal ${entry.ordinal} differs`);
      }
      after = entry.ordinal;
    }
    if (page.value.length < pageSize) {
      addMissing(replaying.add, retained, found, { after, before: through + 1, now });
      after = through;
    }
  }
  const replayed = replaying.result();
  noteFaults(found, [...replayed.faults, ...levelFaults(state, replayed)]);
  return { kind: 'found', value: undefined };
}

/** Ordinals that the ledger lacks: replayed out of the window, where they stand there. */
function addMissing(
  add: (movement: WindowMovement) => void,
  retained: ReadonlyMap<number, WindowMovement>,
  found: Found,
  gap: { readonly after: number; readonly before: number; readonly now: number },
): void {
  for (let ordinal = gap.after + 1; ordinal < gap.before; ordinal += 1) {
    const kept = retained.get(ordinal);
    if (kept !== undefined) add(kept);
    const mayBeInFlight = kept !== undefined && gap.now - kept.at < inFlightMilliseconds;
    if (!mayBeInFlight) found['the ledger is complete'].push(`ordinal ${ordinal} is missing`);
  }
}

/** The window is the newest stretch of the history: each ordinal once, up to the newest counted. */
function windowFaults({ state, window }: SkuSnapshot): readonly string[] {
  const oldest = state.movementCount - window.length + 1;
  return window.flatMap(({ ordinal }, index) =>
    ordinal === oldest + index
      ? []
      : [`the window has ordinal ${ordinal} where ${oldest + index} belongs`],
  );
}

/** Entries that the document does not count, though they are older than the look at it. */
async function entriesBeyond(
  { ledger }: Ports,
  { state, now }: SkuSnapshot,
): Promise<Read<readonly string[]>> {
  const { sku, movementCount: after } = state;
  const through = Number.MAX_SAFE_INTEGER - 1;
  const page = await ledger.entries({ sku, after, through, limit: pageSize });
  if (page.kind === 'unknown') return page;
  const uncounted = page.value.filter(({ at }) => at < now);
  const details = uncounted.map(({ ordinal }) => `the ledger has ordinal ${ordinal}, uncounted`);
  return { kind: 'found', value: details };
}

function isSame(kept: WindowMovement, entry: Movement): boolean {
  const essence = ({ actionId, type, lines, at, actor }: WindowMovement): string =>
    JSON.stringify([
      actionId,
      type,
      lines.map(({ location, delta, onHand }) => [location, delta, onHand]),
      at,
      actor,
    ]);
  return essence(kept) === essence(entry);
}

const checkOfFault: Readonly<Record<FaultKind, CheckName>> = {
  'level-within-limits': 'the document is within its bounds',
  'one-level-a-location': 'the document is within its bounds',
  bounded: 'the document is within its bounds',
  'levels-follow': 'levels follow from the history',
  'count-follows': 'ordinals are contiguous',
  'ordinals-contiguous': 'ordinals are contiguous',
  'time-runs-forward': 'balances and instants follow',
  'balances-follow': 'balances and instants follow',
};

function noteFaults(found: Found, faults: readonly Fault[]): void {
  for (const { check, detail } of faults) {
    found[checkOfFault[check]].push(detail);
  }
}

async function retiredPlaces(
  directory: LocationDirectory,
  { state }: SkuSnapshot,
): Promise<Read<readonly string[]>> {
  const known = await directory.known(placesOf(state));
  if (known.kind === 'unknown') return known;
  const retired = Array.from(known.value.values()).filter(
    ({ location, retiredAt }) => retiredAt !== undefined && onHandAt(state, location) > 0,
  );
  const details = retired.map(({ location }) => `${onHandAt(state, location)} at ${location}`);
  return { kind: 'found', value: details };
}
