/** The document on locations, SKUs, movements and their history. */
import { csvShown, movementShown, ndjsonShown } from '../answers/movement.ts';
import { batchShown } from '../answers/batch.ts';
import { pageShown } from '../answers/shown.ts';
import {
  definitionShown,
  levelsShown,
  locationShown,
  skuOfBarcodeShown,
  skuShown,
  standingShown,
  verificationShown,
} from '../answers/stock.ts';
import type { OperationDocs } from './operation.ts';
import { made, shown } from './operation.ts';
import { movementRefusals } from '../answers/batch.ts';

export const locationDocs: OperationDocs = {
  'GET /v1/locations': {
    id: 'listLocations',
    tag: 'Locations',
    summary: 'List locations',
    answers: shown('A page of locations, by id.', pageShown(locationShown)),
    refuses: [],
  },
  'GET /v1/locations/{location}': {
    id: 'getLocation',
    tag: 'Locations',
    summary: 'Show a location',
    answers: shown('The location.', locationShown, true),
    refuses: ['not-found'],
  },
  'PUT /v1/locations/{location}': {
    id: 'putLocation',
    tag: 'Locations',
    summary: 'Make or change a location',
    description: 'What is left out is cleared. The warehouse of a location never changes.',
    answers: {
      201: { what: 'The location is new.', schema: locationShown, hasETag: true },
      200: { what: 'The location as it now is.', schema: locationShown, hasETag: true },
    },
    refuses: ['warehouse-fixed', 'location-retired', 'version-mismatch'],
    honoursIfMatch: true,
    example: { warehouse: 'NORTH', name: 'Aisle A, bay 1', kind: 'storage' },
  },
  'DELETE /v1/locations/{location}': {
    id: 'retireLocation',
    tag: 'Locations',
    summary: 'Retire a location',
    description:
      'Nothing comes in afterwards, and the id is not used again. What a request that ran at the ' +
      'same time still brought in may leave; `verification` reports it.',
    answers: shown('The location, retired.', locationShown, true),
    refuses: ['not-found', 'location-in-use', 'version-mismatch'],
    honoursIfMatch: true,
  },
  'GET /v1/locations/{location}/stock': {
    id: 'listStockAtLocation',
    tag: 'Locations',
    summary: 'What stands at a location',
    answers: shown('A page of SKUs that stand or are reserved there.', pageShown(standingShown)),
    refuses: ['not-found'],
  },
};

export const skuDocs: OperationDocs = {
  'GET /v1/skus': {
    id: 'listSkus',
    tag: 'SKUs',
    summary: 'List SKUs',
    description: '`q` is looked for in SKU and description, whatever the case of its letters.',
    answers: shown('A page of SKUs.', pageShown(skuShown)),
    refuses: [],
  },
  'GET /v1/skus/{sku}': {
    id: 'getSku',
    tag: 'SKUs',
    summary: 'What a SKU is and what stands where',
    answers: shown('The SKU with levels, totals and live reservations.', skuShown, true),
    refuses: ['not-found'],
  },
  'PUT /v1/skus/{sku}': {
    id: 'putSku',
    tag: 'SKUs',
    summary: 'Define a SKU',
    description:
      'What is left out is cleared. A barcode belongs to one SKU. The base unit cannot change ' +
      'while stock stands.',
    answers: {
      201: { what: 'The SKU is new.', schema: definitionShown, hasETag: true },
      200: { what: 'The definition as it now is.', schema: definitionShown, hasETag: true },
    },
    refuses: ['barcode-taken', 'base-unit-in-use', 'version-mismatch'],
    honoursIfMatch: true,
    example: {
      description: 'Black tea, 100 g',
      packs: [{ unit: 'case', contains: 12 }],
      barcodes: [{ code: '9006900014858' }, { code: '19006900014855', unit: 'case' }],
    },
  },
  'GET /v1/barcodes/{code}': {
    id: 'getSkuByBarcode',
    tag: 'SKUs',
    summary: 'Find a SKU by a barcode',
    answers: shown('The SKU, and the unit that the code stands on.', skuOfBarcodeShown, true),
    refuses: ['not-found'],
  },
};

export const movementDocs: OperationDocs = {
  'POST /v1/movements': {
    id: 'postMovement',
    tag: 'Stock',
    summary: 'Move stock',
    description:
      'Level, movement and action change together or not at all. The same key with the same ' +
      'request has one effect, for ever.',
    answers: made('The movement.', movementShown),
    refuses: movementRefusals,
    example: { type: 'receive', sku: 'TEA-100', location: 'A-01', quantity: 5, unit: 'case' },
  },
  'POST /v1/movements/batch': {
    id: 'postMovements',
    tag: 'Stock',
    summary: 'Move stock many times',
    description:
      'At most 200 items, each with a key of its own and on its own. Those of one SKU take effect ' +
      'in their order. An item is the same request as a single POST of that movement.',
    answers: shown('The outcome of each item, in their order.', batchShown),
    refuses: [],
    example: {
      items: [
        { idempotencyKey: 's2', type: 'ship', sku: 'TEA-100', location: 'A-01', quantity: 2 },
      ],
    },
  },
  'POST /v1/movements/{actionId}/reverse': {
    id: 'reverseMovement',
    tag: 'Stock',
    summary: 'Undo a movement',
    description: 'Once, by an opposite movement, while the stock is there.',
    answers: made('The opposite movement.', movementShown),
    refuses: [
      'not-found',
      'movement-reversed',
      'not-reversible',
      'insufficient-stock',
      'level-limit',
      'location-limit',
      'location-retired',
    ],
    example: { note: 'Booked on the wrong SKU' },
  },
  'GET /v1/actions/{key}': {
    id: 'getAction',
    tag: 'Stock',
    summary: 'Did it happen?',
    description: 'Asked with the Idempotency-Key that was sent.',
    answers: shown('The movement that the key led to.', movementShown),
    refuses: ['not-found'],
  },
};

export const historyDocs: OperationDocs = {
  'GET /v1/skus/{sku}/movements': {
    id: 'listMovementsOfSku',
    tag: 'History',
    summary: 'The history of a SKU',
    answers: shown('A page of movements, newest first.', pageShown(movementShown)),
    refuses: ['not-found'],
  },
  'GET /v1/skus/{sku}/levels': {
    id: 'getLevelsAt',
    tag: 'History',
    summary: 'What stood where at an instant',
    answers: shown('The levels as they stood then, that instant included.', levelsShown),
    refuses: ['not-found'],
  },
  'GET /v1/skus/{sku}/verification': {
    id: 'verifySku',
    tag: 'History',
    summary: 'Check a SKU against its history',
    answers: shown('Each check and what it found.', verificationShown),
    refuses: ['not-found'],
  },
  'GET /v1/movements': {
    id: 'searchMovements',
    tag: 'History',
    summary: 'Search or export movements',
    description:
      'Newest first, up to 15 seconds before now, so that nothing appears behind a reader. With ' +
      '`Accept: text/csv` or `application/x-ndjson` all that matches is streamed; such an export ' +
      'takes neither `limit` nor `cursor`. In CSV a text that begins with `= + - @`, a tab, a ' +
      'return or an apostrophe is led by an apostrophe.',
    answers: {
      200: {
        what: 'A page of movements, or all of them.',
        schema: pageShown(movementShown),
        otherForms: { 'text/csv': csvShown, 'application/x-ndjson': ndjsonShown },
      },
    },
    refuses: [],
  },
};
