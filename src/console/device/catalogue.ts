/** The SKUs, codes and locations of the holder's warehouses, kept for when there is no network. */
import { ask, askAll } from '../api.ts';
import { normalised, writtenForms } from '../scanner/code.ts';
import { session } from '../session.ts';
import type { KnownCode, KnownLocation, KnownSku } from './database.ts';
import { deviceDatabase } from './database.ts';

const freshMs = 10 * 60_000;

/** Fetches everything anew where the last copy is old or another holder's; on failure keeps it. */
export async function refreshCatalogue(): Promise<void> {
  const holder = session.value?.name;
  if (holder === undefined) return;
  const database = await deviceDatabase();
  const copied = await database.get('facts', 'catalogue');
  if (copied !== undefined) {
    const [whose, at] = copied.split('\n');
    if (whose === holder && Date.now() - Number(at) < freshMs) return;
  }
  const [skus, locations] = await Promise.all([
    askAll<KnownSku>('/v1/skus'),
    askAll<KnownLocation & { readonly retiredAt?: string }>('/v1/locations'),
  ]);
  if (skus.kind !== 'ok' || locations.kind !== 'ok') return;
  const writing = database.transaction(['skus', 'codes', 'locations', 'facts'], 'readwrite');
  const stores = {
    skus: writing.objectStore('skus'),
    codes: writing.objectStore('codes'),
    locations: writing.objectStore('locations'),
  };
  await Promise.all([stores.skus.clear(), stores.codes.clear(), stores.locations.clear()]);
  await Promise.all([
    ...skus.value.map(({ sku, description, baseUnit, packs, barcodes }) =>
      stores.skus.put({ sku, description, baseUnit, packs, barcodes }),
    ),
    ...skus.value.flatMap(codesOf).map((code) => stores.codes.put(code)),
    ...locations.value
      .filter(({ retiredAt }) => retiredAt === undefined)
      .map(({ location, warehouse, kind }) => stores.locations.put({ location, warehouse, kind })),
    writing.objectStore('facts').put(`${holder}\n${Date.now()}`, 'catalogue'),
    writing.done,
  ]);
}

function codesOf({ sku, baseUnit, barcodes }: KnownSku): readonly KnownCode[] {
  return barcodes.map(({ code, unit = baseUnit }) => ({ code: normalised(code), sku, unit }));
}

export interface Recognised {
  readonly sku: KnownSku;
  readonly unit: string;
}

/**
 * The SKU and the pack behind a code, or the SKU of that name: from the device, else from the
 * service, which may know newer ones.
 */
export async function recognise(code: string): Promise<Recognised | undefined> {
  const database = await deviceDatabase();
  const known = await database.get('codes', code);
  const sku = await database.get('skus', known?.sku ?? code);
  if (sku !== undefined) return { sku, unit: known?.unit ?? sku.baseUnit };
  for (const form of /^\d{14}$/.test(code) ? writtenForms(code) : [code]) {
    const answer = await ask<KnownSku & { readonly barcode: { readonly unit: string } }>(
      `/v1/barcodes/${encodeURIComponent(form)}`,
    );
    if (answer.kind === 'ok') return { sku: answer.value, unit: answer.value.barcode.unit };
    if (answer.kind === 'unreachable') return undefined;
  }
  const named = await ask<KnownSku>(`/v1/skus/${encodeURIComponent(code)}`);
  return named.kind === 'ok' ? { sku: named.value, unit: named.value.baseUnit } : undefined;
}

export async function knownLocations(): Promise<readonly KnownLocation[]> {
  return (await deviceDatabase()).getAll('locations');
}
