/** The office over HTTP: it opens, counts and closes, with goods and places of its own. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { Client, Reply } from './http-client.ts';
import { freshKey, outcomeOf } from './http-client.ts';

export interface CountClient {
  readonly makeLocations: () => Promise<void>;
  /** A SKU that nobody else has, with so much of it at each location. */
  readonly newSku: (stock?: Readonly<Record<string, number>>) => Promise<string>;
  readonly moved: (movement: object) => Promise<void>;
  readonly open: (body: unknown, key?: string) => Promise<Reply>;
  /** @returns the id of a count that has to be opened. */
  readonly opened: (body: unknown) => Promise<string>;
  readonly put: (id: string, body: unknown, key?: string) => Promise<Reply>;
  readonly end: (id: string, how: 'close' | 'cancel', key?: string) => Promise<Reply>;
  readonly show: (id: string) => Promise<Reply>;
  readonly skuOf: (sku: string) => Promise<z.output<typeof skuShape>>;
}

export const countShape = z.looseObject({
  id: z.string(),
  status: z.string(),
  lines: z.array(z.looseObject({ sku: z.string(), location: z.string() })),
});
export const idOf = (reply: Reply): string => countShape.parse(reply.body).id;

const skuShape = z.object({
  movementCount: z.number(),
  totals: z.object({ onHand: z.number(), reserved: z.number(), available: z.number() }),
});

const places = [
  ['A', 'storage'],
  ['B', 'storage'],
  ['Q', 'quarantine'],
  ['EMPTY', 'storage'],
] as const;

const pathOf = (sku: string): string => `/v1/skus/${encodeURIComponent(sku)}`;

export function countClient(client: Client): CountClient {
  let skus = 0;

  async function moved(movement: object): Promise<void> {
    expect(outcomeOf(await client.move(movement))).toBe('201');
  }

  const open = (body: unknown, key = freshKey()): Promise<Reply> =>
    client.send('POST', '/v1/stock-counts', { body, key });

  return {
    makeLocations: async () => {
      for (const [location, kind] of places) {
        const put = await client.put(`/v1/locations/${location}`, { warehouse: 'W', kind });
        expect(put.status).toBe(201);
      }
    },
    newSku: async (stock = {}) => {
      skus += 1;
      const sku = `count/${skus}`;
      expect((await client.put(pathOf(sku), { description: 'd' })).status).toBe(201);
      for (const [location, quantity] of Object.entries(stock)) {
        await moved({ type: 'receive', sku, location, quantity });
      }
      return sku;
    },
    moved,
    open,
    opened: async (body) => {
      const reply = await open(body);
      expect(outcomeOf(reply)).toBe('201');
      return idOf(reply);
    },
    put: (id, body, key) =>
      client.send('PUT', `/v1/stock-counts/${id}/lines`, {
        body,
        ...(key !== undefined && { key }),
      }),
    end: (id, how, key = freshKey()) =>
      client.send('POST', `/v1/stock-counts/${id}/${how}`, { key }),
    show: (id) => client.get(`/v1/stock-counts/${id}`),
    skuOf: async (sku) => skuShape.parse((await client.get(pathOf(sku))).body),
  };
}
