/**
 * What has to hold once nothing is under way, of what really happened and of what clients were told.
 *
 *  1. Each key has no effect or one.
 *  2. What was acknowledged has its one effect, and what was only ever refused has none.
 *  3. A key's answer never changes: every acknowledgement shows the same effect, and nothing that
 *     has had its effect is refused to whoever asks afterwards.
 *  4. Ordinals are contiguous, every recorded balance follows, the levels are those the history
 *     leads to, and none is negative.
 *  5. No movement leaves the window before it is in the ledger, where it stands as it was written,
 *     with the text of its request.
 *  6. Holds count once (see holds.ts).
 *  7. A refusal has its cause in what stood while it was asked for.
 *  8. An order is credited with what its receipts brought, and counts posted what they say (see
 *     sagas.ts).
 *  9. Once faults stop, every client gets its answer and every saga ends, in bounded time.
 * 10. A barcode never stands on two SKUs, and is claimed for the one that it stands on (see
 *     barcodes.ts).
 */
import { levelFaults, replay } from '../../src/domain/invariants.ts';
import type { Sku } from '../../src/domain/ids.ts';
import type { WindowMovement } from '../../src/domain/movement.ts';
import { actionId } from '../support/actions.ts';
import { codeFaults } from './barcodes.ts';
import { causeFaults, takenFaults } from './causes.ts';
import type { Clients, Sending } from './clients.ts';
import type { Database, Happened } from './database.ts';
import { holdFaults } from './holds.ts';
import { sagaFaults } from './sagas.ts';

/** @returns what is wrong, each with the number of its rule; empty when all is well. */
export function faultsOf(
  database: Database,
  clients: Pick<Clients, 'sendings'>,
): readonly string[] {
  return [
    ...keyFaults(database, clients.sendings),
    ...Array.from(database.history.keys()).flatMap((sku) => [
      ...historyFaults(database, sku),
      ...ledgerFaults(database, sku, clients.sendings),
      ...holdFaults(database, sku),
    ]),
    ...database.fallen.map((what) => `5: ${what}`),
    ...database.doubled,
    ...codeFaults(database.skus, database.codes),
    ...takenFaults(database, clients.sendings),
    ...causeFaults(database, clients.sendings),
    ...sagaFaults(database),
  ];
}

/** The key that an id was made from: there is a mutant whose retries make ids of their own. */
function keyOf(id: string): string {
  return id.startsWith('~again/') ? id.slice('~again/'.length).replace(/#.*$/, '') : id;
}

function keyFaults(database: Database, sendings: readonly Sending[]): readonly string[] {
  const effects = new Map<string, Happened[]>();
  for (const movement of Array.from(database.history.values()).flat()) {
    const key = keyOf(movement.actionId);
    effects.set(key, [...(effects.get(key) ?? []), movement]);
  }
  const faults: string[] = [];
  for (const [key, { length }] of effects) {
    if (length > 1) faults.push(`1: ${key} has ${length} effects`);
  }
  for (const key of new Set(sendings.map(({ plot }) => plot.key))) {
    const sent = sendings.filter(({ plot }) => plot.key === key);
    faults.push(...answerFaults(database, key, sent, effects.get(actionId(key)) ?? []));
  }
  return faults;
}

function answerFaults(
  database: Database,
  key: string,
  sent: readonly Sending[],
  effects: readonly Happened[],
): readonly string[] {
  const faults: string[] = [];
  const acked = sent.flatMap(({ plot, verdict }) =>
    verdict.kind === 'acked' ? [{ plot, ...verdict }] : [],
  );
  if (acked.length === 0 && effects.length > 0) faults.push(`2: ${key} was refused and has effect`);
  if (new Set(acked.map(({ as }) => as)).size > 1) faults.push(`3: the answers of ${key} differ`);
  const [winner] = acked;
  const { asked } = winner?.plot ?? {};
  if (asked?.kind === 'move' || asked?.kind === 'undo') {
    const shown = winner?.movement;
    const written = shown && database.history.get(shown.sku)?.[shown.ordinal - 1];
    if (shown === undefined || written === undefined || plain(written) !== plain(shown)) {
      faults.push(`2: what ${key} was shown was not written`);
    } else if (written.actionId !== actionId(key) && !isEarlierRelease(written)) {
      faults.push(`2: ${key} was shown the movement of ${written.actionId}`);
    }
  }
  const [effect] = effects;
  const late = sent.find(
    ({ plot, verdict, sentStep }) =>
      verdict.kind === 'refused' &&
      (winner === undefined || plot === winner.plot) &&
      effect !== undefined &&
      sentStep > effect.step,
  );
  if (late !== undefined) faults.push(`3: ${key} was refused after it had its effect`);
  return faults;
}

/** Releasing once more is answered with the release that was. */
function isEarlierRelease({ type, reservation }: WindowMovement): boolean {
  return type === 'release' && reservation?.state === 'released';
}

function isSame(one: WindowMovement, other: WindowMovement): boolean {
  // Nearly always they share what they are made of.
  const isShared = one.actionId === other.actionId && one.at === other.at;
  return (
    (isShared && one.lines === other.lines && one.reservation === other.reservation) ||
    plain(one) === plain(other)
  );
}

/** A movement without text and SKU, as text. */
function plain(movement: WindowMovement): string {
  const {
    actionId: by,
    ordinal,
    type,
    lines,
    reason,
    reservation,
    refused,
    reverses,
    actor,
    at,
  } = movement;
  const more = { reason, reservation, refused, reverses };
  return JSON.stringify({ by, ordinal, type, lines, actor, at, ...more });
}

function historyFaults({ skus, history }: Database, sku: Sku): readonly string[] {
  const document = skus.get(sku);
  if (document === undefined) return [`4: ${sku} is gone`];
  const replayed = replay(history.get(sku) ?? []);
  const faults = [...replayed.faults, ...levelFaults(document.state, replayed)];
  return faults.map(({ check, detail }) => `4: ${sku}, ${check}: ${detail}`);
}

function ledgerFaults(
  { skus, history, ledger }: Database,
  sku: Sku,
  sendings: readonly Sending[],
): readonly string[] {
  const faults: string[] = [];
  const entries = ledger.get(sku);
  const window = new Set(skus.get(sku)?.window.map(({ ordinal }) => ordinal));
  for (const movement of history.get(sku) ?? []) {
    const { ordinal } = movement;
    const entry = entries?.get(ordinal);
    if (entry === undefined) {
      if (!window.has(ordinal)) faults.push(`5: ${sku} #${ordinal} is nowhere`);
    } else if (!isSame(entry, movement)) {
      faults.push(`5: ${sku} #${ordinal} is not entered as it was written`);
    } else if (!notesOf(movement, sendings).has(entry.note)) {
      faults.push(`5: ${sku} #${ordinal} is entered with the note of another request`);
    }
  }
  return faults;
}

/** The notes that requests under the key of a movement bore. */
function notesOf(
  { actionId: by }: WindowMovement,
  sendings: readonly Sending[],
): ReadonlySet<string | undefined> {
  const own = sendings.filter(({ plot }) => actionId(plot.key) === keyOf(by));
  return own.length === 0 ? new Set([undefined]) : new Set(own.map(({ plot }) => plot.note));
}
