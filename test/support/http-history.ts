/** What one caller sent and got, and the check that the history explains it. */
import { z } from 'zod';

export const movementShape = z.object({
  actionId: z.string(),
  sku: z.string(),
  ordinal: z.number().int(),
  type: z.string(),
  lines: z.array(z.object({ location: z.string(), delta: z.number(), onHand: z.number() })),
  reservation: z
    .object({
      id: z.string(),
      location: z.string(),
      quantity: z.number(),
      expiresAt: z.string().nullable(),
      state: z.string(),
    })
    .optional(),
  at: z.string(),
});
export type MovementBody = z.infer<typeof movementShape>;

const page = z.object({ items: z.array(movementShape), nextCursor: z.string().nullable() });

/** The whole history of a SKU as the service shows it, oldest first. */
export async function readHistory(
  get: (path: string) => Promise<{ readonly body: unknown }>,
  sku: string,
): Promise<readonly MovementBody[]> {
  const history: MovementBody[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await get(`/v1/skus/${encodeURIComponent(sku)}/movements?limit=200${query}`);
    const read = page.parse(body);
    history.push(...read.items);
    cursor = read.nextCursor;
  } while (cursor !== null);
  return history.toReversed();
}
