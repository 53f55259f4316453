/**
 * Barcodes, each of which belongs to one SKU. Two documents cannot be changed in one write, so a
 * code is claimed for a SKU in a document of its own before the SKU's document carries it.
 *
 * 1. A code is a SKU's where the SKU's document carries it. No two documents ever carry one.
 * 2. A document comes to carry a code only by a write that rests on a claim of it, held after the
 *    read that the write rests on, and that lands only before the claim's time is over, by the
 *    database's clock. A claim that is made is over at once; holding it never ends it earlier.
 * 3. A claim is taken over only once its time is over, from a SKU whose document was read after
 *    that and does not carry the code, and only as it was read. By 2 no write that rests on it can
 *    land any more. The time is taken to be over somewhat later than it is, since the clocks of
 *    two members may differ.
 * 4. A claim is given back only as it was read: by a write that dropped the code, as it stood
 *    before that write, or by an attempt that made it, that nobody else has held it beside, and
 *    whose write is known not to have landed. Who holds it anew changes it, and so keeps it.
 * 5. Nobody holds some of the codes it wants while others are not its own: two that want the same
 *    ones would hold up each other.
 * 6. So a crash leaves nothing but a claim without a code, which gets over.
 */
import { v7 as uuid } from 'uuid';
import type { Instant, Sku } from '../domain/ids.ts';
import type { SkuState } from '../domain/sku.ts';
import type { BarcodeStore, Claimant, CodeClaim, Unknown } from './ports.ts';

export interface Claimed {
  readonly kind: 'claimed';
  /** The write lands before this, or not at all; absent where it rests on no claim. */
  readonly until?: Instant;
  /** Made by this attempt, and resting with it alone. */
  readonly fresh: readonly CodeClaim[];
  /** Those of codes that the write drops. */
  readonly dropped: readonly CodeClaim[];
}

type NotClaimed =
  | { readonly kind: 'barcode-taken'; readonly barcode: string }
  /** Somebody is about to define a SKU with one of the codes. */
  | { readonly kind: 'lost' }
  | Unknown;

const triesLimit = 3;

/** Claims for a definition the codes that it adds. */
export async function claimCodes(
  store: BarcodeStore,
  before: SkuState | null,
  after: SkuState,
): Promise<Claimed | NotClaimed> {
  const had = codesOf(before);
  const has = codesOf(after);
  const added = Array.from(has).filter((code) => !had.has(code));
  const dropped = Array.from(had).filter((code) => !has.has(code));
  const given = dropped.length === 0 ? noClaims : await store.read(dropped);
  if (given.kind === 'unknown') return given;
  const claimed = added.length === 0 ? noFresh : await claimAll(store, after.sku, added);
  if (claimed.kind !== 'claimed') return claimed;
  const own = Array.from(given.value.values()).filter(({ sku }) => sku === after.sku);
  return { ...claimed, dropped: own };
}

const noClaims = { kind: 'found', value: new Map<string, CodeClaim>() } as const;
const noFresh = { kind: 'claimed', fresh: [] } as const;

/** All of them, or none (5). */
async function claimAll(
  store: BarcodeStore,
  sku: Sku,
  codes: readonly string[],
): Promise<Omit<Claimed, 'dropped'> | NotClaimed> {
  const by = { sku, token: uuid() };
  for (let tries = 1; ; tries += 1) {
    const made = await store.make(by, codes);
    if (made.kind === 'unknown') return made;
    const found = await readAs(store, by, codes);
    if (found.kind === 'unknown') return found;
    if (found.own.length === codes.length) {
      const held = await store.hold(by, codes);
      if (held.kind === 'unknown') return held;
      const kept = await readAs(store, by, codes);
      if (kept.kind === 'unknown') return kept;
      const { own, fresh } = kept;
      if (own.length === codes.length) return { kind: 'claimed', ...soonest(own), fresh };
      // One was taken over before it was held.
      await giveBack(store, fresh);
      return { kind: 'lost' };
    }
    const settled = await settleOthers(store, by, found.others);
    if (settled.kind === 'taken-over' && tries < triesLimit) continue;
    await giveBack(store, found.fresh);
    return settled.kind === 'taken-over' ? { kind: 'lost' } : settled;
  }
}

async function readAs(store: BarcodeStore, { sku, token }: Claimant, codes: readonly string[]) {
  const read = await store.read(codes);
  if (read.kind === 'unknown') return read;
  const claims = Array.from(read.value.values());
  return {
    kind: 'read',
    own: claims.filter((claim) => claim.sku === sku),
    others: claims.filter((claim) => claim.sku !== sku),
    fresh: claims.filter(({ madeBy }) => madeBy === token),
  } as const;
}

/** Claims that are given back are not waited for by anybody: one that stays gets over (6). */
export async function giveBack(store: BarcodeStore, claims: readonly CodeClaim[]): Promise<void> {
  if (claims.length > 0) await store.release(claims);
}

function codesOf(state: SkuState | null): ReadonlySet<string> {
  return new Set(state?.definition.barcodes.map(({ code }) => code));
}

function soonest(claims: readonly CodeClaim[]): Pick<Claimed, 'until'> {
  const [first, ...rest] = claims.map(({ until }) => until);
  if (first === undefined) return {};
  return { until: rest.reduce((least, until) => (until < least ? until : least), first) };
}

/** By 3; the claims were read before the documents are. */
async function settleOthers(
  store: BarcodeStore,
  by: Claimant,
  others: readonly CodeClaim[],
): Promise<NotClaimed | { readonly kind: 'taken-over' }> {
  const carried = await store.carried(others);
  if (carried.kind === 'unknown') return carried;
  const taken = others.find(({ code }) => carried.value.has(code));
  if (taken !== undefined) return { kind: 'barcode-taken', barcode: taken.code };
  if (others.length === 0 || others.some(({ isOver }) => !isOver)) return { kind: 'lost' };
  for (const claim of others) {
    const asked = await store.takeOver(claim, by);
    if (asked.kind === 'unknown') return asked;
  }
  return { kind: 'taken-over' };
}
