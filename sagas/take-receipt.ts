/**
 * From a request to receive goods to the start of its saga.
 *
 * 1. The order is read first, claim and record after it: what an earlier attempt of this very
 *    request has done to the order is then explained by its record, and is not judged as another's.
 * 2. Only a request that the order as it was read accepts is claimed and written down, so that a
 *    plain refusal leaves nothing. Where another receipt comes first all the same, the record says
 *    `refused` and shows nowhere; the same request may be tried again, as the next attempt.
 * 3. The alarm is armed before the record waits for anything.
 */
import type { LocationId } from '../src/domain/ids.ts';
import { appointmentOf } from '../src/domain/appointment.ts';
import { inBaseUnits } from '../src/domain/base-units.ts';
import type { PurchaseOrder, ReceiptId } from '../src/domain/purchase-order.ts';
import { isFull, refusalOfReceipt } from '../src/domain/purchase-order.ts';
import type { Receipt, ReceiptLine } from '../src/domain/receipt.ts';
import type { Refusal } from '../src/domain/refusal.ts';
import type { OrderRead, ReceiveRequest, SkuCatalogue } from '../src/inventory/order-ports.ts';
import type { Read, Unknown } from '../src/inventory/ports.ts';
import { receiptIdOf } from '../src/inventory/receipt-id.ts';
import type { SagaRead } from '../src/inventory/saga-ports.ts';
import { unavailable } from '../src/inventory/ticket.ts';
import type { Attempt, Entry, ReceivingPorts } from './receiving-desk.ts';
import {
  carryOn,
  claimAndRecord,
  claimOnce,
  follow,
  reused,
  untilLetGo,
} from './receiving-desk.ts';

export async function takeReceipt(entry: Entry, request: ReceiveRequest): Promise<Attempt> {
  const { ports, runs } = entry;
  const id = receiptIdOf(request.actionId);
  const order = await ports.orders.read(request.number);
  if (order.kind === 'unknown') return order;
  const known = await claimAndRecord(entry, request, id);
  if (known.kind === 'unknown') return known;
  const { claim } = known;
  if (claim !== undefined && claim.digest !== request.digest) return reused;
  const standing = known.record.kind === 'found' ? known.record.value : undefined;
  if (standing !== undefined && standing.record.state !== 'refused') return follow(entry, id);
  if (order.kind === 'missing') return { kind: 'not-found' };
  if (standing?.record.onOrder === true) return untilLetGo(entry, standing);
  const judged = await judge(ports, order.value.order, request);
  if (judged.kind === 'unknown') return judged;
  if (judged.kind === 'refused') return judged;
  if (isFull(order.value.order)) {
    return unavailable('too many receipts of the order are under way');
  }
  const claimed = await claimOnce(entry, request, id, claim);
  if (claimed.kind !== 'recorded') return claimed;
  const armed = await runs.arm(id);
  if (armed.kind === 'unknown') return armed;
  return begin(entry, request, order.value, { id, lines: judged.lines, standing });
}

interface Beginning {
  readonly id: ReceiptId;
  readonly lines: readonly ReceiptLine[];
  /** An earlier attempt, which the order has refused. */
  readonly standing: SagaRead<Receipt> | undefined;
}

async function begin(
  entry: Entry,
  request: ReceiveRequest,
  { order, now }: OrderRead,
  { id, lines, standing }: Beginning,
): Promise<Attempt> {
  const { ports, runs } = entry;
  const { number, actor, reference } = request;
  const record: Receipt = {
    id,
    number,
    lines,
    attempt: (standing?.record.attempt ?? 0) + 1,
    state: 'pending',
    onOrder: true,
    ...(reference === undefined ? {} : { reference }),
    ...arrivedOn(order, request),
    actor,
    at: now,
  };
  const saved =
    standing === undefined
      ? await ports.receipts.insert(record, runs.holder(), now)
      : await ports.receipts.reopen(standing, record, runs.holder());
  return carryOn(entry, saved);
}

/** The appointment that the receipt names, as it keeps it. */
function arrivedOn(
  order: PurchaseOrder,
  { appointment: hold }: ReceiveRequest,
): Pick<Receipt, 'appointment'> {
  const standing = hold === undefined ? undefined : appointmentOf(order, hold);
  if (standing === undefined) return {};
  const { warehouse } = standing;
  return { appointment: { hold: standing.hold, warehouse } };
}

type Judged =
  | { readonly kind: 'accepted'; readonly lines: readonly ReceiptLine[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | Unknown;

async function judge(
  ports: ReceivingPorts,
  order: PurchaseOrder,
  request: ReceiveRequest,
): Promise<Judged> {
  const [lines, unknown] = await Promise.all([
    linesOf(ports.catalogue, order, request),
    unknownPlace(ports, request),
  ]);
  if (lines.kind !== 'accepted') return lines;
  if (unknown.kind === 'unknown') return unknown;
  if (unknown.value !== undefined) {
    return refused({ code: 'unknown-location', location: unknown.value });
  }
  const { appointment } = request;
  if (appointment !== undefined && appointmentOf(order, appointment) === undefined) {
    return refused({ code: 'unknown-appointment', appointment });
  }
  const refusal = refusalOfReceipt(order, lines.lines);
  return refusal === undefined ? lines : refused(refusal);
}

function refused(refusal: Refusal): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return { kind: 'refused', refusal };
}

/** The lines in base units, by the packs that the SKUs have now. */
async function linesOf(
  catalogue: SkuCatalogue,
  order: PurchaseOrder,
  { lines: asked }: ReceiveRequest,
): Promise<Judged> {
  const skus = new Map(order.lines.map(({ line, sku }) => [line, sku]));
  const inPacks = asked.filter(({ unit }) => unit !== undefined);
  const definitions = await catalogue.definitions(
    Array.from(new Set(inPacks.flatMap(({ line }) => skus.get(line) ?? []))),
  );
  if (definitions.kind === 'unknown') return definitions;
  const lines: ReceiptLine[] = [];
  for (const [index, { line, location, ...said }] of asked.entries()) {
    const sku = skus.get(line);
    if (sku === undefined) return refused({ code: 'unknown-line', line });
    const definition = definitions.value.get(sku) ?? withoutPacks;
    const quantity = inBaseUnits(definition, said, `/lines/${index}/quantity`);
    if (typeof quantity === 'object') return refused(quantity);
    lines.push({ line, sku, location, quantity });
  }
  return { kind: 'accepted', lines };
}

/** Only lines that name a unit are looked up. */
const withoutPacks = { baseUnit: '', packs: [] } as const;

/** A location that was never there. One that is retired fails its line, as it may meanwhile. */
async function unknownPlace(
  { locations }: ReceivingPorts,
  { lines }: ReceiveRequest,
): Promise<Read<LocationId | undefined>> {
  const named = Array.from(new Set(lines.map(({ location }) => location)));
  const read = await locations.find(named);
  if (read.kind === 'unknown') return read;
  return { kind: 'found', value: named.find((location) => !read.value.has(location)) };
}
