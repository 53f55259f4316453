/** Quantities: whole numbers of a SKU's base unit. Nothing here rounds. */
import type { Brand } from './ids.ts';

/** 1 to 1,000,000,000 base units: what one line moves. */
export type Quantity = Brand<number, 'Quantity'>;
/** A signed quantity, never 0. */
export type Delta = Brand<number, 'Delta'>;
/** 0 to 1,000,000,000,000 base units: what stands at a location. */
export type OnHand = Brand<number, 'OnHand'>;
/** 2 to 1,000,000 base units: what a pack contains. */
export type PackSize = Brand<number, 'PackSize'>;

export const quantityLimit = 1_000_000_000;
export const onHandLimit = 1_000_000_000_000;
export const packSizeLimit = 1_000_000;

export const nothing = 0 as OnHand;

export function parseQuantity(value: number): Quantity | undefined {
  return Number.isInteger(value) && value >= 1 && value <= quantityLimit
    ? (value as Quantity)
    : undefined;
}

export function parseDelta(value: number): Delta | undefined {
  return Number.isInteger(value) && value !== 0 && Math.abs(value) <= quantityLimit
    ? (value as Delta)
    : undefined;
}

export function parseOnHand(value: number): OnHand | undefined {
  return Number.isInteger(value) && value >= 0 && value <= onHandLimit
    ? (value as OnHand)
    : undefined;
}

export function parsePackSize(value: number): PackSize | undefined {
  return Number.isInteger(value) && value >= 2 && value <= packSizeLimit
    ? (value as PackSize)
    : undefined;
}

/** `quantity` packs in base units. The largest product, 10^15, is still exact. */
export function unpack(quantity: Quantity, contains: PackSize): Quantity | undefined {
  return parseQuantity(quantity * contains);
}

export function incoming(quantity: Quantity): Delta {
  return (0 + quantity) as Delta;
}

export function outgoing(quantity: Quantity): Delta {
  return (0 - quantity) as Delta;
}

export function opposite(delta: Delta): Delta {
  return (0 - delta) as Delta;
}

/** What is left of a quantity; undefined where nothing is. */
export function difference(whole: Quantity, part: Quantity): Quantity | undefined {
  return parseQuantity(whole - part);
}

/**
 * What a count found beyond what was on hand; undefined where it is the same. It may be as much as
 * a level holds: nobody ordered it, so the limit of a line is not its own.
 */
export function variance(counted: OnHand, onHand: OnHand): Delta | undefined {
  const delta = counted - onHand;
  return delta === 0 ? undefined : (delta as Delta);
}
