/**
 * Requests that a document allows, and others: what its schemas describe, in part with values that
 * a fixture made real, and spoilt in one place or another.
 */
import fc from 'fast-check';
import { z } from 'zod';
import type { DescribedDocument, DescribedOperation } from './described.ts';

/** A request before the ids that only the running service knows are put in. */
export interface AnyRequest {
  readonly operation: DescribedOperation;
  /** Which of the things that are there the path names; undefined: the path is made up. */
  readonly target: number | undefined;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is; undefined: nothing. */
  readonly body: string | undefined;
}

/** Values that are real for a member or parameter of that name. */
export type RealValues = Readonly<Record<string, readonly unknown[]>>;

const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  minItems: z.number().default(0),
  minimum: z.number().default(-1_000_000),
  maximum: z.number().default(1_000_000_000),
  minLength: z.number().default(0),
  maxLength: z.number().default(12),
  pattern: z.string().optional(),
  format: z.string().optional(),
});
type Schema = z.output<typeof schemaShape>;

interface Given {
  readonly document: DescribedDocument;
  readonly real: RealValues;
}

/** What the schema describes; the name tells which real values may stand there. */
function described(given: Given, json: unknown, name = ''): fc.Arbitrary<unknown> {
  const schema = schemaShape.parse(json);
  const real = given.real[name];
  const madeUp = byShape(given, schema);
  if (real === undefined) return madeUp;
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...real) },
    { weight: 1, arbitrary: madeUp },
  );
}

function byShape(given: Given, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    return described(given, given.document.components.schemas[name]);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return fc.oneof(...choices.map((choice) => described(given, choice)));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => byShape(given, { ...schema, type })));
  }
  return byType(given, schema, schema.type);
}

function byType(given: Given, schema: Schema, type: string | undefined): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer': {
      const { minimum: min, maximum: max } = schema;
      const usual = fc.integer({
        min: Math.max(min, -3),
        max: Math.min(max, Math.max(min, 0) + 6),
      });
      return fc.oneof({ weight: 4, arbitrary: usual }, fc.constantFrom(min, max));
    }
    case 'number':
      return fc
        .integer({ min: schema.minimum * 100, max: schema.maximum * 100 })
        .map((n) => n / 100);
    case 'string':
      return textOf(schema);
    case 'array':
      return fc.array(described(given, schema.items), { minLength: schema.minItems, maxLength: 3 });
    case 'object': {
      const members = Object.entries(schema.properties).map(
        ([name, member]) => [name, described(given, member, name)] as const,
      );
      return fc.record(Object.fromEntries(members), {
        requiredKeys: schema.required,
        noNullPrototype: true,
      });
    }
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textOf({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const [min, max] = [new Date('1970-01-01'), new Date('9999-12-31')];
    const instants = fc.date({ min, max, noInvalidDate: true });
    return instants.map((instant) => instant.toISOString());
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const odd = ['-', '.', '$', '/', '%', ' ', 'é', '\u0000', '\u202e', '😀'];
  const lengths = { minLength: Math.max(1, minLength), maxLength: Math.min(maxLength, 12) };
  const units = fc.constantFrom('a', 'Z', '0');
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: units, ...lengths }) },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('a', ...odd), ...lengths }) },
  );
}

const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '5',
  '.',
  '$levels',
  '$$NOW',
  '__proto__',
  '\u0000',
  '\ud800',
  'x'.repeat(3_000),
  [],
  {},
  [[]],
  { $ne: '' },
  { $gt: 0 },
  { $where: '1' },
];
const anyHostile = fc.constantFrom(...hostile);

/** The value with something in it, or all of it, replaced, taken out or added. */
function spoilt(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value) && value.length > 0) {
    const at = fc.nat(value.length - 1);
    return at.chain((index) =>
      spoilt(value[index]).map((part) =>
        value.map((kept: unknown, i) => (i === index ? part : kept)),
      ),
    );
  }
  if (typeof value !== 'object' || value === null) return anyHostile;
  const members = Object.entries(value);
  const named = fc.constantFrom(...members.map(([name]) => name), 'version', '__proto__', '$set');
  return fc.oneof(
    named.chain((name) => {
      const old: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
      return spoilt(old).map((part) => Object.fromEntries([...members, [name, part]]));
    }),
    named.map((name) => Object.fromEntries(members.filter(([member]) => member !== name))),
    anyHostile,
  );
}

const notJson = fc.constantFrom(
  '',
  '5',
  'null',
  '[]',
  '{',
  '{"a":NaN}',
  '{"a":1,"a":2}',
  '[['.repeat(40),
);

function bodyOf(given: Given, operation: DescribedOperation): fc.Arbitrary<string | undefined> {
  const { requestBody } = operation;
  if (requestBody === undefined) return fc.constantFrom(undefined, undefined, '{}', 'x');
  const { schema, example } = requestBody.content['application/json'];
  const valid = fc.oneof(described(given, schema), fc.constant(example));
  return fc.oneof(
    { weight: 7, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: valid.chain(spoilt).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.oneof(notJson, fc.constant(undefined)) },
  );
}

/** Header texts that can be sent; what cannot is tried byte for byte elsewhere. */
const oddHeader = fc.constantFrom(
  '',
  '*',
  '"1"',
  'W/"1"',
  '"0"',
  'a b',
  '"x',
  'é',
  'x'.repeat(300),
  '""',
);

type Header = readonly [name: string, value: string];

/** The header in most requests, or in few. */
function header(weight: number, name: string, value: fc.Arbitrary<string>) {
  const sent = value.map((text): readonly Header[] => [[name, text]]);
  return fc.oneof({ weight, arbitrary: sent }, { weight: 1, arbitrary: fc.constant([]) });
}

function seldom(name: string, value: fc.Arbitrary<string>) {
  const sent = value.map((text): readonly Header[] => [[name, text]]);
  return fc.oneof({ weight: 29, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: sent });
}

function headersOf(
  given: Given,
  operation: DescribedOperation,
): fc.Arbitrary<AnyRequest['headers']> {
  const names = operation.parameters.filter((one) => one.in === 'header').map(({ name }) => name);
  const own = names.map((name) => {
    // A new key is left to the sender.
    const isKey = name === 'Idempotency-Key';
    const usual = fc.constantFrom(...(isKey ? ['new'] : ['*', '"1"', '"2"']));
    const known = fc.constantFrom(...(given.real[name] ?? ['"3"']).map(String));
    const value = fc.oneof({ weight: 8, arbitrary: usual }, fc.oneof(known, oddHeader));
    return header(isKey ? 29 : 1, name, value);
  });
  const others = fc.constantFrom(...(given.real['Authorization'] ?? ['']).map(String));
  const forms = ['*/*', 'application/json', 'text/csv', 'application/x-ndjson', 'x'];
  const mediaTypes = ['text/plain', 'application/json; charset=latin1', 'x'];
  return fc
    .tuple(
      ...own,
      header(1, 'Accept', fc.constantFrom(...forms)),
      seldom('Content-Type', fc.constantFrom(...mediaTypes)),
      seldom('Content-Encoding', fc.constantFrom('gzip', 'lzma', 'br')),
      seldom('Authorization', fc.oneof(others, oddHeader)),
    )
    .map((sent) => Object.fromEntries(sent.flat()));
}

function queryOf(given: Given, operation: DescribedOperation): fc.Arbitrary<AnyRequest['query']> {
  const own = operation.parameters.filter((parameter) => parameter.in === 'query');
  // A made-up cursor is no cursor, and `from` is a location only in bodies.
  const usual = own
    .filter(({ name }) => name !== 'cursor')
    .map(({ name, schema }) => {
      const isSpan = name === 'from' || name === 'to';
      return [name, described(given, schema, isSpan ? '' : name).map(String)] as const;
    });
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name);
  const odd = fc.tuple(
    fc.constantFrom('limit', 'cursor', 'offset', '$where', ...own.map(({ name }) => name)),
    anyHostile.map(String),
  );
  return fc
    .tuple(
      fc.record(Object.fromEntries(usual), { requiredKeys: required }),
      fc.oneof(
        { weight: 5, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: odd.map((pair) => [pair]) },
      ),
    )
    .map(([record, more]) => [...Object.entries(record), ...more]);
}

function pathOf(given: Given, operation: DescribedOperation): fc.Arbitrary<AnyRequest['path']> {
  const own = operation.parameters.filter((parameter) => parameter.in === 'path');
  const odd = fc.constantFrom(
    '.',
    '\u0000',
    'x'.repeat(300),
    '$x',
    '__proto__',
    '~',
    '%zz',
    '%E0%A4%A',
    '%00',
  );
  return fc.record(
    Object.fromEntries(
      own.map(({ name, schema }) => [
        name,
        fc.oneof(
          { weight: 6, arbitrary: described(given, schema, name).map(String) },
          { weight: 1, arbitrary: odd },
        ),
      ]),
    ),
  );
}

export function anyRequest(
  document: DescribedDocument,
  operations: readonly DescribedOperation[],
  real: RealValues,
): fc.Arbitrary<AnyRequest> {
  const given = { document, real };
  return fc.oneof(
    ...operations.map((operation) => ({
      // What makes things comes more often than what looks at them or ends them.
      weight: makes(operation) ? 3 : 1,
      arbitrary: fc.record({
        operation: fc.constant(operation),
        target: fc.option(fc.nat(1_000), { nil: undefined, freq: 6 }),
        path: pathOf(given, operation),
        query: queryOf(given, operation),
        headers: headersOf(given, operation),
        body: bodyOf(given, operation),
      }),
    })),
  );
}

function makes({ method, responses }: DescribedOperation): boolean {
  return method === 'PUT' || (method === 'POST' && '201' in responses);
}
