/** What parsing gives: a value that went through its schema, or the problem to answer. */
import type { z } from 'zod';
import type { FieldError } from '../domain/refusal.ts';
import type { Problem } from './problem.ts';
import { fieldProblem } from './problem.ts';

export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function unparsed(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}

/** Where the value stands in the request; it decides how an error names its place. */
export type Place = 'body' | 'query' | 'path';

/** @param within a JSON pointer to the value, where it is a part of the body. */
export function parseWith<T>(
  schema: z.ZodType<T>,
  value: unknown,
  place: Place,
  within = '',
): Parsed<T> {
  const result = schema.safeParse(value);
  if (result.success) return parsed(result.data);
  const { issues } = result.error;
  const errors = issues.flatMap((issue) => fieldErrors(issue, place, within));
  // Only where nothing else is wrong; else taking the fields out would not help.
  const onlyUnknown = issues.every((issue) => issue.code === 'unrecognized_keys');
  return unparsed(fieldProblem(onlyUnknown ? 'unknown-field' : 'validation', errors));
}

function fieldErrors(issue: z.core.$ZodIssue, place: Place, within: string): readonly FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: within + pointer([...issue.path, key], place),
      message: 'is not known here',
    }));
  }
  return [{ path: within + pointer(issue.path, place), message: issue.message }];
}

function pointer(path: readonly PropertyKey[], place: Place): string {
  switch (place) {
    case 'body':
      return jsonPointer(path);
    case 'query':
      return `?${path.map(String).join('.')}`;
    case 'path':
      return `{${path.map(String).join('.')}}`;
  }
}

/** RFC 6901. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
