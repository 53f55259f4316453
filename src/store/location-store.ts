/** Location documents: compare-and-swap on the version, which only ever grows. */
import type { Document } from 'mongodb';
import type { ActionId, LocationId } from '../domain/ids.ts';
import type { LocationDefinition } from '../domain/location.ts';
import type { LocationRead, LocationStore, LocationSwap } from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { Collections, LocationDocument } from './documents.ts';
import { locationOf } from './documents.ts';
import { ask, askPlainly } from './store-error.ts';

type Locations = Collections['locations'];

export function createLocationStore(locations: Locations): LocationStore {
  return {
    read: async (location) => {
      const asked = await askPlainly(() => locations.findOne({ _id: location }, { maxTimeMS }));
      if (asked.kind === 'unknown') return asked;
      if (asked.value === null) return { kind: 'missing' };
      const { changedBy } = asked.value;
      return { kind: 'found', value: { location: locationOf(asked.value), changedBy } };
    },
    find: async (ids) => {
      const asked = await askPlainly(() =>
        locations.find({ _id: { $in: [...ids] } }, { maxTimeMS }).toArray(),
      );
      if (asked.kind === 'unknown') return asked;
      return {
        kind: 'found',
        value: new Map(asked.value.map((document) => [document._id, locationOf(document)])),
      };
    },
    create: (location, definition, by) => create(locations, location, definition, by),
    redefine: (before, definition, by) => {
      const { kind, name } = definition;
      const fields = {
        kind: { $literal: kind },
        ...(name === undefined ? {} : { name: { $literal: name } }),
      };
      return swap(locations, before, by, [
        { $set: fields },
        ...(name === undefined ? [{ $unset: 'name' }] : []),
      ]);
    },
    retire: (before, by) => swap(locations, before, by, [{ $set: { retiredAt: '$$NOW' } }]),
    list: async ({ warehouses, after, limit }) => {
      const filter = {
        ...(warehouses === undefined ? {} : { warehouse: { $in: [...warehouses] } }),
        ...(after === undefined ? {} : { _id: { $gt: after } }),
      };
      const asked = await askPlainly(() =>
        locations.find(filter, { sort: { _id: 1 }, limit, maxTimeMS }).toArray(),
      );
      return asked.kind === 'unknown'
        ? asked
        : { kind: 'found', value: asked.value.map(locationOf) };
    },
  };
}

async function create(
  locations: Locations,
  location: LocationId,
  definition: LocationDefinition,
  by: ActionId,
): Promise<LocationSwap> {
  const document: LocationDocument = { _id: location, ...definition, version: 1, changedBy: by };
  const asked = await ask(() => locations.insertOne(document, { maxTimeMS }));
  switch (asked.kind) {
    case 'found':
      return { kind: 'swapped', location: locationOf(document) };
    case 'conflict':
    case 'duplicate':
      return { kind: 'lost' };
    case 'unknown':
      return asked;
  }
}

async function swap(
  locations: Locations,
  before: LocationRead,
  by: ActionId,
  stages: readonly Document[],
): Promise<LocationSwap> {
  const { location, version } = before.location;
  const asked = await ask(() =>
    locations.findOneAndUpdate(
      { _id: location, version },
      [...stages, { $set: { version: version + 1, changedBy: { $literal: by } } }],
      { returnDocument: 'after', maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  if (asked.kind !== 'found' || asked.value === null) return { kind: 'lost' };
  return { kind: 'swapped', location: locationOf(asked.value) };
}
