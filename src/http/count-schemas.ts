/** What requests about stock counts may say. */
import { z } from 'zod';
import { parseInstant } from '../domain/ids.ts';
import { onHandLimit, parseOnHand } from '../domain/quantity.ts';
import {
  countLinesLimit,
  countLocationsLimit,
  countStatuses,
  parseCountId,
} from '../domain/stock-count.ts';
import { every, refuseUnlessDue, timeZone } from './recurring.ts';
import { instant, locationId, number, page, skuId, string, through } from './schemas.ts';

/** Any text for the id: the service makes ids, so what is none of its names no count. */
export const countPath = z.strictObject({ id: string });

function eachOnce(
  member: 'locations' | 'skus',
): (
  body: { readonly locations: readonly string[]; readonly skus?: readonly string[] },
  context: z.RefinementCtx,
) => void {
  return (body, context) => {
    const seen = new Set<string>();
    for (const [index, name] of (body[member] ?? []).entries()) {
      const path = [member, index];
      if (seen.has(name)) context.addIssue({ code: 'custom', path, message: 'is listed twice' });
      seen.add(name);
    }
  };
}

const scopeMembers = {
  locations: z.array(locationId).min(1).max(countLocationsLimit),
  skus: z.array(skuId).min(1).max(countLinesLimit).exactOptional(),
  blind: z.boolean('must be true or false').default(false),
};

function fewEnough(
  {
    locations,
    skus = [],
  }: { readonly locations: readonly string[]; readonly skus?: readonly string[] },
  context: z.RefinementCtx,
): void {
  if (locations.length * skus.length <= countLinesLimit) return;
  const message = `makes more than ${countLinesLimit} lines with these locations`;
  context.addIssue({ code: 'custom', path: ['skus'], message });
}

export const countBody = z
  .strictObject(scopeMembers)
  .superRefine(eachOnce('locations'))
  .superRefine(eachOnce('skus'))
  .superRefine(fewEnough);

const cycleName = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export const cycleCountPath = z.strictObject({
  name: string.regex(cycleName, `must match ${cycleName.source}`),
});

/** What is counted, and when: the first time, and how often from then on. */
export const cycleCountBody = z
  .strictObject({
    ...scopeMembers,
    at: instant.exactOptional(),
    every,
    timeZone: timeZone.exactOptional(),
  })
  .superRefine(eachOnce('locations'))
  .superRefine(eachOnce('skus'))
  .superRefine(fewEnough)
  .superRefine(({ at, every, timeZone }, context) => {
    const recurring = { every, ...(timeZone !== undefined && { timeZone }) };
    refuseUnlessDue(at, recurring, (member, message) => {
      context.addIssue({ code: 'custom', path: [member], message });
    });
  });

export const countLineBody = z.strictObject({
  sku: skuId,
  location: locationId,
  /** null: not counted after all. JSON has a negative zero, stock has not. */
  counted: through(
    number,
    (value) => parseOnHand(value + 0),
    `must be a whole number from 0 to ${onHandLimit}, or null`,
  )
    .meta({ type: 'integer', minimum: 0, maximum: onHandLimit })
    .nullable(),
  asOfOrdinal: number
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .transform((value) => value + 0)
    .exactOptional(),
});

/** Nothing is said of an end. */
export const countEndBody = z.strictObject({});

export const countsQuery = z.strictObject({
  ...page,
  status: z.enum(countStatuses).exactOptional(),
});

/** A count's place among all, as a cursor holds it. */
export const countPlace = z.strictObject({
  at: through(number, parseInstant, 'must be milliseconds'),
  id: through(string, parseCountId, 'must be the id of a count'),
});
