/** The document on API keys. */
import { apiKeyShown, apiKeyWithSecretShown } from '../answers/api-key.ts';
import { pageShown } from '../answers/shown.ts';
import type { OperationDocs } from './operation.ts';
import { shown } from './operation.ts';

export const apiKeyDocs: OperationDocs = {
  'POST /v1/api-keys': {
    id: 'makeApiKey',
    tag: 'API keys',
    summary: 'Make a key',
    description:
      'The secret is shown this once; where the answer is lost, rotate the key. An ' +
      'Idempotency-Key is ignored.',
    answers: { 201: { what: 'The key and its secret.', schema: apiKeyWithSecretShown } },
    refuses: ['api-key-exists'],
    example: { name: 'dock-3', role: 'scanner', warehouses: ['W1'] },
  },
  'GET /v1/api-keys': {
    id: 'listApiKeys',
    tag: 'API keys',
    summary: 'List keys, by name',
    answers: shown('A page of keys, without their secrets.', pageShown(apiKeyShown)),
    refuses: [],
  },
  'GET /v1/api-keys/{id}': {
    id: 'getApiKey',
    tag: 'API keys',
    summary: 'Show a key',
    answers: shown('The key, without its secret.', apiKeyShown),
    refuses: ['not-found'],
  },
  'DELETE /v1/api-keys/{id}': {
    id: 'revokeApiKey',
    tag: 'API keys',
    summary: 'Revoke a key',
    description: 'It lets nobody in any more, everywhere within five seconds.',
    answers: shown('The key.', apiKeyShown),
    refuses: ['not-found'],
  },
  'POST /v1/api-keys/{id}/rotate': {
    id: 'rotateApiKey',
    tag: 'API keys',
    summary: 'Give a key a new secret',
    description: 'The secret before holds for `graceSeconds` more.',
    answers: shown('The key and its new secret.', apiKeyWithSecretShown),
    refuses: ['not-found'],
    example: { graceSeconds: 3_600 },
  },
};
