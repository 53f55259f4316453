/** What has to hold of barcodes, at every moment. */
import type { Sku } from '../../src/domain/ids.ts';
import type { MemoryClaim } from '../support/memory-barcodes.ts';
import type { MemorySku } from '../support/memory-skus.ts';

/** No code stands in two documents, and each that stands in one is claimed for it. */
export function codeFaults(
  skus: ReadonlyMap<Sku, Pick<MemorySku, 'state'>>,
  claims: ReadonlyMap<string, MemoryClaim>,
): readonly string[] {
  const owners = new Map<string, Sku>();
  const faults: string[] = [];
  for (const { state } of skus.values()) {
    for (const { code } of state.definition.barcodes) {
      const other = owners.get(code);
      if (other !== undefined) faults.push(`10: ${code} belongs to ${other} and ${state.sku}`);
      owners.set(code, state.sku);
      const claimed = claims.get(code)?.sku;
      if (claimed !== state.sku) {
        faults.push(`10: ${code} stands on ${state.sku} and is claimed for ${claimed ?? 'nobody'}`);
      }
    }
  }
  return faults;
}
