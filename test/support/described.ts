/** The OpenAPI document as a judge: whether an answer is one that it describes. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

const schemaHolder = z.object({ schema: z.unknown() });
const responses = z.record(
  z.string(),
  z.looseObject({
    content: z.record(z.string(), schemaHolder).optional(),
    headers: z.record(z.string(), z.unknown()).default({}),
  }),
);

const parameterShape = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  required: z.boolean().default(false),
  schema: z.unknown(),
});

const operation = z.object({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  'x-roles': z.array(z.string()).optional(),
  parameters: z.array(parameterShape).default([]),
  requestBody: z
    .object({
      required: z.boolean(),
      content: z.object({
        'application/json': z.object({ schema: z.unknown(), example: z.unknown().optional() }),
      }),
    })
    .optional(),
  responses,
});

const documentShape = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    headers: z.record(z.string(), z.looseObject({ required: z.boolean().default(false) })),
    responses,
  }),
});

export type DescribedDocument = z.output<typeof documentShape>;

export interface DescribedOperation extends z.output<typeof operation> {
  readonly method: string;
  readonly path: string;
}

export interface Described {
  readonly document: DescribedDocument;
  readonly operations: readonly DescribedOperation[];
  /** What of the value is otherwise than the schema under the pointer says. */
  readonly faults: (pointer: readonly string[], value: unknown) => readonly string[];
}

export function describedBy(json: unknown): Described {
  const document = documentShape.parse(json);
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, said]) => ({ ...said, path, method: method.toUpperCase() })),
  );
  return {
    document,
    operations,
    faults: (pointer, value) => {
      const $ref = `document#${pointer.map((part) => `/${encoded(part)}`).join('')}`;
      const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
      if (validate(value) === true) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
      );
    },
  };
}

/** A member's name in a JSON pointer that stands in a URI. */
function encoded(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** In what an answer is otherwise than the document says of the operation. */
export function faultsOf(
  { faults, document }: Described,
  { path, method, responses: described }: DescribedOperation,
  { status, headers, text }: Answered,
): readonly string[] {
  const response = described[String(status)];
  if (response === undefined) return [`status ${status} is not described`];
  const mediaType = String(headers['content-type']).split(';')[0] ?? '';
  if (response.content?.[mediaType] === undefined) {
    return [`${mediaType} is not described for ${status}`];
  }
  const missing = Object.keys(response.headers).filter(
    (name) =>
      document.components.headers[name]?.required === true &&
      headers[name.toLowerCase()] === undefined,
  );
  const place = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content'];
  const value: unknown =
    mediaType.endsWith('json') && mediaType !== ndjson ? JSON.parse(text) : text;
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...faults([...place, mediaType, 'schema'], value),
  ];
}

const ndjson = 'application/x-ndjson';
