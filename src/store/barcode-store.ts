/**
 * Claims of barcodes. The id is the code, so that a cluster can spread them and two claims of one
 * code meet in one document; the rules are those of barcode-claims.ts.
 */
import type { Document, Filter } from 'mongodb';
import type { Sku } from '../domain/ids.ts';
import { epoch } from '../domain/ids.ts';
import type { BarcodeStore, Claimant, CodeClaim, Read, Recorded } from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { BarcodeDocument, Collections, SkuDocument } from './documents.ts';
import { instantOf } from './documents.ts';
import { ask, askPlainly, isOfServerAlone } from './store-error.ts';

type Barcodes = Collections['barcodes'];

/** From the claim to the write that rests on it. */
const heldMilliseconds = 5_000;
/** More than the clocks of two members of the database differ. */
const clocksDifferMilliseconds = 5_000;

export function createBarcodeStore(barcodes: Barcodes, skus: Collections['skus']): BarcodeStore {
  return {
    make: (by, codes) => make(barcodes, by, codes),
    hold: (by, codes) => hold(barcodes, by, codes),
    read: (codes) => read(barcodes, codes),
    takeOver: async (claim, by) =>
      recorded(
        await askPlainly(() =>
          barcodes.updateOne(asRead(claim), { $set: made(by) }, { maxTimeMS }),
        ),
      ),
    release: async (claims) => {
      const operations = claims
        .toSorted((one, other) => (one.code < other.code ? -1 : 1))
        .map((claim) => ({ deleteOne: { filter: asRead(claim) } }));
      return recorded(
        await askPlainly(() => barcodes.bulkWrite(operations, { ordered: false, maxTimeMS })),
      );
    },
    carried: (claims) => carried(skus, claims),
  };
}

/** One that was claimed anew by the very attempt that made it differs in its time alone. */
function asRead({ code, sku, heldBy, until }: CodeClaim): Filter<BarcodeDocument> {
  return { _id: code, sku, heldBy, until: new Date(until) };
}

const held: Document = { $add: ['$$NOW', heldMilliseconds] };

/** Two bulk writes that take the same documents in different orders would block each other. */
function inOrder(codes: readonly string[]): readonly string[] {
  return codes.toSorted();
}

function recorded(asked: Read<unknown>): Recorded {
  return asked.kind === 'unknown' ? asked : { kind: 'recorded' };
}

/** An insertion knows no clock of the database's: so a claim is over at once. */
function made({ sku, token }: Claimant): Omit<BarcodeDocument, '_id'> {
  return { sku, madeBy: token, heldBy: token, until: new Date(epoch) };
}

async function make(barcodes: Barcodes, by: Claimant, codes: readonly string[]): Promise<Recorded> {
  const documents = inOrder(codes).map((_id) => ({ _id, ...made(by) }));
  const asked = await ask(() => barcodes.insertMany(documents, { ordered: false, maxTimeMS }));
  if (asked.kind === 'unknown') return asked;
  return asked.kind === 'conflict'
    ? { kind: 'unknown', cause: 'the claims met a conflict' }
    : { kind: 'recorded' };
}

async function hold(
  barcodes: Barcodes,
  { sku, token }: Claimant,
  codes: readonly string[],
): Promise<Recorded> {
  const own = { $literal: token };
  const set = {
    madeBy: { $cond: [{ $eq: ['$heldBy', own] }, '$madeBy', null] },
    heldBy: own,
    until: { $max: ['$until', held] },
  };
  const operations = inOrder(codes).map((_id) => ({
    updateOne: { filter: { _id, sku }, update: [{ $set: set }] },
  }));
  return recorded(
    await askPlainly(() => barcodes.bulkWrite(operations, { ordered: false, maxTimeMS })),
  );
}

const isOver: Document = {
  $cond: [{ $lt: [{ $add: ['$until', clocksDifferMilliseconds] }, '$$NOW'] }, true, false],
};

async function read(
  barcodes: Barcodes,
  codes: readonly string[],
): Promise<Read<ReadonlyMap<string, CodeClaim>>> {
  const asked = await askPlainly(() =>
    barcodes
      .find<BarcodeDocument & { readonly isOver: boolean }>(
        { _id: { $in: [...codes] } },
        { projection: { sku: 1, madeBy: 1, heldBy: 1, until: 1, isOver }, maxTimeMS },
      )
      .toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  return {
    kind: 'found',
    value: new Map(
      asked.value.map(({ _id, until, ...claim }) => [
        _id,
        { ...claim, code: _id, until: instantOf(until) },
      ]),
    ),
  };
}

async function carried(
  skus: Collections['skus'],
  claims: readonly CodeClaim[],
): Promise<Read<ReadonlySet<string>>> {
  const codes = new Set<string>();
  for (const { code, sku } of claims) {
    const asked = await askPlainly(() => asItStands(skus, sku));
    if (asked.kind === 'unknown') return asked;
    if (asked.value?.barcodes?.some((barcode) => barcode.code === code) === true) codes.add(code);
  }
  return { kind: 'found', value: codes };
}

/**
 * Linearizable: a write that has landed, and that no majority has yet, is not passed over. A server
 * alone knows no such reading and needs none: what has landed is what it has.
 */
async function asItStands(skus: Collections['skus'], sku: Sku): Promise<SkuDocument | null> {
  const reading = (level: 'linearizable' | 'local') =>
    skus.findOne({ _id: sku }, { projection: { barcodes: 1 }, readConcern: { level }, maxTimeMS });
  try {
    return await reading('linearizable');
  } catch (error) {
    if (!isOfServerAlone(error)) throw error;
    return reading('local');
  }
}
