/**
 * Cursors: where a list goes on. A cursor is opaque to the caller, names the list and the filters
 * it was made for, and holds the place of the last entry shown, so that what arrives in between
 * neither repeats an entry nor hides one.
 */
import { z } from 'zod';
import { requestDigest } from '../inventory/request-digest.ts';
import type { Parsed } from './parse.ts';
import { parsed, parseWith, unparsed } from './parse.ts';
import { validation } from './problem.ts';

/** One list under one set of filters. */
export interface List<T> {
  readonly scope: string;
  readonly position: z.ZodType<T>;
}

/** @param filters what narrows the list, in the path and in the query. */
export function listOf<T>(
  name: string,
  filters: Readonly<Record<string, unknown>>,
  position: z.ZodType<T>,
): List<T> {
  return { scope: requestDigest(name, {}, filters).slice(0, 16), position };
}

const envelope = z.strictObject({ in: z.string(), after: z.unknown() });

export function writeCursor<T>(list: List<T>, after: T): string {
  return Buffer.from(JSON.stringify({ in: list.scope, after })).toString('base64url');
}

/** @returns undefined where the list begins. */
export function readCursor<T>(list: List<T>, cursor: string | undefined): Parsed<T | undefined> {
  if (cursor === undefined) return parsed(undefined);
  const opened = parseWith(envelope, decode(cursor), 'query');
  if (!opened.ok || opened.value.in !== list.scope) return foreign;
  const after = parseWith(list.position, opened.value.after, 'query');
  return after.ok ? after : foreign;
}

const foreign = unparsed(
  validation([{ path: '?cursor', message: 'is not a cursor of this list with these filters' }]),
);

/** undefined for whatever this service does not write, such as padding or other characters. */
function decode(cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
