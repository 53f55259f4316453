/**
 * The body of a request: media type, size, encoding and JSON, in that order, and only then what
 * it says. The size bounds the inflated bytes, so a small body that unpacks to a large one is
 * refused as well.
 */
import type { Request, RequestHandler, Response } from 'express';
import express from 'express';
import { z } from 'zod';
import { parseJson } from './json-text.ts';
import type { Parsed } from './parse.ts';
import { parsed, parseWith, unparsed } from './parse.ts';
import type { Problem } from './problem.ts';

type Read<T> = (request: Request, response: Response) => Promise<Parsed<T>>;

export interface BodyReader<T> {
  readonly read: Read<T>;
  /** What is read, as the document shows it; null where whatever is sent is left unread. */
  readonly sends: BodyShape | null;
}

export interface BodyShape {
  readonly schema: z.ZodType;
  readonly isRequired: boolean;
  readonly limitBytes: number;
}

const bodyLimitBytes = 64 * 1024;
export const batchLimitBytes = 1024 * 1024;

/** For methods whose body says nothing: whatever is sent is left unread. */
export const noBody: BodyReader<null> = {
  read: () => Promise.resolve(parsed(null)),
  sends: null,
};

export function jsonBody<T>(schema: z.ZodType<T>, limitBytes = bodyLimitBytes): BodyReader<T> {
  const readJson = jsonReader(limitBytes);
  const read: Read<T> = async (request, response) => {
    const json = await readJson(request, response);
    if (!json.ok) return json;
    return json.value === nothingSent
      ? unparsed(required)
      : parseWith(schema, json.value.sent, 'body');
  };
  return { read, sends: { schema, isRequired: true, limitBytes } };
}

/** For bodies that may be left out: nothing sent is the same request as `{}`. */
export function optionalJsonBody<T>(schema: z.ZodType<T>): BodyReader<T> {
  const readJson = jsonReader(bodyLimitBytes);
  const read: Read<T> = async (request, response) => {
    const json = await readJson(request, response);
    if (!json.ok) return json;
    return parseWith(schema, json.value === nothingSent ? {} : json.value.sent, 'body');
  };
  return { read, sends: { schema, isRequired: false, limitBytes: bodyLimitBytes } };
}

const nothingSent = 'nothing sent';

function jsonReader(limitBytes: number): Read<{ readonly sent: unknown } | typeof nothingSent> {
  const readBytes = bytesReader(limitBytes);
  return async (request, response) => {
    const refused = mediaTypeProblem(request);
    if (refused) return unparsed(refused);
    const bytes = await readBytes(request, response);
    if (!bytes.ok) return bytes;
    if (bytes.value.length === 0) return parsed(nothingSent);
    const text = decode(bytes.value);
    if (!text.ok) return text;
    const json = parseJson(text.value);
    return json.ok ? parsed({ sent: json.value }) : json;
  };
}

const required: Problem = { code: 'body-required', detail: 'Send a JSON object.' };

/** A body that is announced as empty has no media type to judge. */
function mediaTypeProblem(request: Request): Problem | undefined {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && (length === undefined || Number(length) === 0)) return undefined;
  const mediaType = request.headers['content-type'];
  if (mediaType === undefined) return unsupported('There is no Content-Type');
  const [essence = '', ...parameters] = mediaType.toLowerCase().split(';');
  if (essence.trim() !== 'application/json') return unsupported('This one is another type');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return undefined;
  return unsupported('This one has another charset');
}

function unsupported(what: string): Problem {
  return {
    code: 'unsupported-media-type',
    detail: `${what}; send application/json in UTF-8, as it is or as gzip, deflate or br.`,
    headers: { 'Accept-Encoding': 'gzip, deflate, br' },
  };
}

function bytesReader(limitBytes: number): Read<Buffer> {
  const read: RequestHandler = express.raw({ type: () => true, limit: limitBytes });
  return (request, response) =>
    new Promise((resolve, reject) => {
      read(request, response, (error?: unknown) => {
        if (error !== undefined) {
          const problem = readProblem(error, limitBytes);
          if (problem) resolve(unparsed(problem));
          else reject(error instanceof Error ? error : new Error('reading a body failed'));
          return;
        }
        const body: unknown = request.body;
        resolve(parsed(Buffer.isBuffer(body) ? body : Buffer.alloc(0)));
      });
    });
}

const readError = z.object({ type: z.string().optional(), status: z.int().min(400).max(499) });

/** What the reader's error says of the request; undefined where it is a fault of the service. */
function readProblem(error: unknown, limitBytes: number): Problem | undefined {
  const said = readError.safeParse(error);
  if (!said.success) return undefined;
  if (said.data.type === 'entity.too.large') {
    return { code: 'body-too-large', detail: `At most ${limitBytes} bytes are read.` };
  }
  if (said.data.type === 'encoding.unsupported')
    return unsupported('This one is encoded otherwise');
  return { code: 'body-unreadable', detail: 'The body is cut short or its encoding is corrupt.' };
}

/** Keeps nothing from one text to the next. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A byte order mark is taken off, as RFC 8259 allows. */
function decode(bytes: Buffer): Parsed<string> {
  try {
    return parsed(utf8.decode(bytes));
  } catch {
    return unparsed({ code: 'body-unreadable', detail: 'The body is not well-formed UTF-8.' });
  }
}
