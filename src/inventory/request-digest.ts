/** The digest that tells one request from another under the same idempotency key. */
import { hash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';
import type { Digest } from '../domain/ids.ts';

const canonical = configure({ deterministic: true, circularValue: Error });

/**
 * SHA-256 over operation, path parameters and parsed body. The order of object members does not
 * count, at any depth; that of arrays does.
 */
export function requestDigest(
  operation: string,
  parameters: Readonly<Record<string, string>>,
  body: unknown,
): Digest {
  const text = canonical([operation, parameters, body]);
  return hash('sha256', text, 'base64url') as Digest;
}
