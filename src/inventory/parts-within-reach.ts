/**
 * Of what is answered, what lies within the reach of a key.
 *
 * 1. A page that loses entries so is filled from the next ones, within bounds: past them it ends
 *    short, or empty, with where the next goes on. A list neither ends early nor skips.
 */
import type { LocationId } from '../domain/ids.ts';
import type { Ok, Page, QueryAnswer } from './answer.ts';
import type { Reach, Sees } from './reach.ts';
import { unavailable } from './ticket.ts';

/** What lies within of a value; undefined where nothing does. */
type Part<T> = (value: T, sees: Sees) => T | undefined;

export interface Shape<T> {
  readonly locations: (value: T) => Iterable<LocationId>;
  readonly part: Part<T>;
}

/** @returns the parts of these that lie within, in their order. */
export async function partsOf<T>(
  reach: Reach,
  values: readonly T[],
  { locations, part }: Shape<T>,
): Promise<QueryAnswer<readonly T[]>> {
  const sees = await reach.seeing(values.flatMap((value) => Array.from(locations(value))));
  if (sees.kind === 'unknown') return unavailable(sees.cause);
  return { kind: 'ok', value: values.flatMap((value) => part(value, sees.value) ?? []) };
}

/** One value as far as it lies within; `not-found` where nothing of it does. */
export async function partOf<T>(
  reach: Reach,
  answer: QueryAnswer<T>,
  shape: Shape<T>,
): Promise<QueryAnswer<T>> {
  if (answer.kind !== 'ok') return answer;
  const parts = await partsOf(reach, [answer.value], shape);
  if (parts.kind !== 'ok') return parts;
  const [value] = parts.value;
  if (value !== undefined) return { kind: 'ok', value };
  // Not refused, but touched: whoever reads the log sees what was asked for.
  await reach.refuseBeyond(shape.locations(answer.value));
  return { kind: 'not-found' };
}

/** So many pages are read for one that is shown, and from the second on so many entries each. */
const readsLimit = 5;
const entriesAtOnce = 100;

/**
 * A page of what lies within, filled from the next ones (1).
 * @param next asks for the page behind an entry.
 */
export async function filled<T>(
  reach: Reach,
  limit: number,
  next: (after: T | undefined, limit: number) => Promise<QueryAnswer<Page<T>>>,
  shape: Shape<T>,
): Promise<QueryAnswer<Page<T>>> {
  const items: T[] = [];
  let after: T | undefined;
  for (let reads = 1; ; reads += 1) {
    const page = await next(after, reads === 1 ? limit : Math.max(limit, entriesAtOnce));
    if (page.kind !== 'ok') return page;
    const parts = await partsOf(reach, page.value.items, shape);
    if (parts.kind !== 'ok') return parts;
    items.push(...parts.value);
    const shown = items.slice(0, limit);
    after = page.value.items.at(-1);
    const more = page.value.more && after !== undefined;
    if (items.length > limit || (items.length === limit && more)) return pageOf(shown, true);
    if (!more) return pageOf(shown, false);
    if (reads === readsLimit) return pageOf(shown, true, after);
  }
}

function pageOf<T>(items: readonly T[], more: boolean, last?: T): Ok<Page<T>> {
  return { kind: 'ok', value: { items, more, ...(last !== undefined && { last }) } };
}
