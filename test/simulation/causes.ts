/** A refusal has its cause: at some moment between request and answer the state was as it says. */
import type { Sku } from '../../src/domain/ids.ts';
import type { Refusal } from '../../src/domain/refusal.ts';
import { sku } from '../support/actions.ts';
import type { Sending } from './clients.ts';
import type { Database, Stood } from './database.ts';

export function causeFaults(database: Database, sendings: readonly Sending[]): readonly string[] {
  return sendings.flatMap((sending) => {
    const { verdict, plot } = sending;
    if (verdict.kind !== 'refused' || plot.asked.kind !== 'move') return [];
    const isRight = hasCause(database, sku(plot.asked.sku), verdict.refusal, sending);
    return isRight ? [] : [`7: ${plot.key} was refused without cause: ${verdict.refusal.code}`];
  });
}

/** Refusals of any other kind rest on nothing that changes. */
function hasCause(
  { history, stood }: Database,
  of: Sku,
  refusal: Refusal | { readonly code: 'not-found' },
  sending: Sending,
): boolean {
  const happened = history.get(of) ?? [];
  if (refusal.code === 'insufficient-stock') {
    return wasShort(stood.get(of) ?? [], refusal, sending);
  }
  if (refusal.code === 'unknown-reservation') {
    return !happened.some(
      ({ type, reservation, step }) =>
        type === 'reserve' && reservation?.id === refusal.reservation && step <= sending.sentStep,
    );
  }
  if (!('reservation' in refusal)) return true;
  const told = happened.flatMap(({ reservation }) =>
    reservation?.id === refusal.reservation ? [reservation] : [],
  );
  if (refusal.code === 'reservation-expired') {
    return told.some(({ expiresAt }) => expiresAt !== null && expiresAt <= sending.answeredAt);
  }
  const end = refusal.code === 'reservation-committed' ? 'committed' : 'released';
  return told.some(({ state }) => state === end);
}

function wasShort(
  stood: readonly Stood[],
  { location, requested }: Extract<Refusal, { readonly code: 'insufficient-stock' }>,
  { plot, sentAt, answeredAt }: Sending,
): boolean {
  const isOnHand =
    plot.asked.kind === 'move' && ['adjust', 'commit'].includes(plot.asked.change.type);
  return stood.some(({ since, levels, holds }, index) => {
    const until = stood[index + 1]?.since;
    if (since > answeredAt || (until !== undefined && until < sentAt)) return false;
    // Holds only lapse while a state stands: least is available in the beginning.
    const at = since > sentAt ? since : sentAt;
    const held = holds
      .filter((hold) => hold.location === location)
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > at)
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const level = levels.findLast((one) => one.location === location)?.onHand ?? 0;
    return level - (isOnHand ? 0 : held) < requested;
  });
}

/** A code that is said to be taken was another SKU's at some time. */
export function takenFaults(
  { defined }: Pick<Database, 'defined'>,
  sendings: readonly Sending[],
): readonly string[] {
  return sendings.flatMap(({ plot, verdict }) => {
    if (verdict.kind !== 'refused' || verdict.refusal.code !== 'barcode-taken') return [];
    const { barcode } = verdict.refusal;
    const isTaken = defined.some(
      ({ sku, definition }) =>
        !(plot.asked.kind === 'define' && plot.asked.sku === sku) &&
        definition.barcodes.some(({ code }) => code === barcode),
    );
    return isTaken ? [] : [`7: ${plot.key} was refused for ${barcode}, which nobody had`];
  });
}
