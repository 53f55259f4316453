/** What the document says of an operation beyond what its endpoint says by itself. */
import type { z } from 'zod';
import type { ProblemCode } from '../problem.ts';

export const tags = {
  Stock: 'What comes in, moves, goes out and is set right.',
  SKUs: 'What is kept, in which units, under which barcodes.',
  Locations: 'Where it is kept.',
  Reservations: 'Units promised to somebody until a moment.',
  'Purchase orders': 'What suppliers are to bring, and what of it came in.',
  Dock: 'When deliveries may come, and who has a place.',
  'Stock counts': 'What people find on the shelves, and the variances that follow.',
  History: 'What an auditor asks.',
  'API keys': 'Who may call, in which role.',
  Reminders: 'What is POSTed to a webhook when it is due.',
  Service: 'The service itself.',
} as const;
export type Tag = keyof typeof tags;

export type SuccessStatus = 200 | 201 | 202;

export interface AnswerDoc {
  readonly what: string;
  readonly schema: z.ZodType;
  readonly mediaType?: string;
  /** The same in other forms, by media type. */
  readonly otherForms?: Readonly<Record<string, z.ZodType>>;
  readonly hasETag?: true;
}

export interface OperationDoc {
  /** What generated clients call it. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly answers: Readonly<Partial<Record<SuccessStatus, AnswerDoc>>>;
  /** Codes beside those that follow from what the endpoint takes. */
  readonly refuses: readonly ProblemCode[];
  readonly honoursIfMatch?: true;
  /** A body that can be sent. */
  readonly example?: unknown;
}

/** By method and path, such as `GET /v1/skus`. */
export type OperationDocs = Readonly<Record<string, OperationDoc>>;

/** The first answer makes something; a repeat under the same key shows it again. */
export function made(what: string, schema: z.ZodType, hasETag?: true): OperationDoc['answers'] {
  const etag = hasETag && { hasETag };
  return {
    201: { what, schema, ...etag },
    200: { what: 'The same request came before; this is its answer.', schema, ...etag },
  };
}

export function shown(what: string, schema: z.ZodType, hasETag?: true): OperationDoc['answers'] {
  return { 200: { what, schema, ...(hasETag && { hasETag }) } };
}
