/**
 * API keys as an admin's key sees them that has warehouses of its own: it hands on no more than it
 * has. It makes keys within its warehouses, and shows, replaces and revokes such keys; any other
 * is as one that is not there. A key's warehouses never change, so looking first is enough.
 */
import type { ApiKey } from '../domain/api-key.ts';
import type { ApiKeys } from './api-key-ports.ts';
import type { Reach } from './reach.ts';
import { beyond } from './reach.ts';

export function apiKeysWithin(reach: Reach, apiKeys: ApiKeys): ApiKeys {
  const lies = ({ warehouses }: Pick<ApiKey, 'warehouses'>): boolean =>
    warehouses !== undefined && reach.coversAll(warehouses);
  const key: ApiKeys['key'] = async (id) => {
    const found = await apiKeys.key(id);
    return found.kind === 'ok' && !lies(found.value) ? { kind: 'not-found' } : found;
  };
  return {
    ...apiKeys,
    make: async (wanted) => (lies(wanted) ? apiKeys.make(wanted) : beyond),
    rotate: async (id, graceSeconds) => {
      const found = await key(id);
      return found.kind === 'ok' ? apiKeys.rotate(id, graceSeconds) : found;
    },
    revoke: async (id) => {
      const found = await key(id);
      return found.kind === 'ok' ? apiKeys.revoke(id) : found;
    },
    key,
    keys: (query) => apiKeys.keys({ ...query, within: reach.warehouses }),
  };
}
