/**
 * Definitions on the mutation path. A definition leaves no movement, so its repeats are recognised
 * in two other places:
 *
 * 1. The document names the last definition's action; its answer can be read off the document.
 * 2. Before another definition takes its place there, the first answer is kept on its own, by
 *    whoever comes next. So whoever looks first into the document, then among the kept, finds it.
 * 3. A definition that came without a caller's key has an id of the service's own and is never
 *    asked for again: it is neither claimed nor kept.
 *
 * The barcodes that it adds are claimed before the write, which rests on that (barcode-claims.ts).
 */
import { decide } from '../domain/decide.ts';
import type { ActionId, Instant } from '../domain/ids.ts';
import { epoch } from '../domain/ids.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { SkuState } from '../domain/sku.ts';
import type { DefinedSku } from './answer.ts';
import { claimCodes, giveBack } from './barcode-claims.ts';
import type { Lookup, Ports, Recorded, SkuRead, Swap } from './ports.ts';
import { claimAccepted, readClaims } from './recognise.ts';
import type { Attempt, Ticket } from './ticket.ts';

/** One attempt: recognise, decide, claim, write. */
export async function settleDefinition(
  ports: Ports,
  current: SkuRead | null,
  ticket: Ticket,
): Promise<Attempt> {
  const { action } = ticket;
  const repeat = await firstAnswer(ports, current, ticket);
  if (repeat.kind === 'unknown') return repeat;
  if (repeat.kind === 'found') return settleRepeat(ports, ticket, repeat.value);
  const decision = decide(current?.state ?? null, action, {
    now: current?.now ?? epoch,
    locations: new Map(),
  });
  if (decision.kind === 'refused') return settleRefusal(ports, ticket, decision.refusal);
  if (decision.kind !== 'defined') throw new Error('a definition moves no stock');
  if (isCallers(action.actionId) && ticket.claim.kind === 'none') {
    const claimed = await claimAccepted(ports, current, [ticket]);
    if (claimed.kind === 'unknown') return claimed;
    // An earlier attempt may have had its effect: look again before anything is written.
    if (isStanding(ticket)) return { kind: 'settled' };
  }
  return write(ports, current, ticket, decision.state);
}

function isCallers(action: ActionId): boolean {
  return !action.startsWith('~');
}

async function firstAnswer(
  ports: Ports,
  current: SkuRead | null,
  ticket: Ticket,
): Promise<Lookup<DefinedSku>> {
  const { actionId } = ticket.action;
  if (current?.definedBy === actionId) return { kind: 'found', value: lastDefined(current) };
  // A claim of this very request may have had its effect too, by a write whose answer was lost.
  if (ticket.claim.kind === 'none') return { kind: 'missing' };
  const kept = await ports.answers.find(actionId);
  if (kept.kind !== 'found') return kept;
  return kept.value.kind === 'definition'
    ? { kind: 'found', value: kept.value }
    : { kind: 'missing' };
}

function lastDefined(current: SkuRead): DefinedSku {
  const { sku, definition } = current.state;
  return { sku, definition, version: current.definedVersion };
}

async function settleRepeat(
  ports: Ports,
  ticket: Ticket,
  { sku, definition, version }: DefinedSku,
): Promise<Attempt> {
  const claims = await readClaims(ports, [ticket]);
  if (claims.kind === 'unknown') return claims;
  ticket.settle({
    kind: 'defined',
    defined: { sku, definition, version },
    created: version === 1,
    replayed: !ticket.mayHaveWritten,
  });
  return { kind: 'settled' };
}

async function settleRefusal(ports: Ports, ticket: Ticket, refusal: Refusal): Promise<Attempt> {
  if (ticket.claim.kind === 'none') {
    const claims = await readClaims(ports, [ticket]);
    if (claims.kind === 'unknown') return claims;
    // An earlier attempt of this request stands: the next attempt finds its answer, if any.
    if (isStanding(ticket)) return { kind: 'settled' };
  }
  ticket.settle({ kind: 'refused', refusal });
  return { kind: 'settled' };
}

function isStanding(ticket: Ticket): boolean {
  return ticket.claim.kind === 'standing';
}

async function write(
  ports: Ports,
  current: SkuRead | null,
  ticket: Ticket,
  decided: SkuState,
): Promise<Attempt> {
  const after: SkuState = { ...decided, version: (current?.state.version ?? 0) + 1 };
  const claimed = await claimCodes(ports.barcodes, current?.state ?? null, after);
  if (claimed.kind === 'barcode-taken') {
    return settleRefusal(ports, ticket, { code: 'barcode-taken', barcode: claimed.barcode });
  }
  if (claimed.kind !== 'claimed') return claimed;
  const swap = await swapDefinition(ports, current, after, claimed.until);
  switch (swap.kind) {
    case 'swapped':
      await giveBack(ports.barcodes, claimed.dropped);
      ticket.settle({
        kind: 'defined',
        defined: { sku: after.sku, definition: after.definition, version: after.version },
        created: current === null,
        replayed: false,
      });
      return { kind: 'settled' };
    case 'lost':
      await giveBack(ports.barcodes, claimed.fresh);
      return swap;
    case 'unknown':
      ticket.mayHaveWritten = true;
      return swap;
  }
}

async function swapDefinition(
  ports: Ports,
  current: SkuRead | null,
  after: SkuState,
  until: Instant | undefined,
): Promise<Swap> {
  if (current === null) return ports.skus.create(after, until);
  const kept = await keepLast(ports, current);
  if (kept.kind === 'unknown') return kept;
  return ports.skus.swap({
    before: current.state,
    extent: current.extent,
    after,
    movements: [],
    ledgeredThrough: current.extent.ledgeredThrough,
    ...(until !== undefined && { until }),
  });
}

/** Keeps the answer of the definition that is about to be replaced (2). */
async function keepLast(ports: Ports, current: SkuRead): Promise<Recorded> {
  if (!isCallers(current.definedBy)) return { kind: 'recorded' };
  const answer = lastDefined(current);
  return ports.answers.keep({ actionId: current.definedBy, kind: 'definition', ...answer });
}
