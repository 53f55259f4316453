/**
 * The OpenAPI document, made of the table of endpoints. What a request may say comes from the
 * schemas that judge it; what an answer holds from those that its view is typed by; which problems
 * follow from a path, a body or a key is derived here, once.
 */
import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { createDocument } from 'zod-openapi';
import { problemsShown } from '../answers/problem.ts';
import type { Endpoint, KeyedEndpoint } from '../endpoint.ts';
import { rolesFor } from '../permissions.ts';
import type { ProblemCode } from '../problem.ts';
import { problemKinds } from '../problem.ts';
import type { AnswerDoc, OperationDoc, OperationDocs } from './operation.ts';
import { tags } from './operation.ts';
import { operationDocs } from './operations.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** @throws where an endpoint of the table is not described. */
export function openApiDocument(
  table: readonly Endpoint[],
  docs: OperationDocs = operationDocs,
): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of table) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const doc = docs[name];
    if (doc === undefined) throw new TypeError(`${name} is not described in openapi/`);
    const item = (paths[endpoint.path] ??= {});
    item[endpoint.method.toLowerCase()] = operation(endpoint, doc);
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Stockroom', version: '1', description: description() },
      servers: [{ url: '/' }],
      tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
      security: [{ key: [] }],
      paths: paths satisfies ZodOpenApiPathsObject,
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        },
        headers,
        responses: { MethodNotAllowed: methodNotAllowed() },
      },
    },
    { override: withoutDatePattern },
  );
}

/** The format says it, and in fewer letters. */
function withoutDatePattern({
  jsonSchema,
}: {
  readonly jsonSchema: { format?: string; pattern?: string };
}): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

function operation(endpoint: Endpoint, doc: OperationDoc): ZodOpenApiOperationObject {
  const { id, tag, summary, description: text } = doc;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...descriptionOf(endpoint, text),
    ...(endpoint.access === 'open'
      ? { security: [] }
      : {
          'x-roles': rolesFor(`${endpoint.method} ${endpoint.path}`),
          ...requestOf(endpoint, doc),
        }),
    responses: { ...answersOf(doc), ...problemsOf(endpoint, doc) },
  };
}

/** What the operation does, and who may ask for it. */
function descriptionOf(
  { access, method, path }: Endpoint,
  text: string | undefined,
): Pick<ZodOpenApiOperationObject, 'description'> {
  const roles = access === 'open' ? [] : rolesFor(`${method} ${path}`);
  const said = roles.length === 0 ? [] : [`For the roles ${roles.join(', ')}.`];
  const whole = [...(text === undefined ? [] : [text]), ...said].join(' ');
  return whole === '' ? {} : { description: whole };
}

// What is sent

function requestOf(
  { takes }: KeyedEndpoint,
  doc: OperationDoc,
): Partial<ZodOpenApiOperationObject> {
  const header: Record<string, z.ZodType> = {};
  if (takes.key !== 'none') {
    header['Idempotency-Key'] = takes.key === 'required' ? key : key.optional();
  }
  if (doc.honoursIfMatch) header['If-Match'] = ifMatch;
  const { body } = takes;
  return {
    requestParams: {
      path: asObject(takes.params),
      query: asObject(takes.query),
      ...(Object.keys(header).length > 0 && { header: z.object(header) }),
    },
    ...(body && {
      requestBody: {
        required: body.isRequired,
        description: `At most ${body.limitBytes / 1024} KiB, as it is or as gzip, deflate or br.`,
        content: {
          'application/json': {
            schema: body.schema,
            ...(doc.example !== undefined && { example: doc.example }),
          },
        },
      },
    }),
  };
}

/** Paths and queries are objects, some with a transform behind, which the document reads past. */
function asObject(schema: z.ZodType): z.ZodObject | z.ZodPipe<z.ZodObject> {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodObject) {
    return z.pipe(schema.def.in, z.any());
  }
  throw new TypeError('parameters are described by an object');
}

const key = z.string().meta({
  minLength: 1,
  description:
    'A key of your own making: 1 to 255 visible ASCII characters, with or without quotes. The ' +
    'same request under the same key takes effect once.',
  examples: ['r1'],
});

const ifMatch = z
  .string()
  .meta({
    pattern: '^(\\*|"(0|[1-9][0-9]{0,14})")$',
    description: 'The version that is to be changed, as `ETag` shows it, or `*`.',
  })
  .optional();

// What is answered

function answersOf({ answers }: OperationDoc): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, answer] of Object.entries(answers)) {
    responses[statusName(Number(status))] = answerOf(Number(status), answer);
  }
  return responses;
}

type StatusName = `${2 | 4 | 5}${string}`;

function statusName(status: number): StatusName {
  const rest = String(status).slice(1);
  if (status < 400) return `2${rest}`;
  return status < 500 ? `4${rest}` : `5${rest}`;
}

function answerOf(status: number, answer: AnswerDoc): ZodOpenApiResponseObject {
  const { what, schema, mediaType = 'application/json', otherForms = {}, hasETag } = answer;
  const forms = Object.entries({ [mediaType]: schema, ...otherForms });
  return {
    description: what,
    headers: {
      ...headerRefs('X-Request-Id', 'Idempotent-Replayed'),
      ...(hasETag && headerRefs('ETag')),
      ...(status === 202 && headerRefs('Location')),
    },
    content: Object.fromEntries(forms.map(([type, form]) => [type, { schema: form }])),
  };
}

function problemsOf(endpoint: Endpoint, doc: OperationDoc): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemCodesOf(endpoint, doc)) {
    const { status } = problemKinds[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of byStatus) responses[statusName(status)] = problemOf(codes);
  return responses;
}

function problemOf(codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  const { status } = problemKinds[codes[0] ?? 'internal'];
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: {
      ...headerRefs('X-Request-Id'),
      ...(status === 401 && headerRefs('WWW-Authenticate')),
      ...((status === 429 || status === 503) && headerRefs('Retry-After')),
    },
    content: { 'application/problem+json': { schema: problemsShown(codes) } },
  };
}

/** What follows from what the endpoint takes, and what it refuses besides. */
function problemCodesOf(endpoint: Endpoint, doc: OperationDoc): ReadonlySet<ProblemCode> {
  const codes = new Set<ProblemCode>(doc.refuses);
  const add = (...more: readonly ProblemCode[]) => {
    for (const code of more) codes.add(code);
  };
  add('internal');
  if (endpoint.access === 'open') return codes;
  const { takes, path, method } = endpoint;
  add('unauthorized', 'forbidden', 'rate-limited', 'overloaded', 'unavailable');
  add('malformed-query', 'validation', 'unknown-field');
  if (path.includes('{')) add('malformed-path');
  if (takes.body) {
    add('malformed-json', 'body-unreadable', 'too-deep', 'duplicate-member');
    add('body-too-large', 'unsupported-media-type');
    if (takes.body.isRequired) add('body-required');
  }
  if (takes.key === 'required') add('idempotency-key-missing');
  if (takes.key !== 'none') add('idempotency-key-invalid', 'idempotency-key-reused');
  if (method !== 'GET' && takes.key !== 'none') add('if-match-invalid');
  return codes;
}

// What is said once

const headers = {
  'X-Request-Id': {
    description: 'The id of the request, as a problem shows it in `instance`.',
    required: true,
    schema: { type: 'string' },
  },
  ETag: { description: 'The version, for `If-Match`.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` where the same request came before and this is its answer.',
    schema: { type: 'string', const: 'true' },
  },
  Location: { description: 'Where to look later.', schema: { type: 'string' } },
  'Retry-After': { description: 'In seconds.', required: true, schema: { type: 'string' } },
  'WWW-Authenticate': { description: '`Bearer`.', required: true, schema: { type: 'string' } },
  Allow: { description: 'What is allowed.', required: true, schema: { type: 'string' } },
} as const;

function headerRefs(
  ...names: readonly (keyof typeof headers)[]
): Record<string, { $ref: `#/components/headers/${string}` }> {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]),
  );
}

function methodNotAllowed(): ZodOpenApiResponseObject {
  return {
    ...problemOf(['method-not-allowed']),
    headers: headerRefs('X-Request-Id', 'Allow'),
  };
}

function description(): string {
  const rows = Object.entries(problemKinds).map(
    ([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`,
  );
  return [
    'A multi-warehouse inventory service. It knows how much of each SKU stands where, what is ' +
      'promised to whom, and how every level came about.',
    'Quantities are whole numbers of the base unit of a SKU. Instants are RFC 3339 in UTC. A ' +
      'query parameter that is not known, or given twice, is refused. Any path answers another ' +
      'method with 405 and `Allow`, and `OPTIONS` with 204.',
    'Errors are RFC 9457 problem documents with a `code`:',
    ['| code | status | meaning |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}
