/** Reminders over HTTP: what may be set, shown and taken away, and what the webhook gets. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectionsOf } from '../../src/store/documents.ts';
import { freshKey, outcomeOf, pageOf, problemOf } from '../support/http-client.ts';
import { receiver, reminderId } from '../support/reminders.ts';
import { useService } from '../support/service.ts';

const { client, database } = useService();
const { reminders } = collectionsOf(database.db);

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const path = (name: string, actor = 'orders') =>
  `/v1/reminders/${actor}/${encodeURIComponent(name)}`;

const view = z.object({ at: z.string(), state: z.string(), attempts: z.number() });

describe('setting a reminder', () => {
  it('makes it, moves it, shows it and takes it away', async () => {
    const at = inAnHour();
    const said = { at, payload: { order: 'PO-1', lines: [1, 2] } };
    const made = await client.put(path('late:PO/1'), said);
    expect(made.status).toBe(201);
    const shown = {
      actor: 'orders',
      name: 'late',
      key: 'PO/1',
      at,
      missed: 'latest',
      payload: { order: 'PO-1', lines: [1, 2] },
      state: 'scheduled',
      attempts: 0,
    };
    expect(made.body).toEqual(shown);
    expect((await client.get(path('late:PO/1'))).body).toEqual(shown);

    const later = new Date(Date.parse(at) + 1_000).toISOString();
    const moved = await client.put(path('late:PO/1'), { at: later, missed: 'all' });
    expect(moved.status).toBe(200);
    expect(moved.body).toMatchObject({ at: later, missed: 'all' });
    expect(moved.body).not.toHaveProperty('payload');

    const removed = await client.send('DELETE', path('late:PO/1'));
    expect(removed.status).toBe(200);
    expect(removed.body).toEqual({ actor: 'orders', name: 'late', key: 'PO/1', state: 'removed' });
    expect((await client.send('DELETE', path('late:PO/1'))).body).toEqual(removed.body);
    expect(outcomeOf(await client.get(path('late:PO/1')))).toBe('404 not-found');
  });

  it('keeps any JSON as it came, and an offset as the instant that it means', async () => {
    const payload = JSON.parse('{"$set":{"a.b":1},"__proto__":[null,false,""],"n":1.5}') as unknown;
    const body = JSON.stringify({ at: '2030-01-01T02:00:00+02:00', payload });
    const made = await client.send('PUT', path('any'), { body });
    expect(JSON.stringify(made.body)).toContain(JSON.stringify(payload));
    expect(made.body).toMatchObject({ at: '2030-01-01T00:00:00.000Z' });
  });

  it('takes a cron line without a first time', async () => {
    const every = { every: '30 2 * * *', timeZone: 'Europe/Amsterdam' };
    const made = await client.put(path('nightly'), every);
    expect(made.body).toMatchObject(every);
    const at = new Date(view.parse(made.body).at);
    expect(at.getTime()).toBeGreaterThan(Date.now());
    const options = { timeZone: 'Europe/Amsterdam', timeStyle: 'short' } as const;
    expect(at.toLocaleTimeString('en-GB', options)).toMatch(/^02:30|^03:00/);
  });

  it('shows a due one as due, where there is no webhook to tell', async () => {
    const made = await client.put(path('waiting'), { at: '2020-01-01T00:00:00Z' });
    expect(made.body).toMatchObject({ state: 'due', attempts: 0 });
    expect((await client.get(path('waiting'))).body).toMatchObject({ state: 'due', attempts: 0 });
  });

  it('answers a repeat under one key as it did first, and refuses another request', async () => {
    const key = freshKey();
    const body = { at: inAnHour() };
    const first = await client.send('PUT', path('keyed'), { body, key });
    expect(first.status).toBe(201);
    await client.put(path('keyed'), { at: '2031-01-01T00:00:00Z' });
    const again = await client.send('PUT', path('keyed'), { body, key });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(view.parse((await client.get(path('keyed'))).body).at).toBe('2031-01-01T00:00:00.000Z');
    const other = await client.send('PUT', path('keyed'), { body: { at: inAnHour() }, key });
    expect(outcomeOf(other)).toBe('422 idempotency-key-reused');
    const elsewhere = await client.send('DELETE', path('keyed'), { key });
    expect(outcomeOf(elsewhere)).toBe('422 idempotency-key-reused');
  });

  it('once for twenty at once under one key', async () => {
    const key = freshKey();
    const body = { at: inAnHour() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.send('PUT', path('burst'), { body, key })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
  });

  it('takes an actor away with all that it has set', async () => {
    for (const name of ['a', 'b:1', 'b:2'])
      await client.put(path(name, 'leaver'), { at: inAnHour() });
    await client.put(path('a', 'leaver-2'), { at: inAnHour() });
    const removed = await client.send('DELETE', '/v1/reminders/leaver');
    expect(removed.body).toEqual({ actor: 'leaver', removed: 3 });
    expect((await client.send('DELETE', '/v1/reminders/leaver')).body).toMatchObject({
      removed: 0,
    });
    expect((await client.get(path('a', 'leaver-2'))).status).toBe(200);
  });
});

describe('the list', () => {
  it('goes page by page, of all, of one actor, and of the suspended ones', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `listed:${index}`);
    for (const name of names) await client.put(path(name, 'lister'), { at: inAnHour() });
    const ids = names.slice(0, 3).map((name) => reminderId(`lister/${name}`));
    for (const _id of ids) {
      const suspended = { $set: { state: 'suspended', attempts: 10, lastFailure: 'no' } } as const;
      await reminders.updateOne({ _id }, [suspended, { $unset: ['nextAt'] }]);
    }
    for (const [query, count] of [
      ['actor=lister', 7],
      ['actor=lister&state=suspended', 3],
      ['state=suspended', 3],
    ] as const) {
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = pageOf(await client.get(`/v1/reminders?limit=2&${query}${more}`));
        seen.push(...page.items.map(({ key }) => key));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(Array.from({ length: count }, (_, index) => String(index)));
    }
  });

  it('shows what the service has set for itself; that can be resumed and nothing else', async () => {
    const id = reminderId('~saga/receipt:1');
    const suspended = {
      _id: id,
      armedBy: 'test',
      receiver: receiver('~saga'),
      missed: 'latest',
      firstDueAt: new Date(0),
      dueAt: new Date(0),
      state: 'suspended',
      attempts: 10,
      lastFailure: 'no',
    } as const;
    await reminders.insertOne(suspended);
    const listed = pageOf(await client.get('/v1/reminders?state=suspended&actor=~saga'));
    expect(listed.items).toMatchObject([{ actor: '~saga', name: 'receipt', state: 'suspended' }]);
    const own = path('receipt:1', '~saga');
    expect(outcomeOf(await client.put(own, { at: inAnHour() }))).toBe('422 validation');
    expect(outcomeOf(await client.send('DELETE', own))).toBe('422 validation');
    expect(outcomeOf(await client.send('DELETE', '/v1/reminders/~saga'))).toBe('422 validation');
    const resumed = await client.send('POST', `${own}/resume`);
    expect(resumed.status).toBe(200);
    expect(resumed.body).toMatchObject({ state: 'due', attempts: 0 });
    expect((await client.send('POST', `${own}/resume`)).status).toBe(200);
    expect(outcomeOf(await client.send('POST', `${path('none')}/resume`))).toBe('404 not-found');
  });
});

describe('what is turned away', () => {
  const at = '2030-01-01T00:00:00Z';
  it.each<readonly [what: string, name: string, body: unknown, path: string]>([
    ['an empty key', 'late:', { at }, '{name}'],
    ['an empty name', ':key', { at }, '{name}'],
    ['192 characters', 'n'.repeat(186), { at }, '{name}'],
    ['a control character', 'a\u0000b', { at }, '{name}'],
    ['no time', 'x', {}, '/at'],
    ['a time without a zone', 'x', { at: '2030-01-01T00:00:00' }, '/at'],
    ['a number for a time', 'x', { at: 1 }, '/at'],
    ['a duration without a first time', 'x', { every: 'P1D' }, '/at'],
    ['half a minute', 'x', { at, every: 'PT30S' }, '/every'],
    ['a cron line with seconds', 'x', { at, every: '* * * * * *' }, '/every'],
    ['a cron line that never comes', 'x', { at, every: '0 0 30 2 *' }, '/every'],
    ['an endless every', 'x', { at, every: '1'.repeat(201) }, '/every'],
    ['an unknown zone', 'x', { at, every: 'P1D', timeZone: 'Mars/Base' }, '/timeZone'],
    ['another rule', 'x', { at, missed: 'some' }, '/missed'],
    ['a payload over 8 KiB', 'x', { at, payload: 'ü'.repeat(4_096) }, '/payload'],
  ])('%s', async (_, name, body, at) => {
    const before = await reminders.countDocuments();
    const answer = await client.put(path(name), body);
    expect(outcomeOf(answer)).toBe('422 validation');
    expect(problemOf(answer).errors?.map((error) => error.path)).toEqual([at]);
    expect(await reminders.countDocuments()).toBe(before);
  });

  it.each<readonly [method: string, path: string, answer: string, sent: { body?: unknown }]>([
    ['PUT', path('x', 'Orders'), '422 validation', { body: { at } }],
    ['PUT', path('x'), '422 unknown-field', { body: { at, due: at } }],
    ['PUT', path('x'), '400 malformed-json', { body: '{' }],
    ['PUT', path('x'), '400 body-required', {}],
    ['PUT', '/v1/reminders/orders/%ff', '400 malformed-path', { body: { at } }],
    ['PUT', `${path('x')}?now=1`, '422 unknown-field', { body: { at } }],
    ['GET', path('x', 'Orders'), '422 validation', {}],
    ['GET', path(':'), '422 validation', {}],
    ['GET', '/v1/reminders?state=due', '422 validation', {}],
    ['GET', '/v1/reminders?limit=0', '422 validation', {}],
    ['GET', '/v1/reminders?cursor=x', '422 validation', {}],
    ['GET', '/v1/reminders?actor=X', '422 validation', {}],
    ['DELETE', '/v1/reminders/Orders', '422 validation', {}],
    ['DELETE', path('x', 'Orders'), '422 validation', {}],
    ['POST', `${path('x', 'Orders')}/resume`, '422 validation', {}],
    ['POST', path('x'), '405 method-not-allowed', {}],
    ['GET', `${path('x')}/resume`, '405 method-not-allowed', {}],
    ['PUT', '/v1/reminders/orders', '405 method-not-allowed', { body: { at } }],
  ])('%s %s: %s', async (method, path, answer, sent) => {
    expect(outcomeOf(await client.send(method, path, sent))).toBe(answer);
  });
});
