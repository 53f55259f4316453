/** API keys, as answers show them. */
import { z } from 'zod';
import { roles } from '../../domain/api-key.ts';
import type { Shown } from './shown.ts';
import { instantShown } from './shown.ts';

const fields = {
  id: z.uuid(),
  name: z.string(),
  role: z.enum(roles),
  warehouses: z.array(z.string()).exactOptional(),
  expiresAt: instantShown.exactOptional(),
  createdBy: z.string(),
  createdAt: instantShown,
  revokedAt: instantShown.exactOptional(),
};

export const apiKeyShown = z.strictObject(fields).meta({ id: 'ApiKey' });
export type ApiKeyShown = Shown<typeof apiKeyShown>;

export const apiKeyWithSecretShown = z
  .strictObject({
    ...fields,
    key: z.string().meta({ description: 'The secret. It is shown this once.' }),
  })
  .meta({ id: 'ApiKeyWithSecret' });
export type ApiKeyWithSecretShown = Shown<typeof apiKeyWithSecretShown>;

export const sessionShown = z.strictObject({
  name: z.string(),
  role: z.enum(roles),
  warehouses: z.array(z.string()).exactOptional(),
});
export type SessionShown = Shown<typeof sessionShown>;
