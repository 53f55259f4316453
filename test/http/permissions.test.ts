import { describe, expect, it } from 'vitest';
import { roles } from '../../src/domain/api-key.ts';
import { mayDo, permittedOperations } from '../../src/http/permissions.ts';
import { stubTable } from './stub-service.ts';

const keyed = stubTable()
  .filter(({ access }) => access === 'key')
  .map(({ method, path }) => `${method} ${path}`);

describe('the table of permissions', () => {
  it('names every operation that needs a key, and no other', () => {
    expect(permittedOperations.toSorted()).toEqual(keyed.toSorted());
  });

  it('denies what is not in it, to admins as well', () => {
    for (const role of roles) expect(mayDo(role, 'GET /v1/secrets')).toBe(false);
  });

  it('lets admins do everything, and auditors change nothing', () => {
    for (const operation of keyed) {
      expect(mayDo('admin', operation)).toBe(true);
      if (!operation.startsWith('GET ')) expect(mayDo('auditor', operation)).toBe(false);
    }
  });

  it('lets auditors read everything but keys', () => {
    const reads = keyed.filter((operation) => operation.startsWith('GET '));
    const denied = reads.filter((operation) => !mayDo('auditor', operation));
    expect(denied.toSorted()).toEqual(['GET /v1/api-keys', 'GET /v1/api-keys/{id}']);
  });

  it.each([
    ['POST /v1/movements', true],
    ['POST /v1/skus/{sku}/reservations', true],
    ['PUT /v1/stock-counts/{id}/lines', true],
    ['GET /v1/movements', true],
    ['PUT /v1/skus/{sku}', false],
    ['POST /v1/purchase-orders/{number}/receipts', false],
    ['POST /v1/stock-counts', false],
    ['PUT /v1/reminders/{actor}/{name}', false],
  ])('tells scanners of %s: %s', (operation, allowed) => {
    expect(mayDo('scanner', operation)).toBe(allowed);
  });
});
