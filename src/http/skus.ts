/** SKUs over HTTP: what they are and what stands where. */
import { z } from 'zod';
import type { ActionAnswer, DefinedSku, SkuView } from '../inventory/answer.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { DefinitionShown, SkuShown } from './answers/stock.ts';
import { jsonBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { etag } from './if-match.ts';
import { instantText, instantTextOrNull } from './instant-text.ts';
import { ifVersionOf } from './precondition.ts';
import type { Reply } from './reply.ts';
import { changed, declined, found, pageOf, problem, queried } from './reply.ts';
import { barcodePath, noQuery, skuBody, skuId, skuPath, skusQuery } from './schemas.ts';

export function skuEndpoints(inventory: Inventory): readonly Endpoint[] {
  return [put(inventory), show(inventory), list(inventory), byBarcode(inventory)];
}

function put(inventory: Inventory): Endpoint {
  const body = jsonBody(skuBody);
  return changing({
    method: 'PUT',
    path: '/v1/skus/{sku}',
    params: skuPath,
    body,
    key: 'optional',
    answer: async ({ params: { sku }, body, ifMatch, action }) => {
      const condition = await ifVersionOf(ifMatch, () => inventory.sku(sku));
      if (!condition.ok) return problem(condition.problem);
      const change = { type: 'define', definition: body, ...condition.value } as const;
      return definedReply(await inventory.post({ ...action, sku, change }));
    },
  });
}

function definedReply(answer: ActionAnswer): Reply {
  switch (answer.kind) {
    case 'defined':
      return changed(definitionView(answer.defined), answer, etag(answer.defined.version));
    case 'refused':
    case 'unavailable':
      return declined(answer);
    case 'moved':
      throw new TypeError('a definition was answered with a movement');
  }
}

function show(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/skus/{sku}',
    params: skuPath,
    query: noQuery,
    answer: async ({ params }) =>
      queried(await inventory.sku(params.sku), (sku) => found(skuView(sku), etag(sku.version))),
  });
}

function list(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/skus',
    params: z.strictObject({}),
    query: skusQuery,
    answer: async ({ query: { limit, cursor, q, warehouse } }) => {
      const skus = listOf('skus', { q, warehouse }, skuId);
      const after = readCursor(skus, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = {
        limit,
        ...(q !== undefined && { contains: q }),
        ...(warehouse !== undefined && { warehouse }),
        ...(after.value !== undefined && { after: after.value }),
      };
      return queried(await inventory.skus(asked), (page) =>
        pageOf(page, skus, ({ sku }) => sku, skuView),
      );
    },
  });
}

/** The SKU, and which of its units the code stands on: a case is not a piece. */
function byBarcode(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/barcodes/{code}',
    params: barcodePath,
    query: noQuery,
    answer: async ({ params: { code } }) =>
      queried(await inventory.skuByBarcode(code), (sku) => {
        const { barcodes, baseUnit } = sku.definition;
        const unit = barcodes.find((barcode) => barcode.code === code)?.unit ?? baseUnit;
        return found({ ...skuView(sku), barcode: { code, unit } }, etag(sku.version));
      }),
  });
}

function definitionView({ sku, definition, version }: DefinedSku): DefinitionShown {
  const { description, baseUnit, packs, barcodes, reorderPoint, status } = definition;
  return {
    sku,
    description,
    baseUnit,
    packs,
    barcodes,
    ...(reorderPoint !== undefined && { reorderPoint }),
    status,
    version,
  };
}

function skuView(view: SkuView): SkuShown {
  const { lastActionId, movementCount, totals, levels, reservations, asOf } = view;
  return {
    ...definitionView(view),
    lastActionId,
    movementCount,
    totals,
    levels,
    reservations: reservations.map(({ expiresAt, ...reservation }) => ({
      ...reservation,
      expiresAt: instantTextOrNull(expiresAt),
    })),
    asOf: instantText(asOf),
  };
}
