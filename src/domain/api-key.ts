/** API keys: who may call, in which role, within which warehouses. The secret is not among it. */
import type { Actor, Brand, Instant, WarehouseId } from './ids.ts';

export type ApiKeyId = Brand<string, 'ApiKeyId'>;

export const roles = ['scanner', 'back_office', 'auditor', 'admin'] as const;
export type Role = (typeof roles)[number];

export const warehousesLimit = 200;
export const graceSecondsLimit = 2_592_000;

export interface ApiKey {
  readonly id: ApiKeyId;
  /** Under which its holder acts; no two keys ever made share one. */
  readonly name: Actor;
  readonly role: Role;
  /** Absent where every warehouse is within reach. */
  readonly warehouses?: readonly WarehouseId[];
  readonly expiresAt?: Instant;
  readonly createdBy: Actor;
  readonly createdAt: Instant;
  readonly revokedAt?: Instant;
}

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function parseApiKeyId(text: string): ApiKeyId | undefined {
  return idForm.test(text) ? (text as ApiKeyId) : undefined;
}

/** A key lets nobody in at its expiry or after, nor once it is revoked. */
export function isValidAt({ expiresAt, revokedAt }: ApiKey, now: Instant): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
