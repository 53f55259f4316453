/** Who calls: a bearer secret becomes the name, the role and the warehouses of its API key. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKey, ApiKeyId, Role } from '../domain/api-key.ts';
import type { Actor, WarehouseId } from '../domain/ids.ts';
import { parseActor } from '../domain/ids.ts';
import type { ApiKeys } from '../inventory/api-key-ports.ts';
import type { Unknown } from '../inventory/ports.ts';
import type { Problem } from './problem.ts';

export interface Principal {
  /** The name of the API key. */
  readonly actor: Actor;
  /** Absent from the key that the settings give. */
  readonly keyId?: ApiKeyId;
  readonly role: Role;
  /** Absent where every warehouse is within reach. */
  readonly warehouses?: readonly WarehouseId[];
}

/** `unknown`: the database could not be asked, so nobody can tell. */
export type Authenticated =
  { readonly kind: 'known'; readonly principal: Principal } | { readonly kind: 'nobody' } | Unknown;

export type Authenticate = (secret: string) => Promise<Authenticated>;

const bearer = /^bearer +([\x21-\x7e]+)$/i;

/** The name of the key that the settings give; no other key can have it. */
export const adminName: Actor = nameOfAdmin();

function nameOfAdmin(): Actor {
  const actor = parseActor('admin');
  if (actor === undefined) throw new TypeError('admin is a name');
  return actor;
}

/** The key that the settings give, where they do, and those that were made. */
export function authentication(
  adminSecret: string | undefined,
  apiKeys: Pick<ApiKeys, 'holder'>,
): Authenticate {
  const isAdmin = adminSecret === undefined ? () => false : matcher(adminSecret);
  return async (presented) => {
    if (isAdmin(presented)) {
      return { kind: 'known', principal: { actor: adminName, role: 'admin' } };
    }
    const found = await apiKeys.holder(presented);
    switch (found.kind) {
      case 'found':
        return { kind: 'known', principal: principalOf(found.value) };
      case 'missing':
        return { kind: 'nobody' };
      case 'unknown':
        return found;
    }
  };
}

function principalOf({ id: keyId, name: actor, role, warehouses }: ApiKey): Principal {
  return { actor, keyId, role, ...(warehouses === undefined ? {} : { warehouses }) };
}

/** Digests have one length, so comparing them takes one time whatever was sent. */
function matcher(secret: string): (presented: string) => boolean {
  const expected = sha256(secret);
  return (presented) => timingSafeEqual(sha256(presented), expected);
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
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

/** @param role of the key, which its holder knows. */
export function forbidden(role: Role): Problem {
  return {
    code: 'forbidden',
    detail: `A key of the role ${role} may not do this. Ask an administrator for another key.`,
  };
}
