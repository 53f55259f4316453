/**
 * From a request to send a receipt back to the start of its saga, which goes on in the receipt's own
 * record: so a receipt is reversed once, whoever asks.
 *
 * 1. All its stock has to be there when it is asked for: else nothing is moved, and it may be asked
 *    again. What is taken in between fails its own line, for good; the others leave all the same.
 */
import type { ActionId, LocationId, Sku } from '../src/domain/ids.ts';
import type { Receipt, ReceiptLine } from '../src/domain/receipt.ts';
import { isCredited } from '../src/domain/receipt.ts';
import type { Refusal } from '../src/domain/refusal.ts';
import type { SkuView } from '../src/inventory/answer.ts';
import type { ReverseRequest } from '../src/inventory/order-ports.ts';
import type { Read } from '../src/inventory/ports.ts';
import { stockingActionOf } from './receive-purchase-order.ts';
import type { Attempt, Entry, ReceivingPorts } from './receiving-desk.ts';
import {
  carryOn,
  claimAndRecord,
  claimOnce,
  follow,
  reused,
  untilLetGo,
} from './receiving-desk.ts';

export async function reverseReceipt(entry: Entry, request: ReverseRequest): Promise<Attempt> {
  const { ports, runs } = entry;
  const { receipt: id, number, actionId, actor, reference, note } = request;
  const known = await claimAndRecord(entry, request, id);
  if (known.kind === 'unknown') return known;
  const { claim, record: found } = known;
  if (claim !== undefined && claim.digest !== request.digest) return reused;
  if (found.kind === 'missing') return { kind: 'not-found' };
  const { record } = found.value;
  if (record.number !== number || !isCredited(record)) return { kind: 'not-found' };
  if (record.reversal?.by === actionId) return follow(entry, id);
  const refusal = untimely(record);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  if (record.onOrder) return untilLetGo(entry, found.value);
  const missing = await missingStock(ports, record);
  if (missing.kind === 'unknown') return missing;
  if (missing.value !== undefined) return { kind: 'refused', refusal: missing.value };
  const claimed = await claimOnce(entry, request, id, claim);
  if (claimed.kind !== 'recorded') return claimed;
  const armed = await runs.arm(id);
  if (armed.kind === 'unknown') return armed;
  const reversal = {
    by: actionId,
    actor,
    ...(reference === undefined ? {} : { reference }),
    ...(note === undefined ? {} : { note }),
  };
  const reversing: Receipt = { ...record, state: 'reversing', reversal };
  return carryOn(entry, await ports.receipts.reopen(found.value, reversing, runs.holder()));
}

function untimely({ id, state, reversal }: Receipt): Refusal | undefined {
  if (reversal !== undefined) return { code: 'receipt-reversed', receipt: id };
  return state === 'completed' ? undefined : { code: 'receipt-in-progress', receipt: id };
}

/** Stock that a receipt brought to one place, with the receipt's lines there taken together. */
interface Brought {
  readonly sku: Sku;
  readonly location: LocationId;
  readonly quantity: number;
}

const readsAtOnce = 16;

/** Why the stock of a receipt cannot leave; undefined while it can. */
async function missingStock(
  ports: ReceivingPorts,
  receipt: Receipt,
): Promise<Read<Refusal | undefined>> {
  const stocked = receipt.lines.filter(({ stocked }) => stocked?.kind === 'moved');
  const missing = await shortageOf(ports, stocked);
  if (missing.kind === 'unknown' || missing.value === undefined) return missing;
  // Perhaps some of it was sent back before, movement by movement.
  const standing = await linesStanding(ports, receipt);
  return standing.kind === 'unknown' ? standing : shortageOf(ports, standing.value);
}

/** The lines that were stocked and not sent back by anybody. */
async function linesStanding(
  { ledger }: ReceivingPorts,
  receipt: Receipt,
): Promise<Read<readonly ReceiptLine[]>> {
  const actions = new Map<Sku, ActionId[]>();
  for (const [index, { sku }] of receipt.lines.entries()) {
    actions.set(sku, [...(actions.get(sku) ?? []), stockingActionOf(receipt, index)]);
  }
  const undone = new Set<ActionId>();
  for (const [sku, ids] of actions) {
    const entries = await ledger.undoing(sku, ids);
    if (entries.kind === 'unknown') return entries;
    for (const { reverses } of entries.value) if (reverses !== undefined) undone.add(reverses);
  }
  const value = receipt.lines.filter(
    ({ stocked }, index) =>
      stocked?.kind === 'moved' && !undone.has(stockingActionOf(receipt, index)),
  );
  return { kind: 'found', value };
}

async function shortageOf(
  { inventory }: ReceivingPorts,
  lines: readonly ReceiptLine[],
): Promise<Read<Refusal | undefined>> {
  const brought = broughtBy(lines);
  const skus = Array.from(new Set(brought.map(({ sku }) => sku)));
  for (let first = 0; first < skus.length; first += readsAtOnce) {
    const some = skus.slice(first, first + readsAtOnce);
    const views = await Promise.all(some.map(async (sku) => inventory.sku(sku)));
    for (const view of views) {
      if (view.kind === 'unavailable') return { kind: 'unknown', cause: view.cause };
      if (view.kind !== 'ok') throw new Error('a SKU that was received is gone');
      const refusal = shortage(view.value, brought);
      if (refusal !== undefined) return { kind: 'found', value: refusal };
    }
  }
  return { kind: 'found', value: undefined };
}

function broughtBy(lines: readonly ReceiptLine[]): readonly Brought[] {
  const sums = new Map<string, Brought>();
  for (const { sku, location, quantity } of lines) {
    const place = JSON.stringify([sku, location]);
    const before = sums.get(place)?.quantity ?? 0;
    sums.set(place, { sku, location, quantity: before + quantity });
  }
  return Array.from(sums.values());
}

function shortage(view: SkuView, brought: readonly Brought[]): Refusal | undefined {
  const locations = view.levels.map(({ location, available }) => ({ location, available }));
  for (const { sku, location, quantity } of brought) {
    if (sku !== view.sku) continue;
    const available = locations.find((level) => level.location === location)?.available ?? 0;
    if (available < quantity) {
      return { code: 'insufficient-stock', location, available, requested: quantity, locations };
    }
  }
  return undefined;
}
