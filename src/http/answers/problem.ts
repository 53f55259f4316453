/** Problems, as answers show them: for each code the members that it has beside the common ones. */
import { z } from 'zod';
import { movementTypes } from '../../domain/movement-type.ts';
import type { ProblemCode } from '../problem.ts';
import { problemKinds } from '../problem.ts';
import { units } from './shown.ts';

type Members = Readonly<Record<string, z.ZodType>>;

const none: Members = {};
const text = z.string();
const location: Members = { location: text };
const reservation: Members = { reservation: text };
const receipt: Members = { receipt: text };
const hold: Members = { hold: text };
const retry: Members = { retryAfterSeconds: z.int().min(1) };
const errors: Members = {
  errors: z.array(
    z.strictObject({
      path: text.meta({
        description: 'A JSON pointer into the body, `?name` in the query, or `{name}` in the path.',
      }),
      message: text,
    }),
  ),
};

const members: Readonly<Record<ProblemCode, Members>> = {
  'malformed-path': none,
  'malformed-query': none,
  'malformed-json': none,
  'body-required': none,
  'body-unreadable': none,
  'too-deep': none,
  'duplicate-member': { path: text },
  'idempotency-key-missing': none,
  'idempotency-key-invalid': none,
  'if-match-invalid': none,
  unauthorized: none,
  forbidden: none,
  'api-key-exists': none,
  'not-found': none,
  'unknown-reservation': { reservation: text.exactOptional() },
  'method-not-allowed': none,
  'insufficient-stock': {
    location: text,
    available: units,
    requested: units.meta({ description: 'In base units.' }),
    locations: z.array(z.strictObject({ location: text, available: units })),
  },
  'level-limit': location,
  'location-limit': none,
  'location-retired': location,
  'location-in-use': { skus: z.array(text).meta({ description: 'Some of them.' }) },
  'barcode-taken': { barcode: text },
  'base-unit-in-use': { baseUnit: text },
  'warehouse-fixed': { warehouse: text },
  'reservation-expired': reservation,
  'reservation-committed': reservation,
  'reservation-released': reservation,
  'reservation-exceeded': { held: units, requested: units },
  'reservation-limit': none,
  'movement-reversed': { by: text },
  'not-reversible': { type: z.enum(movementTypes) },
  'count-overlap': { sku: text, location: text, count: text },
  'count-limit': none,
  'count-closed': none,
  'count-cancelled': none,
  'purchase-order-exists': { number: text },
  'purchase-order-closed': { number: text, standing: z.enum(['closed', 'cancelled']) },
  'over-receipt': {
    line: z.int(),
    ordered: units,
    received: units,
    remaining: units,
    requested: units,
  },
  'below-received': { line: z.int(), ordered: units, received: units },
  'receipt-in-progress': receipt,
  'receipt-reversed': receipt,
  'capacity-exhausted': { remaining: z.int().min(0), requested: z.int().min(1) },
  'hold-expired': hold,
  'hold-cancelled': hold,
  'slot-started': { slot: text },
  'version-mismatch': {
    version: z.int().nullable().meta({ description: 'The current one; null where nothing is.' }),
  },
  'body-too-large': none,
  'unsupported-media-type': none,
  validation: errors,
  'unknown-field': errors,
  'unknown-sku': { sku: text },
  'unknown-location': location,
  'unknown-unit': { unit: text },
  'unknown-line': { line: z.int() },
  'appointment-limit': none,
  'unknown-appointment': { appointment: text },
  'unknown-purchase-order': { number: text },
  'same-location': location,
  'idempotency-key-reused': none,
  'rate-limited': retry,
  internal: none,
  overloaded: retry,
  unavailable: retry,
};

function problemSchema(code: ProblemCode) {
  const { status, title } = problemKinds[code];
  return z
    .strictObject({
      type: z.literal(`/problems/${code}`),
      title: z.literal(title),
      status: z.literal(status),
      detail: z.string(),
      instance: z.string().meta({ description: 'The id of the request.' }),
      code: z.literal(code),
      ...members[code],
    })
    .meta({ id: nameOf(code) });
}

/** `unknown-sku`: `UnknownSkuProblem`. */
function nameOf(code: ProblemCode): string {
  const words = code.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Problem`;
}

const schemas = new Map<ProblemCode, ReturnType<typeof problemSchema>>();

/** One schema for each code, however often it is asked for: a component is registered once. */
function problemOf(code: ProblemCode): ReturnType<typeof problemSchema> {
  const schema = schemas.get(code) ?? problemSchema(code);
  schemas.set(code, schema);
  return schema;
}

/** A problem that has one of the codes. */
export function problemsShown(codes: readonly ProblemCode[]) {
  const [first, ...rest] = codes.map(problemOf);
  if (first === undefined) throw new TypeError('a problem has a code');
  return rest.length === 0 ? first : z.discriminatedUnion('code', [first, ...rest]);
}
