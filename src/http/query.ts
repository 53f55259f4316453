/** The query of a URL, before its schema: text by name, each name once. */
import type { Parsed } from './parse.ts';
import { parsed, unparsed } from './parse.ts';
import { validation } from './problem.ts';

/** @param url as the request line has it. */
export function readQuery(url: string): Parsed<Readonly<Record<string, string>>> {
  const start = url.indexOf('?');
  const pairs = (start < 0 ? '' : url.slice(start + 1)).split('&').filter((pair) => pair !== '');
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) {
      const detail = 'The query is not percent-encoded UTF-8.';
      return unparsed({ code: 'malformed-query', detail });
    }
    if (values.has(name)) {
      return unparsed(validation([{ path: `?${name}`, message: 'is given twice' }]));
    }
    values.set(name, value);
  }
  return parsed(Object.fromEntries(values));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
