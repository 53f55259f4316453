/**
 * What requests may say, one named schema each. Identifiers and quantities go through the parsers
 * of the domain, which hold the rules; a schema adds the shape and the words for what is wrong.
 */
import { z } from 'zod';
import {
  isWellFormed,
  parseActor,
  parseInstant,
  parseLocationId,
  parseSku,
  parseWarehouseId,
  service,
  utf8Length,
} from '../domain/ids.ts';
import { locationKinds } from '../domain/location.ts';
import { linesLimit, textLimit } from '../domain/movement.ts';
import { adjustReasons, movementTypes } from '../domain/movement-type.ts';
import {
  onHandLimit,
  packSizeLimit,
  parseDelta,
  parsePackSize,
  parseQuantity,
  quantityLimit,
} from '../domain/quantity.ts';
import { holdSecondsLimit, parseHoldSeconds } from '../domain/reservation.ts';
import { barcodesLimit, defaultBaseUnit, packsLimit, skuStatuses } from '../domain/sku.ts';
import { canBeShown } from './instant-text.ts';

/** A value that the domain's own parser makes, or the message. */
export function through<I, T>(
  schema: z.ZodType<I>,
  parse: (value: I) => T | undefined,
  message: string,
) {
  return schema.transform((value, context): T => {
    const result = parse(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  });
}

function otherwise(message: string) {
  return (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? 'is required' : message;
}

export const string = z.string({ error: otherwise('must be a string') });
export const number = z.number({ error: otherwise('must be a number') });

export const skuId = through(
  string,
  parseSku,
  'must be 1 to 64 printable characters without white space at either end, not . or ..',
).meta({ minLength: 1, maxLength: 64, description: 'The SKU, compared exactly after NFC.' });

const placeIdPattern = '^[A-Z0-9][A-Z0-9_-]{0,31}$';
const placeIdMessage = `must match ${placeIdPattern}`;
export const locationId = through(string, parseLocationId, placeIdMessage).meta({
  pattern: placeIdPattern,
});
export const warehouseId = through(string, parseWarehouseId, placeIdMessage).meta({
  pattern: placeIdPattern,
});

export const quantity = through(
  number,
  parseQuantity,
  `must be a whole number from 1 to ${quantityLimit}`,
).meta({ type: 'integer', minimum: 1, maximum: quantityLimit });
const delta = through(
  number,
  parseDelta,
  `must be a whole number from -${quantityLimit} to ${quantityLimit}, not 0`,
).meta({ type: 'integer', minimum: -quantityLimit, maximum: quantityLimit, not: { const: 0 } });
const packSize = through(
  number,
  parsePackSize,
  `must be a whole number from 2 to ${packSizeLimit}`,
).meta({ type: 'integer', minimum: 2, maximum: packSizeLimit });

function codePoints(text: string): number {
  return Array.from(text).length;
}

/** Free text, kept and shown as it is, whatever well-formed Unicode it holds. */
export const freeText = string
  .refine(isWellFormed, 'must not hold a lone surrogate')
  .refine(
    (text) => codePoints(text) <= textLimit.characters && utf8Length(text) <= textLimit.bytes,
    `must be at most ${textLimit.characters} characters and ${textLimit.bytes} bytes in UTF-8`,
  )
  .meta({
    maxLength: textLimit.characters,
    description: `At most ${textLimit.bytes} bytes in UTF-8; shown as it is.`,
  });

/** Text that stands on labels and in lists: one line, one spelling. */
export function label(limit: number) {
  return through(
    string,
    (text) => {
      const name = text.normalize('NFC');
      const fits = name !== '' && codePoints(name) <= limit && name.trim() === name;
      return fits && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name) ? name : undefined;
    },
    `must be 1 to ${limit} printable characters without white space at either end`,
  ).meta({ minLength: 1, maxLength: limit });
}

export const unitName = label(32);
const barcodeText = label(64);

// Locations

export const locationPath = z.strictObject({ location: locationId });

export const locationBody = z.strictObject({
  warehouse: warehouseId,
  name: label(200).exactOptional(),
  kind: z.enum(locationKinds).default('storage'),
});

// SKUs

export const skuPath = z.strictObject({ sku: skuId });
export const barcodePath = z.strictObject({ code: barcodeText });

const pack = z.strictObject({ unit: unitName, contains: packSize });
const barcode = z.strictObject({ code: barcodeText, unit: unitName.exactOptional() });

/** What is left out is cleared: a definition is replaced whole. */
export const skuBody = z
  .strictObject({
    description: label(500),
    baseUnit: unitName.default(defaultBaseUnit),
    packs: z.array(pack).max(packsLimit).default([]),
    barcodes: z.array(barcode).max(barcodesLimit).default([]),
    reorderPoint: number
      .int('must be a whole number')
      .min(0)
      .max(onHandLimit)
      // JSON has a negative zero, stock has not.
      .transform((value) => value + 0)
      .exactOptional(),
    status: z.enum(skuStatuses).default('active'),
  })
  .superRefine((body, context) => {
    const units = new Set([body.baseUnit]);
    for (const [index, { unit }] of body.packs.entries()) {
      const path = ['packs', index, 'unit'];
      if (units.has(unit)) context.addIssue({ code: 'custom', path, message: 'is named twice' });
      units.add(unit);
    }
    const codes = new Set<string>();
    for (const [index, { code, unit }] of body.barcodes.entries()) {
      const at = ['barcodes', index];
      if (codes.has(code)) {
        context.addIssue({ code: 'custom', path: [...at, 'code'], message: 'is listed twice' });
      }
      codes.add(code);
      if (unit !== undefined && !units.has(unit)) {
        const message = 'is neither the base unit nor a pack';
        context.addIssue({ code: 'custom', path: [...at, 'unit'], message });
      }
    }
  });

// Movements

export const said = { reference: freeText.exactOptional(), note: freeText.exactOptional() };

const quantityLine = z.strictObject({
  location: locationId,
  quantity,
  unit: unitName.exactOptional(),
});
const deltaLine = z.strictObject({ location: locationId, delta });

function linesOf<T extends z.ZodType>(line: T) {
  return z.array(line).min(1).max(linesLimit).exactOptional();
}

/** One line written out, or `lines`; never both and never neither. */
function oneForm(single: readonly string[], required: readonly string[]) {
  return (body: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    const { lines } = body;
    const faults = lines === undefined ? required : single;
    for (const member of faults) {
      if ((body[member] === undefined) !== (lines === undefined)) continue;
      const message = lines === undefined ? 'is required' : 'is said in lines already';
      context.addIssue({ code: 'custom', path: [member], message });
    }
  };
}

const quantityForm = {
  sku: skuId,
  location: locationId.exactOptional(),
  quantity: quantity.exactOptional(),
  unit: unitName.exactOptional(),
  lines: linesOf(quantityLine),
  ...said,
};
const oneFormWords = 'Either one line written out, or `lines`.';
const oneQuantity = oneForm(['location', 'quantity', 'unit'], ['location', 'quantity']);

const receiveBody = z
  .strictObject({ type: z.literal('receive'), ...quantityForm })
  .superRefine(oneQuantity)
  .meta({ id: 'Receive', description: oneFormWords });

const shipBody = z
  .strictObject({ type: z.literal('ship'), ...quantityForm })
  .superRefine(oneQuantity)
  .meta({ id: 'Ship', description: oneFormWords });

const transferBody = z
  .strictObject({
    type: z.literal('transfer'),
    sku: skuId,
    from: locationId,
    to: locationId,
    quantity,
    unit: unitName.exactOptional(),
    ...said,
  })
  .meta({ id: 'Transfer' });

const adjustBody = z
  .strictObject({
    type: z.literal('adjust'),
    sku: skuId,
    location: locationId.exactOptional(),
    delta: delta.exactOptional(),
    lines: linesOf(deltaLine),
    reason: z.enum(adjustReasons, {
      error: otherwise(`must be one of ${adjustReasons.join(', ')}`),
    }),
    ...said,
  })
  .superRefine(oneForm(['location', 'delta'], ['location', 'delta']))
  .superRefine(({ reason, note = '' }, context) => {
    if (reason === 'other' && note.trim() === '') {
      const message = 'is required where the reason is other';
      context.addIssue({ code: 'custom', path: ['note'], message });
    }
  })
  .meta({ id: 'Adjust', description: `${oneFormWords} The reason \`other\` needs a note.` });

export const movementBody = z.discriminatedUnion(
  'type',
  [receiveBody, shipBody, transferBody, adjustBody],
  { error: otherwise('must be receive, ship, transfer or adjust') },
);
export type MovementBody = z.output<typeof movementBody>;

/** Any object, member for member as it came; `__proto__` included. */
export const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

const batchItemsLimit = 200;

/** The envelope alone: each item is judged by itself. */
export const batchBody = z.strictObject({ items: z.array(z.unknown()).max(batchItemsLimit) });

const ownKey = { idempotencyKey: string };

/** What an item has to be, for the document. */
export const batchBodyWhole = z.strictObject({
  items: z
    .array(
      z.discriminatedUnion('type', [
        receiveBody.safeExtend(ownKey),
        shipBody.safeExtend(ownKey),
        transferBody.safeExtend(ownKey),
        adjustBody.safeExtend(ownKey),
      ]),
    )
    .max(batchItemsLimit),
});

/** What may be said of a movement that is undone. */
export const reverseBody = z.strictObject(said);
/** Any text: what is no action's id names no movement. */
export const movementPath = z.strictObject({ actionId: string });

// Reservations

/** Any text for the id: the service makes ids, so what is none of its names no reservation. */
export const reservationPath = z.strictObject({ sku: skuId, id: string });

/** null: until it is committed or released. */
const holdSeconds = through(
  number,
  parseHoldSeconds,
  `must be a whole number from 1 to ${holdSecondsLimit}, or null`,
)
  .meta({ type: 'integer', minimum: 1, maximum: holdSecondsLimit })
  .nullable();

export const reserveBody = z.strictObject({
  location: locationId,
  quantity,
  ttlSeconds: holdSeconds,
  reference: freeText.exactOptional(),
});

export const alterBody = z
  .strictObject({
    location: locationId.exactOptional(),
    quantity: quantity.exactOptional(),
    ttlSeconds: holdSeconds.exactOptional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'must name what changes');

/** All that is held where no quantity is named. */
export const commitBody = z.strictObject({ quantity: quantity.exactOptional() });

// Lists

export const noQuery = z.strictObject({});

const pageLimit = 200;

export const page = {
  limit: through(
    string,
    (text) => (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= pageLimit ? Number(text) : undefined),
    `must be a whole number from 1 to ${pageLimit}`,
  )
    .meta({ type: 'integer', minimum: 1, maximum: pageLimit })
    .default(50)
    .meta({ default: 50 }),
  cursor: string
    .meta({ description: 'The `nextCursor` of the page before, asked for with the same filters.' })
    .exactOptional(),
};

const instantMessage = 'must be a time such as 2030-01-31T12:00:00Z';
export const instant = through(
  z.iso.datetime({ offset: true, error: instantMessage }),
  (text) => {
    const parsed = parseInstant(Date.parse(text));
    return parsed !== undefined && canBeShown(parsed) ? parsed : undefined;
  },
  instantMessage,
);

export const pageQuery = z.strictObject(page);
export const locationsQuery = z.strictObject({ ...page, warehouse: warehouseId.exactOptional() });
export const skusQuery = z.strictObject({
  ...page,
  q: label(100).exactOptional(),
  warehouse: warehouseId.exactOptional(),
});
export const historyQuery = z.strictObject({
  ...page,
  location: locationId.exactOptional(),
  type: z.enum(movementTypes).exactOptional(),
  from: instant.exactOptional(),
  to: instant.exactOptional(),
});

export const reservationsQuery = z.strictObject({ ...page, reference: freeText });

const actorName = through(
  string,
  (text) => (text === service ? service : parseActor(text)),
  'must be the name of an API key',
).meta({ description: 'The name of an API key, or `~stockroom` for the service itself.' });

const movementFilters = {
  warehouse: warehouseId.exactOptional(),
  sku: skuId.exactOptional(),
  type: z.enum(movementTypes).exactOptional(),
  actor: actorName.exactOptional(),
  reference: freeText.exactOptional(),
  from: instant.exactOptional(),
  to: instant.exactOptional(),
};
export const movementsQuery = z.strictObject({ ...page, ...movementFilters });
/** An export is whole: it has neither pages nor a place to go on from. */
export const exportQuery = z.strictObject(movementFilters);
export const levelsQuery = z.strictObject({ at: instant });

/** A movement's place among all, as a cursor holds it. */
export const movementPlace = z.strictObject({
  at: through(number, parseInstant, 'must be milliseconds'),
  sku: skuId,
  ordinal: z.int().min(1),
});

export const actionPath = z.strictObject({ key: string });
