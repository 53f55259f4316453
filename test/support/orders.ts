/** Orders and receipts over HTTP, as tests write and read them. */
import { z } from 'zod';
import type { Client, Reply } from './http-client.ts';
import { freshKey } from './http-client.ts';

const orderLine = z.object({
  line: z.number(),
  sku: z.string(),
  ordered: z.number(),
  received: z.number(),
  remaining: z.number(),
  status: z.string(),
});

export const orderShape = z.object({
  number: z.string(),
  supplier: z.string(),
  status: z.string(),
  lines: z.array(orderLine),
});

export const receiptShape = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  lines: z.array(
    z.looseObject({
      line: z.number(),
      sku: z.string(),
      location: z.string(),
      quantity: z.number(),
      ordinal: z.number().optional(),
      status: z.string().optional(),
      code: z.string().optional(),
    }),
  ),
});

const skuShape = z.object({
  movementCount: z.number(),
  totals: z.object({ onHand: z.number() }),
});

export interface OrderClient {
  readonly create: (body: unknown, key?: string) => Promise<Reply>;
  readonly receive: (number: string, body: unknown, key?: string) => Promise<Reply>;
  readonly post: (path: string, body?: unknown, key?: string) => Promise<Reply>;
  readonly order: (number: string) => Promise<z.output<typeof orderShape>>;
  readonly stock: (sku: string) => Promise<z.output<typeof skuShape>>;
  /** A SKU, and an order of so many of it in line 1. */
  readonly orderOf: (
    number: string,
    ordered: number,
    more?: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
}

export function orderClient(client: Client): OrderClient {
  const post = (path: string, body: unknown = {}, key = freshKey()): Promise<Reply> =>
    client.send('POST', path, { body, key });
  const create = (body: unknown, key?: string): Promise<Reply> =>
    post('/v1/purchase-orders', body, key);
  return {
    post,
    create,
    receive: (number, body, key) => post(`${pathOf(number)}/receipts`, body, key),
    order: async (number) => orderShape.parse((await client.get(pathOf(number))).body),
    stock: async (sku) =>
      skuShape.parse((await client.get(`/v1/skus/${encodeURIComponent(sku)}`)).body),
    orderOf: async (number, ordered, more = {}) => {
      const sku = skuOf(number);
      await client.put(`/v1/skus/${sku}`, {
        description: 'd',
        packs: [{ unit: 'case', contains: 12 }],
      });
      const lines = [{ line: 1, sku, ordered }];
      const made = await create({ number, supplier: 'ACME', lines, ...more });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    },
  };
}

export function pathOf(number: string): string {
  return `/v1/purchase-orders/${encodeURIComponent(number)}`;
}

/** The SKU that `orderOf` makes along with an order. */
export function skuOf(number: string): string {
  return `sku-${number}`;
}

/** A receipt of one line, into A1. */
export function units(
  quantity: number,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { lines: [{ line: 1, location: 'A1', quantity, ...more }] };
}
