/**
 * The Idempotency-Key. `abc` and the draft's quoted form `"abc"` are one key. Inside quotes a
 * backslash escapes a quote or a backslash (RFC 8941, strings) and nothing else; without quotes
 * every character stands for itself. Whatever begins with a quote is read as quoted.
 */
import type { IncomingMessage } from 'node:http';
import type { ActionId, Actor } from '../domain/ids.ts';
import { parseActionId } from '../domain/ids.ts';
import type { Parsed } from './parse.ts';
import { parsed, unparsed } from './parse.ts';
import type { Problem } from './problem.ts';

const quoted = /^"((?:[^"\\]|\\["\\])*)"$/;

/** The key as it is kept, or undefined where the quotes don't match up. */
function unquoteKey(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  return quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
}

export function parseKey(actor: Actor, text: string): ActionId | undefined {
  const key = unquoteKey(text);
  return key === undefined ? undefined : parseActionId(actor, key);
}

export const keyMissing: Problem = {
  code: 'idempotency-key-missing',
  detail: 'Send a key of your own making, and the same one when you send again.',
};

export const keyInvalid: Problem = {
  code: 'idempotency-key-invalid',
  detail: 'Send one key of 1 to 255 visible ASCII characters, with or without quotes.',
};

/** @returns undefined where the request has no key at all. */
export function keyOf(request: IncomingMessage, actor: Actor): Parsed<ActionId | undefined> {
  const lines = headerLines(request, 'idempotency-key');
  const [line] = lines;
  if (line === undefined) return parsed(undefined);
  const actionId = lines.length === 1 ? parseKey(actor, line) : undefined;
  return actionId === undefined ? unparsed(keyInvalid) : parsed(actionId);
}

/** Each line by itself: Node joins repeated lines with a comma, which a key may hold too. */
function headerLines(request: IncomingMessage, name: string): readonly string[] {
  const { rawHeaders } = request;
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}
