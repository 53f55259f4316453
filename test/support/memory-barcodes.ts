/** Claims of barcodes in memory, with the conditions of the real ones. */
import type { Instant, Sku } from '../../src/domain/ids.ts';
import { epoch } from '../../src/domain/ids.ts';
import { carries } from '../../src/domain/sku.ts';
import type { BarcodeStore, CodeClaim } from '../../src/inventory/ports.ts';
import { instant } from './actions.ts';
import { found, recorded } from './memory-records.ts';
import type { MemorySku } from './memory-skus.ts';

export type MemoryClaim = Omit<CodeClaim, 'isOver'>;

const heldMilliseconds = 5_000;
const clocksDifferMilliseconds = 5_000;

export function memoryBarcodes(
  claims: Map<string, MemoryClaim>,
  documents: ReadonlyMap<Sku, MemorySku>,
  clock: { readonly now: Instant },
): BarcodeStore {
  const held = (from: Instant): Instant => instant(Math.max(from, clock.now + heldMilliseconds));
  const isAsRead = ({ code, sku, heldBy, until }: CodeClaim): boolean => {
    const standing = claims.get(code);
    return standing?.sku === sku && standing.heldBy === heldBy && standing.until === until;
  };
  return {
    make: ({ sku, token }, codes) =>
      recorded(() => {
        for (const code of codes.filter((one) => !claims.has(one))) {
          claims.set(code, { code, sku, madeBy: token, heldBy: token, until: epoch });
        }
      }),
    hold: ({ sku, token }, codes) =>
      recorded(() => {
        for (const code of codes) {
          const standing = claims.get(code);
          if (standing?.sku === sku) {
            const madeBy = standing.heldBy === token ? standing.madeBy : null;
            claims.set(code, { ...standing, madeBy, heldBy: token, until: held(standing.until) });
          }
        }
      }),
    read: (codes) =>
      found(
        new Map(
          codes.flatMap((code) => {
            const claim = claims.get(code);
            if (claim === undefined) return [];
            const isOver = claim.until + clocksDifferMilliseconds < clock.now;
            return [[code, { ...claim, isOver }]];
          }),
        ),
      ),
    takeOver: (claim, { sku, token }) =>
      recorded(() => {
        if (!isAsRead(claim)) return;
        const { code } = claim;
        claims.set(code, { code, sku, madeBy: token, heldBy: token, until: epoch });
      }),
    release: (given) =>
      recorded(() => {
        for (const claim of given.filter(isAsRead)) claims.delete(claim.code);
      }),
    carried: (asked) =>
      found(
        new Set(
          asked
            .filter(({ code, sku }) => {
              const document = documents.get(sku);
              return document !== undefined && carries(document.state.definition, code);
            })
            .map(({ code }) => code),
        ),
      ),
  };
}
