/**
 * API keys, one document each, for ever: a name that was given is not given again.
 *
 * 1. Of a secret only its digest is kept. A key has one secret that holds and, for a while, those
 *    that it replaced.
 * 2. When a secret or a key ends is decided on the database's clock.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Collection, Db, Document, Filter } from 'mongodb';
import type { ApiKey, ApiKeyId, Role } from '../domain/api-key.ts';
import type { Actor, WarehouseId } from '../domain/ids.ts';
import type { ApiKeyStore } from '../inventory/api-key-ports.ts';
import type { SecretDigest } from '../inventory/api-key-secret.ts';
import type { Lookup, Read } from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import { instantOf } from './documents.ts';
import { ask, askPlainly } from './store-error.ts';

interface KeptSecret {
  readonly digest: SecretDigest;
  /** Absent from the one that holds. */
  readonly until?: Date;
}

interface ApiKeyDocument {
  readonly _id: ApiKeyId;
  readonly name: Actor;
  readonly role: Role;
  readonly warehouses?: readonly WarehouseId[];
  readonly secrets: readonly KeptSecret[];
  readonly createdBy: Actor;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

type Keys = Collection<ApiKeyDocument>;

/** Replaced secrets that may hold at once. */
const replacedLimit = 5;

export function createApiKeyStore(db: Db): ApiKeyStore {
  const keys: Keys = db.collection('apiKeys');
  return {
    insert: async (key, digest) => {
      const asked = await ask(() => keys.insertOne(documentOf(key, digest), { maxTimeMS }));
      switch (asked.kind) {
        case 'found':
          return { kind: 'inserted' };
        case 'duplicate':
          return { kind: 'taken' };
        case 'conflict':
          return { kind: 'unknown', cause: 'the key met a conflict' };
        case 'unknown':
          return asked;
      }
    },
    bySecret: (digest) => bySecret(keys, digest),
    find: async (id) => looked(await askPlainly(() => keys.findOne({ _id: id }, { maxTimeMS }))),
    list: async ({ within, after, limit }) => {
      const filter: Filter<ApiKeyDocument> = {
        ...(within === undefined ? {} : reachingOnly(within)),
        ...(after === undefined ? {} : { name: { $gt: after } }),
      };
      const asked = await askPlainly(() =>
        keys.find(filter, { sort: { name: 1 }, limit, maxTimeMS }).toArray(),
      );
      return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value.map(keyOf) };
    },
    revoke: (id) => change(keys, id, { revokedAt: { $ifNull: ['$revokedAt', '$$NOW'] } }),
    rotate: (id, digest, graceSeconds) => change(keys, id, rotated(digest, graceSeconds)),
    isAnyValid: async () => {
      const asked = await askPlainly(() =>
        keys.findOne(
          { revokedAt: { $exists: false }, $expr: notExpired },
          { projection: { _id: 1 }, maxTimeMS },
        ),
      );
      return asked.kind === 'unknown' ? asked : { kind: 'found', value: asked.value !== null };
    },
  };
}

/** In a $cond, since DocumentDB looks for an index that could answer a bare comparison. */
const notExpired: Document = {
  $cond: [{ $gt: [{ $ifNull: ['$expiresAt', new Date(8.64e15)] }, '$$NOW'] }, true, false],
};

/** A key without warehouses reaches them all. */
function reachingOnly(warehouses: readonly WarehouseId[]): Filter<ApiKeyDocument> {
  const beyond = { $elemMatch: { $nin: [...warehouses] } };
  return { warehouses: { $exists: true, $not: beyond } };
}

function documentOf(key: ApiKey, digest: SecretDigest): ApiKeyDocument {
  const { id, name, role, warehouses, createdBy, createdAt, expiresAt } = key;
  return {
    _id: id,
    name,
    role,
    ...(warehouses === undefined ? {} : { warehouses }),
    secrets: [{ digest }],
    createdBy,
    createdAt: new Date(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
  };
}

function keyOf(document: ApiKeyDocument): ApiKey {
  const { _id: id, name, role, warehouses, createdBy, createdAt, expiresAt, revokedAt } = document;
  return {
    id,
    name,
    role,
    ...(warehouses === undefined ? {} : { warehouses }),
    createdBy,
    createdAt: instantOf(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: instantOf(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: instantOf(revokedAt) }),
  };
}

async function bySecret(keys: Keys, digest: SecretDigest): ReturnType<ApiKeyStore['bySecret']> {
  const fields = { name: 1, role: 1, warehouses: 1, secrets: 1, createdBy: 1, createdAt: 1 };
  const ends = { expiresAt: 1, revokedAt: 1 };
  const asked = await askPlainly(() =>
    keys.findOne<ApiKeyDocument & { readonly now: Date }>(
      { 'secrets.digest': digest },
      { projection: { ...fields, ...ends, now: '$$NOW' }, maxTimeMS },
    ),
  );
  if (asked.kind === 'unknown') return asked;
  if (asked.value === null) return { kind: 'missing' };
  const { secrets, now } = asked.value;
  const opens = secrets.some(
    (secret) => isSame(secret.digest, digest) && (secret.until === undefined || secret.until > now),
  );
  return opens
    ? { kind: 'found', value: { key: keyOf(asked.value), now: instantOf(now) } }
    : { kind: 'missing' };
}

function isSame(one: SecretDigest, other: SecretDigest): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
}

/** The ones before hold no longer than their grace, and no longer than they would have. */
function rotated(digest: SecretDigest, graceSeconds: number): Document {
  const over = { $add: ['$$NOW', graceSeconds * 1_000] };
  const ending = {
    $map: {
      input: '$secrets',
      in: { digest: '$$this.digest', until: { $min: ['$$this.until', over] } },
    },
  };
  const holding = { $filter: { input: ending, cond: { $gt: ['$$this.until', '$$NOW'] } } };
  const replaced = { $slice: [holding, replacedLimit] };
  return { secrets: { $concatArrays: [[{ digest: { $literal: digest } }], replaced] } };
}

async function change(keys: Keys, id: ApiKeyId, set: Document): Promise<Lookup<ApiKey>> {
  const asked: Read<ApiKeyDocument | null> = await askPlainly(() =>
    keys.findOneAndUpdate({ _id: id }, [{ $set: set }], { returnDocument: 'after', maxTimeMS }),
  );
  return looked(asked);
}

function looked(asked: Read<ApiKeyDocument | null>): Lookup<ApiKey> {
  if (asked.kind === 'unknown') return asked;
  return asked.value === null ? { kind: 'missing' } : { kind: 'found', value: keyOf(asked.value) };
}
