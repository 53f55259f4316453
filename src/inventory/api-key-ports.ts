/** What API keys need from the world, and what they are asked. Types only. */
import type { ApiKey, ApiKeyId, Role } from '../domain/api-key.ts';
import type { Actor, Instant, WarehouseId } from '../domain/ids.ts';
import type { NotFound, Page, QueryAnswer, Refused, Unavailable } from './answer.ts';
import type { SecretDigest } from './api-key-secret.ts';
import type { Lookup, Read, Unknown } from './ports.ts';

export interface ListApiKeys {
  /** Only those that reach no further than these. */
  readonly within?: readonly WarehouseId[];
  readonly after?: Actor;
  readonly limit: number;
}

export interface StampedKey {
  readonly key: ApiKey;
  /** The database's clock at the read. */
  readonly now: Instant;
}

export interface ApiKeyStore {
  /** @returns `taken` where the name was ever given. */
  readonly insert: (
    key: ApiKey,
    secret: SecretDigest,
  ) => Promise<{ readonly kind: 'inserted' } | { readonly kind: 'taken' } | Unknown>;
  /** The key that a secret opens now: one that was replaced opens it until its grace is over. */
  readonly bySecret: (secret: SecretDigest) => Promise<Lookup<StampedKey>>;
  readonly find: (id: ApiKeyId) => Promise<Lookup<ApiKey>>;
  /** In the order of their names. */
  readonly list: (query: ListApiKeys) => Promise<Read<readonly ApiKey[]>>;
  /** Again the same: it stays revoked since the first time. */
  readonly revoke: (id: ApiKeyId) => Promise<Lookup<ApiKey>>;
  /** The new secret holds at once, those before it for so long from now. */
  readonly rotate: (
    id: ApiKeyId,
    secret: SecretDigest,
    graceSeconds: number,
  ) => Promise<Lookup<ApiKey>>;
  /** Whether there is a key that lets anybody in. */
  readonly isAnyValid: () => Promise<Read<boolean>>;
}

export interface NewApiKey {
  readonly name: Actor;
  readonly role: Role;
  readonly warehouses?: readonly WarehouseId[];
  readonly expiresAt?: Instant;
  readonly by: Actor;
}

/** The one time that the secret is told. */
export interface KeyWithSecret {
  readonly kind: 'key';
  readonly key: ApiKey;
  readonly secret: string;
}

export interface ApiKeys {
  readonly make: (
    wanted: NewApiKey,
  ) => Promise<KeyWithSecret | { readonly kind: 'exists' } | Refused | Unavailable>;
  readonly rotate: (
    id: ApiKeyId,
    graceSeconds: number,
  ) => Promise<KeyWithSecret | NotFound | Refused | Unavailable>;
  readonly revoke: (id: ApiKeyId) => Promise<QueryAnswer<ApiKey>>;
  readonly key: (id: ApiKeyId) => Promise<QueryAnswer<ApiKey>>;
  readonly keys: (query: ListApiKeys) => Promise<QueryAnswer<Page<ApiKey>>>;
  /** Who the holder of a secret is; `missing` where it opens nothing. */
  readonly holder: (secret: string) => Promise<Lookup<ApiKey>>;
}
