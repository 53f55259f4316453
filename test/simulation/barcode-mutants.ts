/** Mistakes about barcodes that the simulation has to find; the rules are those of barcode-claims.ts. */
import type { BarcodeStore, CodeClaim } from '../../src/inventory/ports.ts';
import type { Database, Stores } from './database.ts';
import type { Mutation } from './process.ts';
import type { Kind } from './scenario.ts';

function withBarcodes(stores: Stores, changed: Partial<BarcodeStore>): Stores {
  const { make, hold, read, takeOver, release, carried } = stores.barcodes;
  return { ...stores, barcodes: { make, hold, read, takeOver, release, carried, ...changed } };
}

function withClaims(stores: Stores, seen: (claim: CodeClaim) => CodeClaim): Stores {
  return withBarcodes(stores, {
    read: async (codes) => {
      const read = await stores.barcodes.read(codes);
      if (read.kind === 'unknown') return read;
      const entries = Array.from(read.value, ([code, claim]) => [code, seen(claim)] as const);
      return { kind: 'found', value: new Map(entries) };
    },
  });
}

interface BarcodeMutant extends Mutation {
  readonly kind: Kind;
}

/** Against 3: whatever another SKU claims is taken over at once. */
const takesOverLiveClaims: BarcodeMutant = {
  kind: 'barcodes',
  stores: ({ stores }) => withClaims(stores, (claim) => ({ ...claim, isOver: true })),
};

/** Against 3: nobody looks whether the other SKU has the code. */
const takesOverCarriedCodes: BarcodeMutant = {
  kind: 'barcodes',
  stores: ({ stores }) =>
    withBarcodes(stores, {
      carried: () => Promise.resolve({ kind: 'found', value: new Set() }),
    }),
};

/** Against 4: a claim is given back as it stands, not as it was read. */
const givesBackClaimedAnew: BarcodeMutant = {
  kind: 'barcodes',
  stores: (database: Database) =>
    withBarcodes(database.stores, {
      release: (claims) =>
        database.stores.barcodes.release(
          claims.map((claim) => {
            const standing = database.codes.get(claim.code);
            return standing?.sku === claim.sku ? { ...standing, isOver: false } : claim;
          }),
        ),
    }),
};

export const barcodeMutants = {
  takesOverLiveClaims,
  takesOverCarriedCodes,
  givesBackClaimedAnew,
} as const satisfies Readonly<Record<string, BarcodeMutant>>;
