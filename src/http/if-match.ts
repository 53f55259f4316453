/**
 * If-Match: `*`, or one version in quotes as the ETag shows it. Weak tags, lists and tags that no
 * version can have are refused as malformed rather than taken for a mismatch.
 */
import type { Parsed } from './parse.ts';
import { parsed, unparsed } from './parse.ts';

export type IfMatch =
  | { readonly kind: 'unconditional' }
  | { readonly kind: 'exists' }
  | { readonly kind: 'version'; readonly version: number };

const versionTag = /^"(0|[1-9]\d{0,14})"$/;

export function parseIfMatch(header: string | undefined): Parsed<IfMatch> {
  if (header === undefined) return parsed({ kind: 'unconditional' });
  if (header.trim() === '*') return parsed({ kind: 'exists' });
  const version = versionTag.exec(header.trim())?.[1];
  if (version !== undefined) return parsed({ kind: 'version', version: Number(version) });
  return unparsed({
    code: 'if-match-invalid',
    detail: 'Send * or one version in quotes, such as "7".',
  });
}

export function etag(version: number): Readonly<Record<string, string>> {
  return { ETag: `"${version}"` };
}
