/** Receipts and counts of a soak: their movements are the service's own, and named in the answers. */
import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { outcomeOf } from '../../test/support/http-client.ts';
import type { Desk } from './desk.ts';
import { anyOf, locations, skus } from './desk.ts';

const receiptShape = z.object({
  id: z.string(),
  status: z.string(),
  lines: z.array(
    z.object({
      sku: z.string(),
      location: z.string(),
      quantity: z.number(),
      ordinal: z.number().optional(),
      reversal: z.object({ ordinal: z.number().optional() }).optional(),
    }),
  ),
});

/** An order of three SKUs that comes in two deliveries, of which some are sent back. */
export async function receiptTask({ ask, name }: Desk): Promise<void> {
  const number = randomUUID();
  const from = randomInt(skus.length);
  const lines = [0, 1, 2].map((index) => ({
    line: index + 1,
    sku: skus[(from + index) % skus.length],
    ordered: 10,
  }));
  const orders = '/v1/purchase-orders';
  await ask({ method: 'POST', path: orders, body: { number, supplier: 'ACME', lines } });
  for (let delivery = 0; delivery < 2; delivery += 1) {
    const came = lines.map(({ line }) => ({
      line,
      location: anyOf(locations),
      quantity: 1 + randomInt(5),
    }));
    const path = `${orders}/${number}/receipts`;
    const taken = await ask({ method: 'POST', path, body: { lines: came } });
    const receipt = receiptShape.parse(taken.body);
    name(
      receipt.lines.flatMap(({ sku, location, quantity, ordinal }) =>
        ordinal === undefined ? [] : [{ sku, location, delta: quantity, ordinal }],
      ),
    );
    if (randomInt(4) > 0) continue;
    const back = await ask({ method: 'POST', path: `${path}/${receipt.id}/reverse` });
    // What came has been shipped by others meanwhile: then nothing is sent back.
    if (outcomeOf(back) === '409 insufficient-stock') continue;
    name(
      receiptShape
        .parse(back.body)
        .lines.flatMap(({ sku, location, quantity, reversal }) =>
          reversal?.ordinal === undefined
            ? []
            : [{ sku, location, delta: 0 - quantity, ordinal: reversal.ordinal }],
        ),
    );
  }
}

const countShape = z.object({
  id: z.string(),
  lines: z.array(
    z.object({
      sku: z.string(),
      location: z.string(),
      expected: z.number(),
      variance: z.number().nullish(),
      outcome: z.string().optional(),
      ordinal: z.number().optional(),
    }),
  ),
});

/** A count of two SKUs at one place, off by one here and there; where nobody else counts already. */
export async function countTask({ ask, name }: Desk): Promise<void> {
  const from = randomInt(skus.length);
  const scope = {
    locations: [anyOf(locations)],
    skus: [0, 1].map((index) => skus[(from + index) % skus.length]),
  };
  const opened = await ask({ method: 'POST', path: '/v1/stock-counts', body: scope });
  if (opened.status >= 400) return;
  const { id, lines } = countShape.parse(opened.body);
  const path = `/v1/stock-counts/${id}`;
  for (const { sku, location, expected } of lines) {
    const counted = Math.max(0, expected + anyOf([-1, 0, 0, 1]));
    await ask({ method: 'PUT', path: `${path}/lines`, body: { sku, location, counted } });
  }
  const closed = await ask({ method: 'POST', path: `${path}/close` });
  name(
    countShape
      .parse(closed.body)
      .lines.flatMap(({ sku, location, variance, outcome, ordinal }) =>
        outcome === 'adjusted' &&
        ordinal !== undefined &&
        variance !== undefined &&
        variance !== null
          ? [{ sku, location, delta: variance, ordinal }]
          : [],
      ),
  );
}
