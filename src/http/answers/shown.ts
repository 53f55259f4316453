/** What the schemas of answers share. They say what views show; nothing is parsed with them. */
import { z } from 'zod';

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What a view has to give, so that no answer drifts from what the document says of it. */
export type Shown<S extends z.ZodType> = DeepReadonly<z.output<S>>;

/** RFC 3339 with milliseconds, in UTC. */
export const instantShown = z.iso.datetime({ precision: 3 });
/** A whole number of base units. */
export const units = z.int();
export const version = z
  .int()
  .min(0)
  .meta({ description: 'Grows with each change; `If-Match` takes it.' });
export const ordinal = z
  .int()
  .min(1)
  .meta({ description: 'The place of a movement in the whole history of its SKU.' });

export function pageShown<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable().meta({
      description:
        'Where the list goes on; null on its last page. A page before that may be short, or empty for a key with warehouses.',
    }),
  });
}
