/** The command from end to end: every SKU verified, mended where that is asked for, reported. */
import type { Sku } from '../../src/domain/ids.ts';
import { healLedger } from '../../src/inventory/heal.ts';
import type { Ports } from '../../src/inventory/ports.ts';
import type { Check } from '../../src/inventory/verify-sku.ts';
import { verifySku } from '../../src/inventory/verify-sku.ts';
import { inParallel } from '../replay/in-parallel.ts';
import type { ProgressBar } from '../replay/progress-bar.ts';
import { progressBar } from '../replay/progress-bar.ts';
import type { VerifyOptions } from './command-line.ts';
import type { Stock } from './stock.ts';
import { countClaimsWithoutEffect, countEntered, openStock, skuPages } from './stock.ts';

/** What is wrong with one SKU. */
interface Finding {
  readonly sku: Sku;
  readonly check: string;
  readonly detail: string;
}

interface Outcome {
  readonly skus: number;
  readonly findings: readonly Finding[];
  /** Ledger entries that the repair wrote. */
  readonly mended: number;
}

const skusAtOnce = 4;

/** @returns the exit code: 1 where anything is wrong. */
export async function runVerification(
  uri: string,
  database: string,
  { repair, sku }: VerifyOptions,
): Promise<number> {
  await using stock = openStock(uri, database);
  const outcome = await verifyAll(stock, { repair, ...(sku === undefined ? {} : { sku }) });
  const claims = await countClaimsWithoutEffect(stock, sku);
  process.stdout.write(`${report(outcome, claims)}\n`);
  return outcome.findings.length === 0 ? 0 : 1;
}

async function verifyAll(stock: Stock, { repair, sku }: VerifyOptions): Promise<Outcome> {
  const total = sku === undefined ? await stock.collections.skus.estimatedDocumentCount() : 1;
  const findings: Finding[] = [];
  let skus = 0;
  let mended = 0;
  using bar: ProgressBar = progressBar(total);
  for await (const page of sku === undefined ? skuPages(stock) : [[sku]]) {
    await inParallel(page, skusAtOnce, new AbortController().signal, async (one) => {
      const found = await verifyOne(stock, one);
      const isRepaired = repair && found.length > 0;
      if (isRepaired) mended += await mend(stock, one);
      findings.push(...(isRepaired ? await verifyOne(stock, one) : found));
      skus += 1;
      bar.advance(one);
    });
  }
  return { skus, findings, mended };
}

async function verifyOne({ ports, directory }: Stock, sku: Sku): Promise<readonly Finding[]> {
  const read = await verifySku(ports, directory, sku);
  switch (read.kind) {
    case 'found':
      return [
        ...read.value.checks.filter(({ ok }) => !ok).map((check) => findingOf(sku, check)),
        ...(await barcodeFindings(ports, sku)),
      ];
    case 'missing':
      return [{ sku, check: 'the SKU is known', detail: 'there is no such SKU' }];
    case 'unknown':
      return [{ sku, check: 'the SKU can be read', detail: read.cause }];
  }
}

/** A code that is not claimed for the SKU that carries it can be given to another. */
async function barcodeFindings(ports: Ports, sku: Sku): Promise<readonly Finding[]> {
  const check = 'each barcode is claimed for the SKU';
  const read = await ports.skus.read(sku, { actions: [], reservations: [], undone: [] });
  if (read.kind !== 'found') return [];
  const codes = read.value.state.definition.barcodes.map(({ code }) => code);
  if (codes.length === 0) return [];
  const claims = await ports.barcodes.read(codes);
  if (claims.kind === 'unknown') return [{ sku, check, detail: claims.cause }];
  return codes.flatMap((code) => {
    const claimed = claims.value.get(code)?.sku;
    if (claimed === sku) return [];
    return [{ sku, check, detail: `${code} is claimed for ${claimed ?? 'nobody'}` }];
  });
}

function findingOf(sku: Sku, { name, detail }: Check): Finding {
  return { sku, check: name, detail };
}

/**
 * Enters what the window has and the ledger lacks: the one fault that can be mended without
 * guessing. @returns how many entries were written.
 */
async function mend({ ports }: Stock, sku: Sku): Promise<number> {
  const read = await ports.skus.read(sku, { actions: [], reservations: [], undone: [] });
  if (read.kind !== 'found') return 0;
  const { movementCount } = read.value.state;
  const before = await countEntered(ports, sku, movementCount);
  const healed = await healLedger(ports, sku, 0, movementCount);
  const after = await countEntered(ports, sku, movementCount);
  // What could not be read or written is found again by the verification that follows.
  if (before.kind === 'unknown' || healed.kind === 'unknown' || after.kind === 'unknown') return 0;
  return after.value - before.value;
}

function report({ skus, findings, mended }: Outcome, claims: number): string {
  const wrong = new Set(findings.map(({ sku }) => sku)).size;
  return [
    ...findings.map(({ sku, check, detail }) => `${sku}: "${check}" does not hold: ${detail}`),
    ...(mended > 0 ? [`${mended} missing ledger entries were written.`] : []),
    `${claims} claims have led to no movement; that is no fault.`,
    `${skus} SKUs verified, ${wrong} of them wrong.`,
  ].join('\n');
}
