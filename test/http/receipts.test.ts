/** Receipts over HTTP that are not finished in time: 202 and where to look, first and again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionId, instant } from '../support/actions.ts';
import { freshKey } from '../support/http-client.ts';
import { units } from '../support/orders.ts';
import { pendingReceipt } from '../support/receiving.ts';
import type { ReceiptAnswer } from '../../src/inventory/order-ports.ts';
import type { StubService } from './stub-service.ts';
import { startStub } from './stub-service.ts';

let service: StubService;
let answer: ReceiptAnswer;

beforeAll(async () => {
  const receive = () => Promise.resolve(answer);
  service = await startStub({ receiving: { receive, reverse: receive } });
});
afterAll(() => service.http.stop());

const pending = pendingReceipt('A/1', actionId('key'), instant(0), [[1, 'X', 'A1', 4]]);

describe('a receipt', () => {
  it.each([
    ['credited', false, 202, 'in_progress', null],
    ['returning', true, 202, 'in_progress', 'true'],
    ['completed', false, 201, 'completed', null],
    ['completed', true, 200, 'completed', 'true'],
    ['reversing', true, 202, 'reversing', 'true'],
    ['reversed', true, 200, 'reversed', 'true'],
  ] as const)('%s, replayed %s, is %d', async (state, replayed, status, shown, header) => {
    answer = { kind: 'receipt', receipt: { ...pending, state }, replayed };
    const path = '/v1/purchase-orders/A%2F1/receipts';
    const reply = await service.client.send('POST', path, { body: units(4), key: freshKey() });
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ number: 'A/1', status: shown });
    expect(reply.headers.get('idempotent-replayed')).toBe(header);
    const location = status === 202 ? `${path}/${pending.id}` : null;
    expect(reply.headers.get('location')).toBe(location);
  });

  it('that is undecided is a 503, and its key stays safe', async () => {
    answer = { kind: 'unavailable', retryAfterSeconds: 1, cause: 'undecided' };
    const path = '/v1/purchase-orders/A%2F1/receipts';
    const reply = await service.client.send('POST', path, { body: units(4), key: freshKey() });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
  });
});
