/**
 * Collections, their validators and their indexes, in one place. The validators are the last line
 * of defence: they refuse a write that breaks a bound, whoever makes it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Db, Document } from 'mongodb';
import { roles, warehousesLimit } from '../domain/api-key.ts';
import { appointmentsLimit } from '../domain/appointment.ts';
import { levelsLimit, barcodesLimit, packsLimit } from '../domain/sku.ts';
import { linesLimit, windowLimit } from '../domain/movement.ts';
import { orderLinesLimit, outcomesLimit } from '../domain/purchase-order.ts';
import { onHandLimit } from '../domain/quantity.ts';
import { receiptLinesLimit } from '../domain/receipt.ts';
import { reservationLimit } from '../domain/reservation.ts';
import { countLinesLimit } from '../domain/stock-count.ts';
import type { DeclaredCollection, DeclaredIndex } from './declared.ts';
import { dockCollections } from './dock-schema.ts';

/** An index of those documents only that have the field. */
function whereThereIs(field: string): Pick<DeclaredIndex, 'partialFilterExpression'> {
  return { partialFilterExpression: { [field]: { $exists: true } } };
}

/** The index of the SKUs that have holds. */
export const holdsIndex = 'reservation-location';

const documentByteLimit = 1024 * 1024;
/** A payload of 8 KiB and what stands around it. */
const reminderByteLimit = 16 * 1024;

const text = { bsonType: 'string' } as const;
const number = { bsonType: ['int', 'long', 'double'] } as const;
const count = { ...number, minimum: 0 } as const;

const movementLine = {
  bsonType: 'object',
  required: ['location', 'delta', 'onHand'],
  properties: { location: text, delta: number, onHand: { ...count, maximum: onHandLimit } },
} as const;

const movementFields = {
  actionId: text,
  type: text,
  lines: { bsonType: 'array', maxItems: linesLimit, items: movementLine },
  actor: text,
  at: { bsonType: 'date' },
} as const;

const skuSchema = {
  bsonType: 'object',
  required: [
    'description',
    'levels',
    'reservations',
    'lastActionId',
    'version',
    'movementCount',
    'movements',
    'ledgeredThrough',
    'lastAt',
  ],
  properties: {
    _id: text,
    description: text,
    baseUnit: text,
    packs: { bsonType: 'array', maxItems: packsLimit },
    barcodes: { bsonType: 'array', maxItems: barcodesLimit },
    levels: {
      bsonType: 'array',
      maxItems: levelsLimit,
      items: {
        bsonType: 'object',
        required: ['location', 'onHand'],
        properties: { location: text, onHand: { ...count, maximum: onHandLimit } },
      },
    },
    reservations: { bsonType: 'array', maxItems: reservationLimit },
    lastActionId: text,
    version: { ...number, minimum: 1 },
    movementCount: count,
    movements: { bsonType: 'array', maxItems: windowLimit },
    ledgeredThrough: count,
  },
} as const;

export const collections: readonly DeclaredCollection[] = [
  {
    name: 'skus',
    validator: {
      $jsonSchema: skuSchema,
      $expr: { $lt: [{ $bsonSize: '$$ROOT' }, documentByteLimit] },
    },
    indexes: [
      { name: 'level-location', key: { 'levels.location': 1, _id: 1 } },
      { name: 'moved', key: { lastAt: 1, _id: 1 } },
      {
        name: holdsIndex,
        key: { 'reservations.location': 1, _id: 1 },
        ...whereThereIs('reservations.location'),
      },
    ],
  },
  {
    name: 'barcodes',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['sku', 'madeBy', 'heldBy', 'until'],
        properties: {
          _id: text,
          sku: text,
          madeBy: { bsonType: ['string', 'null'] },
          heldBy: text,
          until: { bsonType: 'date' },
        },
      },
    },
    indexes: [],
  },
  {
    name: 'actions',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['digest', 'operation', 'subject'],
        properties: { _id: text, digest: text, operation: text, subject: { bsonType: 'object' } },
      },
    },
    indexes: [],
  },
  {
    name: 'movements',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['actionId', 'type', 'lines', 'actor', 'at'],
        properties: {
          _id: {
            bsonType: 'object',
            required: ['sku', 'ordinal'],
            properties: { sku: text, ordinal: { ...number, minimum: 1 } },
          },
          ...movementFields,
        },
      },
    },
    indexes: [
      { name: 'action', key: { actionId: 1 } },
      // Most movements have none of these and cost these indexes nothing.
      { name: 'reservation', key: { 'reservation.id': 1 }, ...whereThereIs('reservation.id') },
      { name: 'reverses', key: { reverses: 1 }, ...whereThereIs('reverses') },
      { name: 'time', key: { at: -1, _id: -1 } },
      { name: 'actor', key: { actor: 1, at: -1, _id: -1 } },
      {
        name: 'reference',
        key: { reference: 1, at: -1, _id: -1 },
        ...whereThereIs('reference'),
      },
    ],
  },
  {
    name: 'locations',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['warehouse', 'kind', 'version', 'changedBy'],
        properties: { _id: text, warehouse: text, kind: text, version: { ...number, minimum: 1 } },
      },
    },
    indexes: [{ name: 'warehouse', key: { warehouse: 1, _id: 1 } }],
  },
  {
    name: 'counts',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['version', 'status', 'locations', 'lines', 'openedAt'],
        properties: {
          _id: text,
          version: { ...number, minimum: 1 },
          status: text,
          lines: { bsonType: 'array', maxItems: countLinesLimit },
          pairs: { bsonType: 'array', minItems: 1, maxItems: countLinesLimit },
          openedAt: { bsonType: 'date' },
        },
      },
    },
    indexes: [
      // Two open counts never cover one pair; a count that has ended has no such field.
      { name: 'pair', key: { pairs: 1 }, unique: true, sparse: true },
      { name: 'opened', key: { openedAt: -1, _id: -1 } },
      { name: 'status', key: { status: 1, openedAt: -1, _id: -1 } },
    ],
  },
  {
    name: 'orders',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['supplier', 'standing', 'lines', 'outcomes', 'listedAs', 'version', 'changedBy'],
        properties: {
          _id: text,
          supplier: text,
          standing: text,
          lines: {
            bsonType: 'array',
            maxItems: orderLinesLimit,
            items: {
              bsonType: 'object',
              required: ['line', 'sku', 'ordered', 'received'],
              properties: { line: number, sku: text, ordered: count, received: count },
            },
          },
          outcomes: { bsonType: 'array', maxItems: outcomesLimit },
          appointments: { bsonType: 'array', maxItems: appointmentsLimit },
          version: { ...number, minimum: 1 },
        },
      },
    },
    indexes: [
      { name: 'status', key: { listedAs: 1, _id: 1 } },
      // Only cancelled ones whose appointments are still to be given up.
      { name: 'lease', key: { 'lease.until': 1 }, sparse: true },
    ],
  },
  {
    name: 'receipts',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: [
          'number',
          'lines',
          'attempt',
          'state',
          'onOrder',
          'actor',
          'at',
          'version',
          'lease',
        ],
        properties: {
          _id: text,
          number: text,
          lines: { bsonType: 'array', maxItems: receiptLinesLimit },
          state: text,
          version: { ...number, minimum: 1 },
        },
      },
    },
    indexes: [
      { name: 'order', key: { number: 1, at: -1, _id: -1 } },
      // Unfinished ones only: a finished receipt has no such field.
      { name: 'lease', key: { 'lease.until': 1 }, sparse: true },
    ],
  },
  {
    name: 'marks',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['through'],
        properties: { _id: text, through: { bsonType: 'date' } },
      },
    },
    indexes: [],
  },
  {
    name: 'answers',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['kind'],
        properties: { _id: text, kind: text },
      },
    },
    indexes: [],
  },
  {
    name: 'reminders',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['armedBy', 'receiver', 'missed', 'firstDueAt', 'dueAt', 'state', 'attempts'],
        properties: {
          _id: text,
          armedBy: text,
          receiver: text,
          state: { enum: ['armed', 'suspended'] },
          missed: { enum: ['latest', 'all'] },
          payload: text,
          firstDueAt: { bsonType: 'date' },
          dueAt: { bsonType: 'date' },
          nextAt: { bsonType: 'date' },
          attempts: count,
        },
      },
      $expr: { $lt: [{ $bsonSize: '$$ROOT' }, reminderByteLimit] },
    },
    indexes: [
      { name: 'due', key: { receiver: 1, nextAt: 1 } },
      { name: 'state', key: { state: 1, _id: 1 } },
    ],
  },
  {
    name: 'apiKeys',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['name', 'role', 'secrets', 'createdBy', 'createdAt'],
        properties: {
          _id: text,
          name: text,
          role: { enum: [...roles] },
          warehouses: { bsonType: 'array', minItems: 1, maxItems: warehousesLimit, items: text },
          secrets: {
            bsonType: 'array',
            minItems: 1,
            items: { bsonType: 'object', required: ['digest'], properties: { digest: text } },
          },
          createdBy: text,
          createdAt: { bsonType: 'date' },
          expiresAt: { bsonType: 'date' },
          revokedAt: { bsonType: 'date' },
        },
      },
    },
    indexes: [
      { name: 'name', key: { name: 1 }, unique: true },
      { name: 'secret', key: { 'secrets.digest': 1 } },
    ],
  },
  ...dockCollections,
];

const namespaceExists = 48;

/** Makes what is missing, before the first document. Safe to run by several processes at once. */
export async function prepareSchema(db: Db): Promise<void> {
  const listed = await db.listCollections().toArray();
  const validators = new Map(
    listed.map((info) => [info.name, 'options' in info ? info.options['validator'] : undefined]),
  );
  for (const { name, validator, indexes } of collections) {
    // Indexes first: on a collection that does not exist yet they are there at once.
    if (indexes.length > 0) await createIndexes(db, name, indexes);
    if (!isDeepStrictEqual(validators.get(name), validator)) {
      await putValidator(db, name, validator);
    }
  }
  const missing = await missingIndexes(db);
  if (missing.length > 0) throw new Error(`indexes are missing: ${missing.join(', ')}`);
}

async function createIndexes(
  db: Db,
  name: string,
  indexes: readonly DeclaredIndex[],
): Promise<void> {
  await db.collection(name).createIndexes(indexes.map((index) => ({ ...index })));
}

async function putValidator(db: Db, name: string, validator: Document): Promise<void> {
  try {
    await db.createCollection(name, { validator, validationAction: 'error' });
  } catch (error) {
    if (!isCode(error, namespaceExists)) throw error;
    await db.command({ collMod: name, validator, validationAction: 'error' });
  }
}

function isCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The declared indexes that the database does not list. */
export async function missingIndexes(db: Db): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { name, indexes } of collections) {
    const listed = new Set((await db.collection(name).indexes()).map((index) => index.name));
    for (const index of indexes) {
      if (!listed.has(index.name)) missing.push(`${name}.${index.name}`);
    }
  }
  return missing;
}
