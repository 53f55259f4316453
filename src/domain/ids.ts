/** Identifiers. Each is parsed once, where text enters; past that point the type is the proof. */

declare const brand: unique symbol;
/** A value of T that went through the one parse that makes a B. */
export type Brand<T, B extends string> = T & { readonly [brand]: B };

export type Sku = Brand<string, 'Sku'>;
/** Of a purchase order. */
export type OrderNumber = Brand<string, 'OrderNumber'>;
export type LocationId = Brand<string, 'LocationId'>;
export type WarehouseId = Brand<string, 'WarehouseId'>;
/** API key name + `/` + the caller's key; one that begins with `~` is the service's own. */
export type ActionId = Brand<string, 'ActionId'>;
/** Who acts: the API key's name. */
export type Actor = Brand<string, 'Actor'>;
/** SHA-256 of what a request asks for; two requests with one digest are the same request. */
export type Digest = Brand<string, 'Digest'>;
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Brand<number, 'Instant'>;

const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const outerSpace = /^\s|\s$/u;
const placeId = /^[A-Z0-9][A-Z0-9_-]{0,31}$/;
const actorName = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const idempotencyKey = /^[\x21-\x7e]{1,255}$/;

const skuLength = 64;

/** The service itself, where it moves something on its own account. */
export const service = '~stockroom' as Actor;
/** Under whose name the alarms of sagas stand. */
export const sagaActor = '~saga' as Actor;
/** Under whose name the webhook is told which holds have lapsed. */
export const holdsActor = '~holds' as Actor;
/** Under whose name the service looks after what was left behind. */
export const reconcileActor = '~reconcile' as Actor;
/** Under whose name the counts stand that are opened again and again. */
export const cycleCountActor = '~cycle-count' as Actor;

/** The beginning of time, for a decision that no clock can change. */
export const epoch = 0 as Instant;

/** Text without a lone surrogate; such text has no UTF-8 form. */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

/** Length in bytes of well-formed text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * 1–64 code points after NFC, printable, no white space at either end, not `.` or `..`, which a
 * URL would swallow. Composed and decomposed spellings are one SKU; case and zeros count.
 */
export function parseSku(text: string): Sku | undefined {
  if (!isWellFormed(text)) return undefined;
  const sku = text.normalize('NFC');
  const length = Array.from(sku).length;
  if (length < 1 || length > skuLength) return undefined;
  if (unprintable.test(sku) || outerSpace.test(sku)) return undefined;
  if (sku === '.' || sku === '..') return undefined;
  return sku as Sku;
}

/** By the rule of SKUs: 1–64 printable code points after NFC, compared exactly. */
export function parseOrderNumber(text: string): OrderNumber | undefined {
  const number: string | undefined = parseSku(text);
  return number === undefined ? undefined : (number as OrderNumber);
}

export function parseLocationId(text: string): LocationId | undefined {
  return placeId.test(text) ? (text as LocationId) : undefined;
}

export function parseWarehouseId(text: string): WarehouseId | undefined {
  return placeId.test(text) ? (text as WarehouseId) : undefined;
}

export function parseActor(text: string): Actor | undefined {
  return actorName.test(text) ? (text as Actor) : undefined;
}

/** The caller's key, 1–255 visible ASCII characters, made one caller's own. */
export function parseActionId(actor: Actor, key: string): ActionId | undefined {
  return idempotencyKey.test(key) ? (`${actor}/${key}` as ActionId) : undefined;
}

/** An action of the service itself, which no caller's key can equal: no actor begins with `~`. */
export function serviceActionId(kind: string, name: string): ActionId {
  return `~${kind}/${name}` as ActionId;
}

/** @param milliseconds since the epoch, a whole number that JavaScript's dates can hold. */
export function parseInstant(milliseconds: number): Instant | undefined {
  return Number.isInteger(milliseconds) && Math.abs(milliseconds) <= 8.64e15
    ? (milliseconds as Instant)
    : undefined;
}
