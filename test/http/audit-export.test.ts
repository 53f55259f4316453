/** The forms of an export, and what becomes of one that fails on its way. */
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, it } from 'vitest';
import type { Movement } from '../../src/domain/movement.ts';
import type { Read } from '../../src/inventory/ports.ts';
import {
  actionId,
  actor,
  delta,
  instant,
  place,
  quantity,
  reservationId,
  sku,
} from '../support/actions.ts';
import { parseOnHand } from '../../src/domain/quantity.ts';
import type { StubService } from './stub-service.ts';
import { secret, startStub } from './stub-service.ts';

type Page = Read<readonly Movement[]>;

function movement(more: Partial<Movement> = {}): Movement {
  return {
    actionId: actionId('key'),
    sku: sku('A'),
    ordinal: 1,
    type: 'receive',
    lines: [{ location: place('A1'), delta: delta(7), onHand: onHand(7) }],
    actor,
    at: instant(Date.UTC(2030, 0, 31, 12)),
    ...more,
  };
}

function onHand(value: number) {
  const parsed = parseOnHand(value);
  if (parsed === undefined) throw new Error('no level');
  return parsed;
}

const pageOf = (...movements: readonly Movement[]): Page => ({ kind: 'found', value: movements });
const broken: Page = { kind: 'unknown', cause: 'the database went away' };

let running: StubService | undefined;
afterEach(async () => {
  await running?.http.stop();
  running = undefined;
});

/** @returns a way to ask for the export of these pages. */
async function exporting(pages: Iterable<Page> | AsyncIterable<Page>) {
  running = await startStub({
    inventory: {
      exportMovements: async function* () {
        yield* pages;
      },
      movements: () => Promise.resolve({ kind: 'ok', value: { items: [], more: false } }),
    },
  });
  const { client } = running;
  return (accept: string, query = '', method = 'GET') =>
    fetch(`${client.url}/v1/movements${query}`, {
      method,
      headers: { Authorization: `Bearer ${secret}`, Accept: accept },
    });
}

describe('the form', () => {
  it.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/csv', 'text/csv; charset=utf-8; header=present'],
    ['text/*', 'text/csv; charset=utf-8; header=present'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['text/csv;q=0.5, application/x-ndjson;q=0.9', 'application/x-ndjson'],
    ['text/csv;q=0.5, */*;q=0.1', 'text/csv; charset=utf-8; header=present'],
    ['text/csv;q=0, */*', 'application/json'],
    ['image/png', 'application/json'],
    ['nonsense', 'application/json'],
  ])('for Accept: %s is %s', async (accept, contentType) => {
    const ask = await exporting([pageOf(movement())]);
    const answer = await ask(accept);
    await answer.arrayBuffer();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, contentType]);
    expect(answer.headers.get('vary')).toContain('Accept');
  });

  it.each(['?limit=5', '?cursor=x', '?from=yesterday', '?what=ever'])(
    'of an export takes no %s',
    async (query) => {
      const ask = await exporting([pageOf()]);
      for (const accept of ['text/csv', 'application/x-ndjson']) {
        const answer = await ask(accept, query);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          422,
          'application/problem+json',
        ]);
        await answer.arrayBuffer();
      }
    },
  );

  it('is told to HEAD without the rest', async () => {
    const ask = await exporting([pageOf(movement())]);
    const answer = await ask('text/csv', '', 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="movements.csv"');
  });
});

const header =
  'actionId,sku,ordinal,type,location,delta,onHand,reason,reference,note,reservation,reverses,actor,at';

describe('CSV', () => {
  it('has a row a line, and one for a movement without lines', async () => {
    const ask = await exporting([
      pageOf(
        movement({
          type: 'transfer',
          lines: [
            { location: place('A1'), delta: delta(-5), onHand: onHand(2) },
            { location: place('B1'), delta: delta(5), onHand: onHand(5) },
          ],
          reverses: actionId('earlier'),
        }),
      ),
      pageOf(
        movement({
          ordinal: 2,
          type: 'reserve',
          lines: [],
          reservation: {
            id: reservationId('x'),
            location: place('A1'),
            quantity: quantity(1),
            expiresAt: null,
            state: 'held',
          },
        }),
      ),
    ]);
    const text = await (await ask('text/csv')).text();
    expect(text).toBe(
      [
        header,
        'tester/key,A,1,transfer,A1,-5,2,,,,,tester/earlier,tester,2030-01-31T12:00:00.000Z',
        'tester/key,A,1,transfer,B1,5,5,,,,,tester/earlier,tester,2030-01-31T12:00:00.000Z',
        `tester/key,A,2,reserve,,,,,,,'${reservationId('x')},,tester,2030-01-31T12:00:00.000Z`,
        '',
      ].join('\r\n'),
    );
  });

  it('is its header where nothing matches', async () => {
    const ask = await exporting([pageOf()]);
    expect(await (await ask('text/csv')).text()).toBe(`${header}\r\n`);
  });

  it('keeps text from being taken for a formula, and gives it back whole', async () => {
    const notes = [
      '=1+1',
      '+1',
      '-1',
      '@x',
      '\tx',
      '\rx',
      "'x",
      "it's",
      'a,b',
      'a"b',
      'a\r\nb',
      '٪🙂',
    ];
    const ask = await exporting([
      pageOf(...notes.map((note, index) => movement({ ordinal: index + 1, note, sku: sku('=A') }))),
    ]);
    const text = await (await ask('text/csv')).text();
    const rows = parse(text, { columns: true, record_delimiter: '\r\n' });
    const cells = rows as readonly Readonly<Record<string, string>>[];
    const read = (cell = '') => (cell.startsWith("'") ? cell.slice(1) : cell);
    expect(cells.map((row) => read(row['note']))).toEqual(notes);
    for (const row of cells) {
      expect(row['sku']).toBe("'=A");
      expect(row['note']).not.toMatch(/^[=+\-@\t\r]/);
    }
  });
});

describe('NDJSON', () => {
  it('has a movement a line, as the list shows it', async () => {
    const ask = await exporting([pageOf(movement({ note: 'a\nb' })), pageOf(), pageOf(movement())]);
    const text = await (await ask('application/x-ndjson')).text();
    expect(
      text.split('\n').map((line) => (line === '' ? null : (JSON.parse(line) as unknown))),
    ).toEqual([
      {
        actionId: 'tester/key',
        sku: 'A',
        ordinal: 1,
        type: 'receive',
        lines: [{ location: 'A1', delta: 7, onHand: 7 }],
        note: 'a\nb',
        actor: 'tester',
        at: '2030-01-31T12:00:00.000Z',
      },
      expect.objectContaining({ ordinal: 1 }),
      null,
    ]);
  });
});

describe('an export that fails', () => {
  it('at once is a problem', async () => {
    const ask = await exporting([broken]);
    const answer = await ask('text/csv');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ code: 'unavailable' });
  });

  it('after the first byte breaks the connection, and the log says why', async () => {
    for (const accept of ['text/csv', 'application/x-ndjson']) {
      const ask = await exporting([pageOf(movement()), broken]);
      const answer = await ask(accept);
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow();
      const line = running?.logged.at(-1) ?? '';
      expect(JSON.parse(line)).toMatchObject({ cutShort: true, cause: 'the database went away' });
      await running?.http.stop();
    }
  });

  it('because the service itself fails breaks the connection as well', async () => {
    const failing = async function* (): AsyncGenerator<Page> {
      yield pageOf(movement());
      await Promise.resolve();
      throw new TypeError('a defect');
    };
    const ask = await exporting(failing());
    await expect((await ask('text/csv')).text()).rejects.toThrow();
  });
});

describe('a reader', () => {
  it('that does not read holds up the pages; one that goes away ends them', async () => {
    let pages = 0;
    let ended = false;
    const note = 'x'.repeat(200);
    const endless = async function* (): AsyncGenerator<Page> {
      try {
        for (;;) {
          pages += 1;
          yield pageOf(...Array.from({ length: 1_000 }, () => movement({ note })));
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        ended = true;
      }
    };
    const ask = await exporting(endless());
    const answer = await ask('application/x-ndjson');
    const reader = answer.body?.getReader();
    await reader?.read();
    let seen = -1;
    // Buffers of sockets fill up first; then nothing more is made.
    while (seen !== pages) {
      seen = pages;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(pages).toBeLessThan(200);
    await reader?.cancel();
    await expect.poll(() => ended).toBe(true);
  });
});
