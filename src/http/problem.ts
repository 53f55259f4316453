/**
 * Problems: every way in which a request is turned away, as RFC 9457 documents. The table is total
 * over what the domain refuses and what the edge refuses, so a new code does not compile without
 * its status.
 */
import type { FieldError, Refusal, RefusalCode } from '../domain/refusal.ts';
import type { Unavailable } from '../inventory/answer.ts';

type EdgeCode =
  | 'malformed-path'
  | 'malformed-query'
  | 'malformed-json'
  | 'body-required'
  | 'body-unreadable'
  | 'too-deep'
  | 'duplicate-member'
  | 'idempotency-key-missing'
  | 'idempotency-key-invalid'
  | 'if-match-invalid'
  | 'unauthorized'
  | 'not-found'
  | 'api-key-exists'
  | 'method-not-allowed'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'unknown-field'
  | 'rate-limited'
  | 'internal'
  | 'overloaded'
  | 'unavailable';

export type ProblemCode = RefusalCode | EdgeCode;

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
}

export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = {
  'malformed-path': { status: 400, title: 'The path cannot be read' },
  'malformed-query': { status: 400, title: 'The query cannot be read' },
  'malformed-json': { status: 400, title: 'The body is not JSON' },
  'body-required': { status: 400, title: 'A body is required' },
  'body-unreadable': { status: 400, title: 'The body cannot be decoded' },
  'too-deep': { status: 400, title: 'The body is nested too deeply' },
  'duplicate-member': { status: 400, title: 'A member occurs twice' },
  'idempotency-key-missing': { status: 400, title: 'An Idempotency-Key is required' },
  'idempotency-key-invalid': { status: 400, title: 'The Idempotency-Key is malformed' },
  'if-match-invalid': { status: 400, title: 'The If-Match header is malformed' },
  unauthorized: { status: 401, title: 'A valid API key is required' },
  forbidden: { status: 403, title: 'The API key does not allow this' },
  'not-found': { status: 404, title: 'There is no such thing here' },
  'unknown-reservation': { status: 404, title: 'The reservation is not known' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'api-key-exists': { status: 409, title: 'There was a key of this name' },
  'insufficient-stock': { status: 409, title: 'There is not enough stock' },
  'level-limit': { status: 409, title: 'The level would pass its limit' },
  'location-limit': { status: 409, title: 'The SKU stands at too many locations' },
  'location-retired': { status: 409, title: 'The location is retired' },
  'location-in-use': { status: 409, title: 'The location is in use' },
  'barcode-taken': { status: 409, title: 'The barcode belongs to another SKU' },
  'base-unit-in-use': { status: 409, title: 'The base unit is in use' },
  'warehouse-fixed': { status: 409, title: 'A location stays in its warehouse' },
  'reservation-expired': { status: 409, title: 'The reservation has expired' },
  'reservation-committed': { status: 409, title: 'The reservation was committed' },
  'reservation-released': { status: 409, title: 'The reservation was released' },
  'reservation-exceeded': { status: 409, title: 'The reservation holds less' },
  'reservation-limit': { status: 409, title: 'The SKU has too many reservations' },
  'movement-reversed': { status: 409, title: 'The movement was reversed already' },
  'not-reversible': { status: 409, title: 'The movement moved nothing' },
  'count-overlap': { status: 409, title: 'Another open count covers this' },
  'count-limit': { status: 409, title: 'The count has too many lines' },
  'count-closed': { status: 409, title: 'The count is closed' },
  'count-cancelled': { status: 409, title: 'The count was cancelled' },
  'purchase-order-exists': { status: 409, title: 'There is an order of this number' },
  'purchase-order-closed': { status: 409, title: 'The order is closed' },
  'over-receipt': { status: 409, title: 'More came than was ordered' },
  'below-received': { status: 409, title: 'More than that was received already' },
  'receipt-in-progress': { status: 409, title: 'The receipt is still in progress' },
  'receipt-reversed': { status: 409, title: 'The receipt was reversed already' },
  'capacity-exhausted': { status: 409, title: 'The slot has too few places left' },
  'hold-expired': { status: 409, title: 'The hold has lapsed' },
  'hold-cancelled': { status: 409, title: 'The hold was cancelled' },
  'slot-started': { status: 409, title: 'The slot has begun' },
  'appointment-limit': { status: 409, title: 'The order has too many appointments' },
  'version-mismatch': { status: 412, title: 'The version is another one by now' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is not of a supported media type' },
  validation: { status: 422, title: 'The request is not valid' },
  'unknown-field': { status: 422, title: 'The request has fields that are not known' },
  'unknown-sku': { status: 422, title: 'The SKU is not known' },
  'unknown-location': { status: 422, title: 'The location is not known' },
  'unknown-unit': { status: 422, title: 'The SKU has no such unit' },
  'unknown-line': { status: 422, title: 'The order has no such line' },
  'unknown-appointment': { status: 422, title: 'The order has no such appointment' },
  'unknown-purchase-order': { status: 422, title: 'The order is not known' },
  'same-location': { status: 422, title: 'A transfer needs two locations' },
  'idempotency-key-reused': { status: 422, title: 'The key belongs to another request' },
  'rate-limited': { status: 429, title: 'Too many requests were sent' },
  internal: { status: 500, title: 'The service failed' },
  overloaded: { status: 503, title: 'Too much is under way' },
  unavailable: { status: 503, title: 'The service cannot tell in time' },
};

export interface Problem {
  readonly code: ProblemCode;
  /** What is wrong with this very request, and where it helps, what to do. */
  readonly detail: string;
  /** Members that help a program, beside those that every problem has. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only. */
  readonly cause?: string;
}

/** The document as it is sent. `instance` is the id of the request. */
export function problemDocument(
  problem: Problem,
  instance: string,
): Readonly<Record<string, unknown>> {
  const { status, title } = problemKinds[problem.code];
  return {
    type: `/problems/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    instance,
    code: problem.code,
    ...problem.members,
  };
}

export function statusOf(problem: Problem): number {
  return problemKinds[problem.code].status;
}

export function validation(errors: readonly FieldError[]): Problem {
  return fieldProblem('validation', errors);
}

export function fieldProblem(
  code: 'validation' | 'unknown-field',
  errors: readonly FieldError[],
): Problem {
  const detail = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return { code, detail: detail.join('; '), members: { errors } };
}

export function unavailable(answer: Unavailable): Problem {
  const retryAfterSeconds = Math.max(1, Math.ceil(answer.retryAfterSeconds));
  return {
    code: 'unavailable',
    detail: 'What became of this cannot be told in time. The same request is safe to send again.',
    // The member says it to an item of a batch, which has no headers of its own.
    members: { retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause: answer.cause,
  };
}

export function refusalProblem(refusal: Refusal): Problem {
  if (refusal.code === 'validation') return validation(refusal.errors);
  const { code, ...members } = refusal;
  return { code, detail: refusalDetail(refusal), members };
}

function refusalDetail(refusal: Exclude<Refusal, { readonly code: 'validation' }>): string {
  switch (refusal.code) {
    case 'insufficient-stock':
      return `${refusal.requested} asked for, ${refusal.available} available at ${refusal.location}.`;
    case 'forbidden':
      return 'This lies beyond the warehouses of this key.';
    case 'level-limit':
      return `A level holds at most 1,000,000,000,000 base units; ${refusal.location} would hold more.`;
    case 'location-limit':
      return 'A SKU stands at no more than 200 locations at a time.';
    case 'location-retired':
      return `Nothing comes into ${refusal.location} any more.`;
    case 'location-in-use':
      return 'Stock or live reservations are found there.';
    case 'unknown-sku':
      return `There is no SKU ${refusal.sku}.`;
    case 'unknown-location':
      return `There is no location ${refusal.location}.`;
    case 'unknown-unit':
      return `${refusal.unit} is neither the base unit nor a pack of this SKU.`;
    case 'same-location':
      return `From and to are both ${refusal.location}.`;
    case 'idempotency-key-reused':
      return 'This Idempotency-Key was sent with a different request before.';
    case 'version-mismatch':
      return refusal.version === null
        ? 'There is nothing here yet.'
        : `The current version is ${refusal.version}.`;
    case 'unknown-reservation':
    case 'reservation-expired':
    case 'reservation-committed':
    case 'reservation-released':
    case 'reservation-exceeded':
    case 'reservation-limit':
      return reservationDetail(refusal);
    case 'movement-reversed':
      return `It was undone by ${refusal.by}.`;
    case 'not-reversible':
      return `A movement of type ${refusal.type} changes no level.`;
    case 'barcode-taken':
      return `The code ${refusal.barcode} stands on another SKU.`;
    case 'base-unit-in-use':
      return `The base unit stays ${refusal.baseUnit} while stock stands.`;
    case 'warehouse-fixed':
      return `The location stays in ${refusal.warehouse}.`;
    case 'count-overlap':
    case 'count-limit':
    case 'count-closed':
    case 'count-cancelled':
      return countDetail(refusal);
    case 'purchase-order-exists':
    case 'purchase-order-closed':
    case 'unknown-line':
    case 'over-receipt':
    case 'below-received':
    case 'receipt-in-progress':
    case 'receipt-reversed':
    case 'appointment-limit':
    case 'unknown-appointment':
    case 'unknown-purchase-order':
      return orderDetail(refusal);
    case 'capacity-exhausted':
    case 'hold-expired':
    case 'hold-cancelled':
    case 'slot-started':
      return dockDetail(refusal);
  }
}

type ReservationCode = Extract<RefusalCode, `reservation-${string}` | 'unknown-reservation'>;

function reservationDetail(refusal: Extract<Refusal, { readonly code: ReservationCode }>): string {
  switch (refusal.code) {
    case 'unknown-reservation':
      return `This SKU never had a reservation ${refusal.reservation}.`;
    case 'reservation-expired':
      return 'It lapsed before this request; reserve anew.';
    case 'reservation-committed':
      return 'All that it held has been shipped.';
    case 'reservation-released':
      return 'It was released.';
    case 'reservation-exceeded':
      return `${refusal.requested} asked for, ${refusal.held} held.`;
    case 'reservation-limit':
      return 'A SKU has at most 1,000 live reservations.';
  }
}

type CountCode = Extract<RefusalCode, `count-${string}`>;

function countDetail(refusal: Extract<Refusal, { readonly code: CountCode }>): string {
  switch (refusal.code) {
    case 'count-overlap':
      return `${refusal.sku} at ${refusal.location} is being counted in ${refusal.count}.`;
    case 'count-limit':
      return 'A count has at most 2,000 lines; count fewer locations at a time.';
    case 'count-closed':
      return 'Its variances are posted or being posted; count anew.';
    case 'count-cancelled':
      return 'Nothing comes of it any more; open another count.';
  }
}

type OrderCode =
  | 'purchase-order-exists'
  | 'purchase-order-closed'
  | 'unknown-line'
  | 'over-receipt'
  | 'below-received'
  | 'receipt-in-progress'
  | 'receipt-reversed'
  | 'appointment-limit'
  | 'unknown-appointment'
  | 'unknown-purchase-order';

function orderDetail(refusal: Extract<Refusal, { readonly code: OrderCode }>): string {
  switch (refusal.code) {
    case 'purchase-order-exists':
      return `The number ${refusal.number} is taken.`;
    case 'purchase-order-closed':
      return `The order ${refusal.number} is ${refusal.standing}.`;
    case 'unknown-line':
      return `The order has no line ${refusal.line}.`;
    case 'over-receipt':
      return `${refusal.requested} of line ${refusal.line} came, ${refusal.remaining} of ${refusal.ordered} remain.`;
    case 'below-received':
      return `${refusal.received} of line ${refusal.line} were received.`;
    case 'receipt-in-progress':
      return 'It can be reversed once it is completed.';
    case 'receipt-reversed':
      return 'A receipt is reversed once.';
    case 'appointment-limit':
      return 'An order has at most 200 appointments that are not over.';
    case 'unknown-appointment':
      return `The order has no appointment ${refusal.appointment}.`;
    case 'unknown-purchase-order':
      return `There is no order ${refusal.number}.`;
  }
}

type DockCode = 'capacity-exhausted' | 'hold-expired' | 'hold-cancelled' | 'slot-started';

function dockDetail(refusal: Extract<Refusal, { readonly code: DockCode }>): string {
  switch (refusal.code) {
    case 'capacity-exhausted':
      return `${refusal.requested} asked for, ${refusal.remaining} left in the slot.`;
    case 'hold-expired':
      return 'It lapsed before this request; hold anew.';
    case 'hold-cancelled':
      return 'Its places were given back; hold anew.';
    case 'slot-started':
      return 'Nothing more is booked into a slot that has begun.';
  }
}
