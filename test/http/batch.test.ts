import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseInstant } from '../../src/domain/ids.ts';
import type { Action } from '../../src/domain/action.ts';
import type { ActionAnswer } from '../../src/inventory/answer.ts';
import { outcomeOf } from '../support/http-client.ts';
import type { Reply } from '../support/http-client.ts';
import { gate } from './gate.ts';
import type { StubService } from './stub-service.ts';
import { startStub } from './stub-service.ts';

let running: StubService | undefined;

afterEach(async () => {
  await running?.http.stop();
  running = undefined;
});

async function start(
  post: (action: Action) => Promise<ActionAnswer>,
  requestDeadlineMs = 8_000,
): Promise<StubService['client']> {
  running = await startStub({ inventory: { post }, requestDeadlineMs });
  return running.client;
}

function moved({ actionId, sku, actor }: Action): ActionAnswer {
  const at = parseInstant(0) ?? expect.fail('0 is an instant');
  const movement = { actionId, sku, ordinal: 1, type: 'receive', lines: [], actor, at } as const;
  return { kind: 'moved', movement, replayed: false };
}

const item = (idempotencyKey: string, sku = 'S') => ({
  idempotencyKey,
  type: 'receive',
  sku,
  location: 'A',
  quantity: 1,
});

const resultsSchema = z.object({
  results: z.array(
    z.object({
      idempotencyKey: z.string().nullable(),
      status: z.number(),
      problem: z.looseObject({ code: z.string(), instance: z.string() }).optional(),
    }),
  ),
});

/** Key, status and code of each item. */
function resultsOf(reply: Reply): readonly string[] {
  return resultsSchema
    .parse(reply.body)
    .results.map(({ idempotencyKey, status, problem }) =>
      [idempotencyKey, status, problem?.code].filter((part) => part !== undefined).join(' '),
    );
}

describe('a batch', () => {
  it('sends the items of one SKU one after the other, those of others meanwhile', async () => {
    const events: string[] = [];
    const others = gate();
    const client = await start(async (action) => {
      events.push(`begin ${action.actionId}`);
      if (action.sku === 'S') await others.opened;
      if (action.actionId === 'admin/t2') others.open();
      events.push(`end ${action.actionId}`);
      return moved(action);
    });
    const reply = await client.batch([item('s1'), item('t1', 'T'), item('s2'), item('t2', 'T')]);
    expect(resultsOf(reply)).toEqual(['s1 201', 't1 201', 's2 201', 't2 201']);
    const ofSku = (letter: string) => events.filter((event) => event.includes(`/${letter}`));
    for (const letter of ['s', 't']) {
      const [first, second] = [`admin/${letter}1`, `admin/${letter}2`];
      expect(ofSku(letter)).toEqual([
        `begin ${first}`,
        `end ${first}`,
        `begin ${second}`,
        `end ${second}`,
      ]);
    }
  });

  it('has a bounded number of SKUs under way', async () => {
    let underWay = 0;
    let most = 0;
    const client = await start(async (action) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return moved(action);
    });
    await client.batch(Array.from({ length: 40 }, (_, n) => item(`k${n}`, `S${n}`)));
    expect(most).toBe(8);
  });

  it('gives each invalid item its own problem, and the rest its movement', async () => {
    const client = await start((action) => Promise.resolve(moved(action)));
    const keyless = { type: 'receive', sku: 'S', location: 'A', quantity: 1 };
    const reply = await client.batch([
      item('ok'),
      5,
      keyless,
      item('not a key'),
      { ...item('x'), idempotencyKey: 7 },
      { ...item('unknown'), version: 1 },
      { ...item('zero'), quantity: 0 },
      item('"quoted"'),
    ]);
    expect(reply.status).toBe(200);
    expect(resultsOf(reply)).toEqual([
      'ok 201',
      ' 422 validation',
      ' 400 idempotency-key-missing',
      'not a key 400 idempotency-key-invalid',
      ' 400 idempotency-key-invalid',
      'unknown 422 unknown-field',
      'zero 422 validation',
      '"quoted" 201',
    ]);
    expect(reply.body).toMatchObject({
      results: { 6: { problem: { errors: [{ path: '/items/6/quantity' }] } } },
    });
  });

  it('keeps an item named __proto__ from passing as anything else', async () => {
    const client = await start((action) => Promise.resolve(moved(action)));
    const text = JSON.stringify({ items: [item('a')] }).replace('{"idem', '{"__proto__":{},"idem');
    const reply = await client.send('POST', '/v1/movements/batch', { body: text });
    expect(resultsOf(reply)).toEqual(['a 422 unknown-field']);
  });

  it('is the same request as a single one: operation and digest', async () => {
    const actions: Action[] = [];
    const client = await start((action) => {
      actions.push(action);
      return Promise.resolve(moved(action));
    });
    const { idempotencyKey: key, ...single } = { ...item('k', 'cafe\u0301'), note: 'n' };
    await client.move(single, key);
    await client.batch([{ ...item('k', 'caf\u00e9'), note: 'n' }]);
    expect(actions[1]).toEqual(actions[0]);
    expect(actions[0]).toMatchObject({ operation: 'POST /v1/movements', actionId: 'admin/k' });
  });

  it('sends nothing more for a SKU once an outcome is unknown', async () => {
    const sent: string[] = [];
    const client = await start((action) => {
      sent.push(action.actionId);
      return Promise.resolve(
        action.actionId === 'admin/s1'
          ? { kind: 'unavailable', retryAfterSeconds: 1, cause: 'lost' }
          : moved(action),
      );
    });
    const reply = await client.batch([item('s1'), item('s2'), item('t1', 'T')]);
    expect(resultsOf(reply)).toEqual(['s1 503 unavailable', 's2 503 unavailable', 't1 201']);
    expect(sent.toSorted()).toEqual(['admin/s1', 'admin/t1']);
    expect(reply.body).toMatchObject({ results: { 1: { problem: { retryAfterSeconds: 1 } } } });
  });

  it('goes on after a refusal', async () => {
    const client = await start((action) =>
      Promise.resolve(
        action.actionId === 'admin/s1'
          ? { kind: 'refused', refusal: { code: 'idempotency-key-reused' } }
          : moved(action),
      ),
    );
    const reply = await client.batch([item('s1'), item('s2')]);
    expect(resultsOf(reply)).toEqual(['s1 422 idempotency-key-reused', 's2 201']);
  });

  it('begins nothing after its deadline', async () => {
    const client = await start(async (action) => {
      const until = performance.now() + 20;
      while (performance.now() < until) await new Promise(setImmediate);
      return moved(action);
    }, 10);
    const reply = await client.batch([item('s1'), item('s2')]);
    expect(resultsOf(reply)).toEqual(['s1 201', 's2 503 unavailable']);
  });

  it.each([
    [[], '422 validation'],
    [{}, '422 validation'],
    [{ items: {} }, '422 validation'],
    [{ items: [], more: 1 }, '422 unknown-field'],
    [{ items: Array(201).fill(5) }, '422 validation'],
    [{ items: [] }, '200'],
  ])('of %j: %s', async (body, outcome) => {
    const client = await start((action) => Promise.resolve(moved(action)));
    expect(outcomeOf(await client.send('POST', '/v1/movements/batch', { body }))).toBe(outcome);
  });

  it('may be as large as 1 MiB', async () => {
    const client = await start((action) => Promise.resolve(moved(action)));
    const sized = (bytes: number) => {
      const text = JSON.stringify({ items: [] });
      return text.replace('[', `[${' '.repeat(bytes - text.length)}`);
    };
    const send = (bytes: number) =>
      client.send('POST', '/v1/movements/batch', { body: sized(bytes) });
    expect(outcomeOf(await send(1024 * 1024))).toBe('200');
    expect(outcomeOf(await send(1024 * 1024 + 1))).toBe('413 body-too-large');
  });
});
