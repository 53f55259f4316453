/** What has to hold of barcodes, at every moment. */
import type { Sku } from '../../src/domain/ids.ts';
import type { MemoryClaim } from '../support/memory-barcodes.ts';
import type { MemorySku } from '../support/memory-skus.ts';
import type { Sending } from './clients.ts';
import type { Database } from './database.ts';

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
