/** What an error of the driver says about the write or read that it ended. */
import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import type { Unknown } from '../inventory/ports.ts';
import { Overdue, withinLimit } from './within-limit.ts';

/**
 * `conflict`: not applied, somebody else was at the same document. `duplicate`: a unique index
 * holds the key already. `unknown`: it may have been applied. Anything else is a defect of the
 * service, such as a document that a validator refuses, and is thrown.
 */
export type Failure =
  | { readonly kind: 'conflict' }
  | { readonly kind: 'duplicate'; readonly indexes: readonly number[] }
  | Unknown;

export type Asked<T> = { readonly kind: 'found'; readonly value: T } | Failure;

const writeConflict = 112;
const duplicateKey = 11000;
const failedToParse = 9;
const documentValidationFailure = 121;
const notAReplicaSet = 123;

/** Server errors that come and go; each can strike after the write was applied. */
const passing: ReadonlySet<number> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized: credentials being rotated
  18, // AuthenticationFailed
  24, // LockTimeout
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  117, // ConflictingOperationInProgress
  175, // QueryPlanKilled
  176, // QueryPlanKilled, as DocumentDB numbers it
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** @throws the error itself where it shows a defect. */
export function classify(error: unknown): Failure {
  if (error instanceof MongoBulkWriteError) return classifyBulk(error);
  if (error instanceof MongoServerError) return classifyCode(error, error.code);
  if (error instanceof MongoError || error instanceof Overdue || isOfSocket(error)) {
    return { kind: 'unknown', cause: describe(error) };
  }
  throw error;
}

/** The driver lets some errors of a socket through as Node has them. */
function isOfSocket(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return typeof error.code === 'string' && /^(E[A-Z]+|ERR_STREAM_\w+)$/.test(error.code);
}

function classifyCode(error: MongoServerError, code: unknown): Failure {
  if (code === writeConflict) return { kind: 'conflict' };
  if (code === duplicateKey) return { kind: 'duplicate', indexes: [0] };
  if (isLostUpsert(error, code)) return { kind: 'conflict' };
  // A write concern that was not met says nothing about the write; nor does an error without a
  // server's code, such as a lost connection that the driver wraps as the failure of a bulk.
  if (
    typeof code !== 'number' ||
    passing.has(code) ||
    error.hasErrorLabel('RetryableWriteError') ||
    isWriteConcern(error)
  ) {
    return { kind: 'unknown', cause: describe(error) };
  }
  throw error;
}

/** An upsert that another one was faster to insert goes on without the clock on DocumentDB. */
function isLostUpsert({ message }: MongoServerError, code: unknown): boolean {
  return code === failedToParse && message.startsWith('The $$NOW operator');
}

function isWriteConcern(error: MongoServerError): boolean {
  return error.name === 'MongoWriteConcernError';
}

function classifyBulk(error: MongoBulkWriteError): Failure {
  const failures = [error.writeErrors].flat().filter(isWriteFailure);
  if (failures.length > 0 && failures.every((failure) => failure.code === duplicateKey)) {
    return { kind: 'duplicate', indexes: failures.map((failure) => failure.index) };
  }
  const other = failures.find((failure) => failure.code !== duplicateKey);
  return classifyCode(error, other?.code ?? error.code);
}

interface WriteFailure {
  readonly code: number;
  /** The place of the document in the bulk. */
  readonly index: number;
}

function isWriteFailure(value: unknown): value is WriteFailure {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'number' &&
    'index' in value &&
    typeof value.index === 'number'
  );
}

function describe(error: Error): string {
  return `${error.name}: ${error.message}`;
}

/** A document that breaks a bound: a defect, unless it was made to break one. */
export function isRefusedByValidator(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === documentValidationFailure;
}

/** What only the member of a replica set can do was asked of a server that is none. */
export function isOfServerAlone(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === notAReplicaSet;
}

export async function ask<T>(operation: () => Promise<T>): Promise<Asked<T>> {
  try {
    return { kind: 'found', value: await withinLimit(operation) };
  } catch (error) {
    return classify(error);
  }
}

/** For operations that no other writer can disturb: whatever is not an answer is unknown. */
export async function askPlainly<T>(
  operation: () => Promise<T>,
): Promise<{ readonly kind: 'found'; readonly value: T } | Unknown> {
  const asked = await ask(operation);
  if (asked.kind === 'found' || asked.kind === 'unknown') return asked;
  return { kind: 'unknown', cause: `the database answered with a ${asked.kind}` };
}
