/** Who calls: a bearer secret becomes the name under which its holder acts. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../domain/ids.ts';
import { parseActor } from '../domain/ids.ts';
import type { Problem } from './problem.ts';

export interface Principal {
  /** The name of the API key. */
  readonly actor: Actor;
}

export type Authenticate = (secret: string) => Promise<Principal | undefined>;

const bearer = /^bearer +([\x21-\x7e]+)$/i;

/** The key that the settings give, known as `admin`. Without one nobody comes in. */
export function adminKey(secret: string | undefined): Authenticate {
  const actor = parseActor('admin');
  if (secret === undefined || actor === undefined) return () => Promise.resolve(undefined);
  const expected = sha256(secret);
  return (presented) =>
    Promise.resolve(timingSafeEqual(sha256(presented), expected) ? { actor } : undefined);
}

/** Digests have one length, so comparing them takes one time whatever was sent. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function bearerSecret(authorization: string | undefined): string | undefined {
  return bearer.exec(authorization ?? '')?.[1];
}

/** One answer for a key that is missing, unknown or no longer valid: it tells a guesser nothing. */
export const unauthorized: Problem = {
  code: 'unauthorized',
  detail: 'Send Authorization: Bearer and an API key that is valid.',
  headers: { 'WWW-Authenticate': 'Bearer' },
};
