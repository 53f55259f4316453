/** A receipt whose process dies, at every call that it makes to the real engine. */
import { describe, expect, it } from 'vitest';
import { actionId } from '../support/actions.ts';
import { Crash, crashGate, sides } from '../support/gate.ts';
import type { CrashPoint } from '../support/gate.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import { useReceivingSite } from '../support/receiving-site.ts';
import {
  answerName,
  orderWith,
  receiptOfKey,
  receiveRequest,
  receivingFaults,
  receivingProcess,
} from '../support/receiving.ts';

const site = useReceivingSite();

/** An order of its own, with SKUs of its own. @returns the calls that were made. */
async function dieAndRecover(name: string, point?: CrashPoint): Promise<readonly string[]> {
  const [a, b] = [`${name}-A`, `${name}-B`];
  await site.stockSku(a);
  await site.stockSku(b);
  await site
    .ports()
    .orders.create(orderWith(name, [1, a, 10], [2, a, 5], [3, b, 5]), actionId(name));
  const request = receiveRequest(name, `${name}-key`, [1, 'A1', 10], [2, 'A1', 5], [3, 'R1', 5]);
  const { gate, calls } = crashGate(point);
  const first = receivingProcess(site.ports(gate), processTimer);
  await first.receiving.receive(request).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
  await first.runs.idle();
  await site.lapse();
  const plain = site.ports();
  await receivingProcess(plain, processTimer).recover();
  const ids = [receiptOfKey(`${name}-key`)];
  expect(await receivingFaults(plain, name, ids)).toEqual([]);
  const last = receivingProcess(plain, processTimer);
  expect(answerName(await last.receiving.receive(request))).toMatch(/^completed/);
  await last.runs.idle();
  expect(await receivingFaults(plain, name, ids)).toEqual([]);
  return calls;
}

describe('a receipt', () => {
  it('is finished without a client, once, wherever its process died', async () => {
    const calls = await dieAndRecover('WHOLE');
    expect(calls.length).toBeGreaterThan(25);
    for (let call = 1; call <= calls.length; call += 1) {
      for (const side of sides) await dieAndRecover(`DIES-${call}-${side}`, { call, side });
    }
  }, 180_000);
});
