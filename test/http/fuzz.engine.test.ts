/**
 * 2,000 requests that the document allows, and others, against the whole service on the real
 * engine: none is answered 500, none is left without an answer, and each answer is one that the
 * document describes.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anyRequest } from '../support/any-request.ts';
import type { Exchange } from '../support/any-sender.ts';
import { anySender } from '../support/any-sender.ts';
import type { Described } from '../support/described.ts';
import { describedBy, faultsOf } from '../support/described.ts';
import { useService } from '../support/service.ts';

const service = useService();
const { client } = service;

/** The document's examples speak of some of these. */
const skus = ['TEA-100', 'T', 'Ü/b er.$x'];
const stocked = ['A-01', 'B-01', 'C', 'Q'];
const empty = ['E', 'F', 'G', 'H'];
const codes = ['4006381333931', '14006381333938'];

/** By the names of members and parameters. */
const real = {
  sku: skus,
  skus: [['TEA-100'], ['T', 'TEA-100']],
  location: [...stocked, ...empty],
  locations: [['A-01'], ['B-01', 'C'], ['Q'], ['E']],
  from: stocked,
  to: stocked,
  unit: ['each', 'case'],
  baseUnit: ['each'],
  packs: [[{ unit: 'case', contains: 12 }], []],
  barcodes: [[], codes.map((code) => ({ code }))],
  description: ['Bolt', '=1+1'],
  name: ['reorder', 'reorder:7', 'Bay 1'],
  supplier: ['Leaf & Sons'],
  warehouse: ['NORTH', 'V'],
  number: Array.from({ length: 50 }, (_, index) => `PO-${index}`),
  line: [1, 2],
  code: codes,
  reference: ['r-1', '=1+1'],
  q: ['b', 'Bolt'],
  actor: ['admin', 'nightly', '~saga'],
  every: ['P1D', 'PT90M', '30 2 * * *', 'PT1S', 'never'],
  timeZone: ['Europe/Vienna', 'UTC', 'Nowhere/At-all'],
  key: ['k-1', 'never-sent'],
  'Idempotency-Key': ['k-1', 'k-2', '"k-1"'],
};

const requests = 2_000;
const atOnce = 20;
const seed = 20_260_131;

let described: Described;
const otherKeys: string[] = [];
const madeKey = z.object({ key: z.string() });

beforeAll(async () => {
  described = describedBy((await client.get('/openapi.json')).body);
  for (const location of real.location) {
    const kind = location === 'Q' ? 'quarantine' : 'storage';
    const warehouse = location === 'C' ? 'V' : 'NORTH';
    await client.put(`/v1/locations/${location}`, { warehouse, kind });
  }
  for (const [index, sku] of skus.entries()) {
    const barcodes = index === 0 ? codes.map((code) => ({ code })) : [];
    const definition = { description: 'Bolt', packs: [{ unit: 'case', contains: 12 }], barcodes };
    await client.put(`/v1/skus/${encodeURIComponent(sku)}`, definition);
    for (const location of stocked) {
      await client.move({ type: 'receive', sku, location, quantity: 10_000 });
    }
  }
});

beforeAll(async () => {
  for (const role of ['scanner', 'back_office', 'auditor']) {
    const body = { name: role, role, warehouses: ['NORTH'] };
    const made = await client.send('POST', '/v1/api-keys', { body });
    otherKeys.push(`Bearer ${madeKey.parse(made.body).key}`);
  }
});

function told({ method, target, headers, body, answer }: Exchange, fault: string): string {
  const sent = `${method} ${target} ${JSON.stringify(headers)} ${body?.slice(0, 1_000) ?? ''}`;
  return `${fault}\n  ${sent}\n  ${answer.status} ${answer.text.slice(0, 1_000)}`;
}

describe('whatever is sent', () => {
  let sender: ReturnType<typeof anySender> | undefined;
  afterAll(() => sender?.close());

  it('is answered as the document says', { timeout: 120_000 }, async () => {
    const { document, operations } = described;
    const templates = Object.keys(document.paths);
    const { send } = (sender = anySender(client.url, service.secret, templates));
    const known = { ...real, Authorization: otherKeys };
    const some = fc.array(anyRequest(document, operations, known), {
      minLength: atOnce,
      maxLength: atOnce,
    });
    const faults: string[] = [];
    const succeeded = new Set<string>();
    for (const made of fc.sample(some, { numRuns: requests / atOnce, seed })) {
      const done = await Promise.all(made.map(send));
      for (const [index, exchange] of done.entries()) {
        const operation = made[index]?.operation ?? expect.fail('one answer for each request');
        const { status } = exchange.answer;
        if (status < 300) succeeded.add(operation.operationId);
        if (status === 500) faults.push(told(exchange, 'the service failed'));
        for (const fault of faultsOf(described, operation, exchange.answer)) {
          faults.push(told(exchange, fault));
        }
      }
    }
    expect(faults).toEqual([]);
    // Far from all that was sent was turned away at the door.
    expect(succeeded.size).toBeGreaterThan(operations.length * 0.8);
  });
});
