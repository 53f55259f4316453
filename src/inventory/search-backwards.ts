/**
 * Searching the ledger from the newest movement back, slice of time by slice of time.
 *
 * 1. Not every engine reads an index in the order of a sort: one that does not sorts all that a
 *    query spans, which on a long ledger takes longer than a query may. A slice bounds the span.
 * 2. Instants are whole milliseconds, and each slice ends one before the next newer one begins: no
 *    movement is skipped, none comes twice.
 * 3. The stride follows what the last slice cost beyond the asking: much longer where that was
 *    little, shorter where it was much, and no longer than twice what a page took up where the
 *    slice held more than the page.
 */
import type { Instant } from '../domain/ids.ts';
import { epoch, parseInstant } from '../domain/ids.ts';
import type { Movement } from '../domain/movement.ts';
import type { MovementSearch, Ports, Read } from './ports.ts';

/** How far the next slice reaches back. Pages that follow each other share one. */
export interface Stride {
  milliseconds: number;
  /** What the cheapest slice cost: what asking costs at all. */
  leastCost: number;
}

const shortest = 1_000;
const first = 10_000;

/** What a slice may cost beyond the asking, in milliseconds of this process's clock. */
const cheap = 50;
const dear = 500;

export function firstStride(): Stride {
  return { milliseconds: first, leastCost: Infinity };
}

/** The newest movements that match, up to `limit`. */
export async function searchBackwards(
  { ledger, timer }: Pick<Ports, 'ledger' | 'timer'>,
  query: MovementSearch,
  stride: Stride,
): Promise<Read<readonly Movement[]>> {
  const oldest = query.from ?? epoch;
  const found: Movement[] = [];
  let to = newestOf(query);
  let mayFail = true;
  while (to >= oldest) {
    const from = instantBefore(to, stride.milliseconds - 1, oldest);
    const limit = query.limit - found.length;
    const startedAt = timer.monotonic();
    const read = await ledger.search({ ...query, from, to, limit });
    if (read.kind === 'unknown') {
      // A slice that was too long is not answered in time; a short one will be.
      if (!mayFail || stride.milliseconds === shortest) return read;
      mayFail = false;
      stride.milliseconds = shortest;
      continue;
    }
    found.push(...read.value);
    const last = read.value.at(-1);
    adapt(stride, timer.monotonic() - startedAt);
    if (read.value.length === limit && last !== undefined) {
      stride.milliseconds = Math.min(stride.milliseconds, strideOver(to - last.at));
      break;
    }
    if (from === oldest) break;
    to = instantBefore(from, 1, oldest);
  }
  return { kind: 'found', value: found };
}

function newestOf({ to, after }: MovementSearch): Instant {
  return after !== undefined && after.at < to ? after.at : to;
}

/** @param notBefore the instant that is never passed. */
function instantBefore(instant: Instant, milliseconds: number, notBefore: Instant): Instant {
  const earlier = parseInstant(instant - milliseconds);
  return earlier === undefined || earlier < notBefore ? notBefore : earlier;
}

/** By 3. */
function adapt(stride: Stride, cost: number): void {
  stride.leastCost = Math.min(stride.leastCost, cost);
  const more = cost - stride.leastCost;
  if (more < cheap) stride.milliseconds *= 8;
  else if (more < dear) stride.milliseconds *= 2;
  else stride.milliseconds = Math.max(shortest, Math.ceil(stride.milliseconds / 4));
}

function strideOver(span: number): number {
  return Math.max(shortest, 2 * span);
}
