import { describe, expect, it } from 'vitest';
import { parseLocationId } from '../../src/domain/ids.ts';
import { problemDocument, problemKinds, refusalProblem } from '../../src/http/problem.ts';

describe('problems', () => {
  it('have the statuses that the contract names', () => {
    const byStatus = new Map<number, string[]>();
    for (const [code, { status }] of Object.entries(problemKinds)) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    expect([...byStatus.keys()].toSorted()).toEqual([
      400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503,
    ]);
    expect(byStatus.get(409)).toContain('insufficient-stock');
    expect(byStatus.get(412)).toEqual(['version-mismatch']);
  });

  it('carry what helps: the numbers of a refusal, and the id of the request', () => {
    const location = parseLocationId('A1') ?? expect.fail('A1 is a location');
    const refusal = refusalProblem({
      code: 'insufficient-stock',
      location,
      available: 3,
      requested: 5,
      locations: [{ location, available: 3 }],
    });
    expect(problemDocument(refusal, 'request-7')).toEqual({
      type: '/problems/insufficient-stock',
      title: 'There is not enough stock',
      status: 409,
      detail: '5 asked for, 3 available at A1.',
      instance: 'request-7',
      code: 'insufficient-stock',
      location: 'A1',
      available: 3,
      requested: 5,
      locations: [{ location: 'A1', available: 3 }],
    });
  });
});
