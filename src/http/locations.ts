/** Locations over HTTP. */
import { z } from 'zod';
import type { Location } from '../domain/location.ts';
import type { LocationAnswer, StandingStock } from '../inventory/answer.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { LocationShown, StandingShown } from './answers/stock.ts';
import { jsonBody, noBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { etag } from './if-match.ts';
import { ifVersionOf } from './precondition.ts';
import type { Reply } from './reply.ts';
import { changed, declined, found, notFound, pageOf, problem, queried } from './reply.ts';
import {
  locationBody,
  locationId,
  locationPath,
  locationsQuery,
  noQuery,
  pageQuery,
  skuId,
} from './schemas.ts';
import { instantText } from './instant-text.ts';

export function locationEndpoints(inventory: Inventory): readonly Endpoint[] {
  return [
    put(inventory),
    retire(inventory),
    reading({
      path: '/v1/locations/{location}',
      params: locationPath,
      query: noQuery,
      answer: async ({ params }) =>
        queried(await inventory.location(params.location), (location) =>
          found(locationView(location), etag(location.version)),
        ),
    }),
    list(inventory),
    stock(inventory),
  ];
}

function put(inventory: Inventory): Endpoint {
  const body = jsonBody(locationBody);
  return changing({
    method: 'PUT',
    path: '/v1/locations/{location}',
    params: locationPath,
    body,
    key: 'optional',
    answer: async ({ params: { location }, body, ifMatch, action }) => {
      const condition = await ifVersionOf(ifMatch, () => inventory.location(location));
      if (!condition.ok) return problem(condition.problem);
      const { actionId, operation, digest } = action;
      const change = { actionId, operation, digest, location, ...condition.value };
      return locationReply(await inventory.putLocation(change, body));
    },
  });
}

function retire(inventory: Inventory): Endpoint {
  return changing({
    method: 'DELETE',
    path: '/v1/locations/{location}',
    params: locationPath,
    body: noBody,
    key: 'optional',
    answer: async ({ params: { location }, ifMatch, action }) => {
      const condition = await ifVersionOf(ifMatch, () => inventory.location(location));
      if (!condition.ok) return problem(condition.problem);
      const { actionId, operation, digest } = action;
      const change = { actionId, operation, digest, location, ...condition.value };
      return locationReply(await inventory.retireLocation(change));
    },
  });
}

function locationReply(answer: LocationAnswer): Reply {
  switch (answer.kind) {
    case 'location':
      return changed(locationView(answer.location), answer, etag(answer.location.version));
    case 'not-found':
      return notFound;
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

function list(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/locations',
    params: z.strictObject({}),
    query: locationsQuery,
    answer: async ({ query: { limit, cursor, ...filters } }) => {
      const locations = listOf('locations', filters, locationId);
      const after = readCursor(locations, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { ...filters, limit, ...(after.value && { after: after.value }) };
      return queried(await inventory.locations(asked), (page) =>
        pageOf(page, locations, ({ location }) => location, locationView),
      );
    },
  });
}

function stock(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/locations/{location}/stock',
    params: locationPath,
    query: pageQuery,
    answer: async ({ params: { location }, query: { limit, cursor } }) => {
      const standing = listOf('stock', { location }, skuId);
      const after = readCursor(standing, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { limit, ...(after.value && { after: after.value }) };
      return queried(await inventory.stockAt(location, asked), (page) =>
        pageOf(page, standing, ({ sku }) => sku, stockView),
      );
    },
  });
}

function locationView(shown: Location): LocationShown {
  const { location, warehouse, name, kind, version, retiredAt } = shown;
  return {
    location,
    warehouse,
    ...(name !== undefined && { name }),
    kind,
    version,
    ...(retiredAt !== undefined && { retiredAt: instantText(retiredAt) }),
  };
}

function stockView(stock: StandingStock): StandingShown {
  const { sku, description, baseUnit, onHand, reserved, available } = stock;
  return { sku, description, baseUnit, onHand, reserved, available };
}
