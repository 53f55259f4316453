/**
 * What a scanned or typed code says.
 *
 * 1. A GTIN has 8, 12, 13 or 14 digits and is compared as 14, with zeros in front (GS1 General
 *    Specifications, 3.3). Its last digit checks the others (7.9).
 * 2. An element string is read whether its FNC1 arrives as a group separator or not, with or
 *    without the symbology identifier, and as printed, with application identifiers in brackets.
 * 3. Digits that look like a GTIN but do not check may be a code of the warehouse's own.
 */
import { parseBarcode } from 'gs1-barcode-parser-mod';

export type Code =
  | {
      readonly kind: 'gtin';
      /** 14 digits. */
      readonly gtin: string;
      readonly lot?: string;
      /** `YYYY-MM-DD`. */
      readonly expiry?: string;
      readonly quantity?: number;
    }
  | { readonly kind: 'plain'; readonly code: string }
  | { readonly kind: 'misread' };

const separator = '\u001d';
const shortest = 8;
const lengths: readonly number[] = [shortest, 12, 13, 14];

export function readCode(scanned: string): Code {
  const text = scanned.trim();
  if (isElementString(text)) return readElements(text);
  return isGtin(text) ? { kind: 'gtin', gtin: widened(text) } : { kind: 'plain', code: text };
}

/** The ways in which a GTIN may have been written down, the longest first. */
export function writtenForms(gtin: string): readonly string[] {
  return lengths
    .toReversed()
    .filter((length) => /^0*$/.test(gtin.slice(0, gtin.length - length)))
    .map((length) => gtin.slice(-length));
}

/** One form for what may be written in several, so that they are found as one. */
export function normalised(code: string): string {
  return isGtin(code) ? widened(code) : code;
}

function widened(gtin: string): string {
  return gtin.padStart(14, '0');
}

function isGtin(text: string): boolean {
  return lengths.includes(text.length) && /^\d+$/.test(text) && checks(text);
}

/** Digits weigh 3 and 1 in turn, from the right; the check digit makes the sum a multiple of 10. */
function checks(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

function isElementString(text: string): boolean {
  return /^\][A-Za-z]\d/.test(text) || text.includes(separator) || /^\(?01\)?\d{14}/.test(text);
}

function readElements(text: string): Code {
  const data = new Map(elementsOf(text).map(({ ai, data: value }) => [ai, value]));
  const gtin = data.get('01') ?? data.get('02');
  if (gtin === undefined || !isGtin(gtin)) return { kind: 'misread' };
  const lot = data.get('10');
  const expiry = data.get('17');
  const quantity = Number(data.get('30') ?? data.get('37'));
  return {
    kind: 'gtin',
    gtin: widened(gtin),
    ...(lot === undefined ? {} : { lot }),
    ...(expiry === undefined ? {} : { expiry }),
    ...(Number.isSafeInteger(quantity) && quantity > 0 ? { quantity } : {}),
  };
}

interface Element {
  readonly ai: string;
  readonly data: string;
}

function elementsOf(text: string): readonly Element[] {
  // As printed, a bracket stands where the code has a separator.
  const coded = text.startsWith('(') ? text.replaceAll('(', separator).replaceAll(')', '') : text;
  const begun = coded.startsWith(separator) ? coded.slice(1) : coded;
  try {
    const { parsedCodeItems } = parseBarcode(begun);
    return parsedCodeItems.map(({ ai, data, isoDate }) => ({ ai, data: isoDate || String(data) }));
  } catch {
    // The parser throws on what is no element string.
    return [];
  }
}
