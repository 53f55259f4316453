/**
 * API keys: made, replaced, revoked, and asked for with each request.
 *
 * 1. A secret is told once, when it is made. Where that answer is lost, the key is rotated.
 * 2. What a secret opens is remembered for a few seconds, so that a revocation is felt everywhere
 *    within five: the memory's life and a read of the database together.
 * 3. What nothing opens is remembered as well; what could not be asked is not.
 */
import { LRUCache } from 'lru-cache';
import { v7 as uuid } from 'uuid';
import type { ApiKey } from '../domain/api-key.ts';
import { isValidAt, parseApiKeyId } from '../domain/api-key.ts';
import type { Actor } from '../domain/ids.ts';
import type { QueryAnswer } from './answer.ts';
import type { ApiKeys, ApiKeyStore, NewApiKey } from './api-key-ports.ts';
import { digestOfSecret, isSecret, makeSecret } from './api-key-secret.ts';
import type { LedgerMark, Lookup } from './ports.ts';
import { unavailable } from './ticket.ts';

const rememberedMs = 3_000;
const rememberedLimit = 10_000;

export interface ApiKeyPorts {
  readonly apiKeys: ApiKeyStore;
  readonly mark: LedgerMark;
}

/** @param reserved a name that is given by the settings. */
export function createApiKeys({ apiKeys, mark }: ApiKeyPorts, reserved: Actor): ApiKeys {
  const remembered = new LRUCache<string, Lookup<ApiKey>>({
    max: rememberedLimit,
    ttl: rememberedMs,
  });
  const asking = new Map<string, Promise<Lookup<ApiKey>>>();
  return {
    make: (wanted) => make({ apiKeys, mark }, reserved, wanted),
    rotate: async (id, graceSeconds) => {
      const secret = makeSecret();
      const rotated = await apiKeys.rotate(id, digestOfSecret(secret), graceSeconds);
      if (rotated.kind === 'unknown') return unavailable(rotated.cause);
      if (rotated.kind === 'missing') return { kind: 'not-found' };
      return { kind: 'key', key: rotated.value, secret };
    },
    revoke: async (id) => queried(await apiKeys.revoke(id)),
    key: async (id) => queried(await apiKeys.find(id)),
    keys: async ({ limit, ...query }) => {
      const read = await apiKeys.list({ ...query, limit: limit + 1 });
      if (read.kind === 'unknown') return unavailable(read.cause);
      const items = read.value.slice(0, limit);
      return { kind: 'ok', value: { items, more: read.value.length > limit } };
    },
    holder: async (secret) => {
      if (!isSecret(secret)) return { kind: 'missing' };
      const digest = digestOfSecret(secret);
      const known = remembered.get(digest);
      if (known !== undefined) return known;
      const pending = asking.get(digest) ?? askHolder(apiKeys, digest);
      asking.set(digest, pending);
      const found = await pending.finally(() => asking.delete(digest));
      if (found.kind !== 'unknown') remembered.set(digest, found);
      return found;
    },
  };
}

async function askHolder(apiKeys: ApiKeyStore, digest: string): Promise<Lookup<ApiKey>> {
  const found = await apiKeys.bySecret(digest);
  if (found.kind !== 'found') return found;
  const { key, now } = found.value;
  return isValidAt(key, now) ? { kind: 'found', value: key } : { kind: 'missing' };
}

async function make(
  { apiKeys, mark }: ApiKeyPorts,
  reserved: Actor,
  { by, ...wanted }: NewApiKey,
): ReturnType<ApiKeys['make']> {
  if (wanted.name === reserved) return { kind: 'exists' };
  const read = await mark.read();
  if (read.kind === 'unknown') return unavailable(read.cause);
  const id = parseApiKeyId(uuid());
  if (id === undefined) throw new TypeError('a UUID is an id of a key');
  const key: ApiKey = { ...wanted, id, createdBy: by, createdAt: read.value.now };
  const secret = makeSecret();
  const inserted = await apiKeys.insert(key, digestOfSecret(secret));
  switch (inserted.kind) {
    case 'inserted':
      return { kind: 'key', key, secret };
    case 'taken':
      return { kind: 'exists' };
    case 'unknown':
      return unavailable(inserted.cause);
  }
}

function queried(found: Lookup<ApiKey>): QueryAnswer<ApiKey> {
  if (found.kind === 'unknown') return unavailable(found.cause);
  return found.kind === 'missing' ? { kind: 'not-found' } : { kind: 'ok', value: found.value };
}
