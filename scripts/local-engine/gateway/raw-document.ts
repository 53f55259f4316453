/**
 * BSON documents read and cut at their top level only, as bytes. A command passes through the
 * gateway without being decoded, so every value keeps its exact type and no time goes into
 * building objects that nobody looks at.
 */

/** Thrown for bytes that are no BSON document. */
export class MalformedDocument extends Error {
  override readonly name = 'MalformedDocument';
}

/** One top-level element: where it starts, where its value starts, where it ends. */
export interface RawElement {
  readonly name: string;
  readonly type: number;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

const DOUBLE = 0x01;
const STRING = 0x02;
const BOOLEAN = 0x08;
const INT32 = 0x10;
const INT64 = 0x12;

const FIXED_SIZES: ReadonlyMap<number, number> = new Map([
  [DOUBLE, 8],
  [0x06, 0],
  [0x07, 12],
  [BOOLEAN, 1],
  [0x09, 8],
  [0x0a, 0],
  [INT32, 4],
  [0x11, 8],
  [INT64, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0],
]);

/** The length a document claims, checked against the bytes there are. */
export function documentLength(bytes: Buffer, offset: number): number {
  if (offset + 5 > bytes.length) throw new MalformedDocument('document is cut short');
  const length = bytes.readInt32LE(offset);
  if (length < 5 || offset + length > bytes.length) {
    throw new MalformedDocument(`document claims ${length} bytes`);
  }
  if (bytes[offset + length - 1] !== 0) throw new MalformedDocument('document has no end mark');
  return length;
}

/** The top-level elements of a document that fills `bytes` exactly. */
export function readElements(bytes: Buffer): RawElement[] {
  if (documentLength(bytes, 0) !== bytes.length) {
    throw new MalformedDocument('document is followed by other bytes');
  }
  const elements: RawElement[] = [];
  const last = bytes.length - 1;
  let at = 4;
  while (at < last) {
    const type = bytes.readUInt8(at);
    const nameEnd = endOfCString(bytes, at + 1, last);
    const end = nameEnd + valueSize(bytes, type, nameEnd, last);
    if (end > last) throw new MalformedDocument('element reaches past its document');
    const name = bytes.toString('utf8', at + 1, nameEnd - 1);
    elements.push({ name, type, start: at, valueStart: nameEnd, end });
    at = end;
  }
  return elements;
}

function endOfCString(bytes: Buffer, from: number, limit: number): number {
  const zero = bytes.indexOf(0, from);
  if (zero < 0 || zero >= limit) throw new MalformedDocument('name has no end');
  return zero + 1;
}

function valueSize(bytes: Buffer, type: number, at: number, limit: number): number {
  const fixed = FIXED_SIZES.get(type);
  if (fixed !== undefined) return fixed;
  if (type === 0x0b) return endOfCString(bytes, endOfCString(bytes, at, limit), limit) - at;
  const claimed = lengthField(bytes, at, limit);
  switch (type) {
    case STRING:
    case 0x0d:
    case 0x0e:
      return 4 + claimed;
    case 0x03:
    case 0x04:
      return documentLength(bytes, at);
    case 0x05:
      return 5 + claimed;
    case 0x0c:
      return 4 + claimed + 12;
    case 0x0f:
      return claimed;
    default:
      throw new MalformedDocument(`unknown element type ${type}`);
  }
}

function lengthField(bytes: Buffer, at: number, limit: number): number {
  if (at + 4 > limit) throw new MalformedDocument('length is cut short');
  const length = bytes.readInt32LE(at);
  if (length < 0) throw new MalformedDocument('negative length');
  return length;
}

/** The same document without the named fields; the same bytes when there is nothing to cut. */
export function withoutFields(
  bytes: Buffer,
  elements: readonly RawElement[],
  names: ReadonlySet<string>,
): Buffer {
  const parts: Buffer[] = [];
  let keptFrom = 4;
  for (const element of elements) {
    if (!names.has(element.name)) continue;
    if (element.start > keptFrom) parts.push(bytes.subarray(keptFrom, element.start));
    keptFrom = element.end;
  }
  if (keptFrom === 4) return bytes;
  parts.push(bytes.subarray(keptFrom));
  const length = Buffer.alloc(4);
  const whole = Buffer.concat([length, ...parts]);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}

/** A string value, or undefined for any other type. */
export function stringValue(bytes: Buffer, element: RawElement): string | undefined {
  if (element.type !== STRING) return undefined;
  return bytes.toString('utf8', element.valueStart + 4, element.end - 1);
}

/** A number of any BSON integer or double type, or undefined for any other type. */
export function numberValue(bytes: Buffer, element: RawElement): number | undefined {
  switch (element.type) {
    case INT32:
      return bytes.readInt32LE(element.valueStart);
    case DOUBLE:
      return bytes.readDoubleLE(element.valueStart);
    case INT64:
      return Number(bytes.readBigInt64LE(element.valueStart));
    default:
      return undefined;
  }
}

/** A 64-bit integer whatever integer type it was sent as: cursor ids come as either. */
export function bigintValue(bytes: Buffer, element: RawElement): bigint | undefined {
  if (element.type === INT64) return bytes.readBigInt64LE(element.valueStart);
  const number = numberValue(bytes, element);
  return number !== undefined && Number.isSafeInteger(number) ? BigInt(number) : undefined;
}
