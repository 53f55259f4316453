/** What an auditor asks, over real HTTP and on the real engine; the past is planted by the driver. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseActor } from '../../src/domain/ids.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { sku as skuId } from '../support/actions.ts';
import type { Reply } from '../support/http-client.ts';
import { freshKey, outcomeOf, pageOf } from '../support/http-client.ts';
import type { PlantedMovement } from '../support/planted.ts';
import { plantedAction, plantSku, receipts } from '../support/planted.ts';
import { useService } from '../support/service.ts';

const { client, database, secret } = useService();
let skus = 0;

beforeAll(async () => {
  const locations = { A: 'W', B: 'W', FAR: 'ELSEWHERE' };
  for (const [location, warehouse] of Object.entries(locations)) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse })).status).toBe(201);
  }
});

async function planted(history: readonly PlantedMovement[]): Promise<string> {
  const id = `audited-${(skus += 1)}`;
  await plantSku(database.db, id, history);
  return id;
}

/** Every entry of a list, page by page; `limit` is 1 to 200. */
async function wholeList(
  path: string,
  limit: number,
  betweenPages: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  for (let next: string | null = first; next !== null;) {
    const page = pageOf(await client.get(next));
    items.push(...page.items);
    next = page.nextCursor === null ? null : `${first}&cursor=${page.nextCursor}`;
    if (next !== null) await betweenPages();
  }
  return items;
}

async function exported(accept: string, query: string): Promise<string> {
  const answer = await fetch(`${client.url}/v1/movements?${query}`, {
    headers: { Authorization: `Bearer ${secret}`, Accept: accept },
  });
  expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, accept]);
  return answer.text();
}

const ordinals = (items: readonly Record<string, unknown>[]) => items.map(({ ordinal }) => ordinal);

describe('the list of movements', () => {
  it('is narrowed by each of its filters, newest first', async () => {
    const reference = freshKey();
    const at = (second: number) => new Date(Date.UTC(2020, 0, 1, 0, 0, second));
    const actor = parseActor('someone-else');
    const sku = await planted([
      { at: at(1), type: 'receive', lines: [['A', 5]], reference },
      { at: at(2), type: 'receive', lines: [['FAR', 5]], ...(actor && { actor }) },
      { at: at(3), type: 'transfer', lines: [['A', -1], ['FAR', 1]] }, // prettier-ignore
      { at: at(4), type: 'ship', lines: [['A', -1]], reference, note: 'last' },
    ]);
    const other = await planted([{ at: at(3), type: 'receive', lines: [['A', 1]] }]);
    const found = async (query: string) =>
      ordinals(pageOf(await client.get(`/v1/movements?sku=${sku}&${query}`)).items);
    expect(await found('')).toEqual([4, 3, 2, 1]);
    expect(await found('warehouse=W')).toEqual([4, 3, 1]);
    expect(await found('warehouse=ELSEWHERE')).toEqual([3, 2]);
    expect(await found('warehouse=NONE')).toEqual([]);
    expect(await found('type=receive')).toEqual([2, 1]);
    expect(await found('actor=someone-else')).toEqual([2]);
    expect(await found('actor=~stockroom')).toEqual([]);
    expect(await found(`reference=${reference}`)).toEqual([4, 1]);
    expect(await found('from=2020-01-01T00:00:02Z&to=2020-01-01T01:00:03%2B01:00')).toEqual([3, 2]);
    expect(await found('from=2020-01-01T00:00:04Z&to=2020-01-01T00:00:01Z')).toEqual([]);
    const window = 'from=2020-01-01T00:00:00Z&to=2020-01-01T00:00:10Z';
    const all = await wholeList(`/v1/movements?${window}`, 2);
    expect(all.map(({ sku, ordinal }) => [sku, ordinal])).toEqual([
      [sku, 4],
      [other, 1],
      [sku, 3],
      [sku, 2],
      [sku, 1],
    ]);
    expect(all[0]).toEqual({
      actionId: plantedAction(sku, 4),
      sku,
      ordinal: 4,
      type: 'ship',
      lines: [{ location: 'A', delta: -1, onHand: 3 }],
      reference,
      note: 'last',
      actor: 'tester',
      at: '2020-01-01T00:00:04.000Z',
    });
  });

  it.each([
    ['limit=0', 422],
    ['limit=201', 422],
    ['cursor=bm90IG91cnM', 422],
    ['type=teleport', 422],
    ['actor=No Such', 422],
    ['warehouse=w', 422],
    ['sku=', 422],
    ['from=yesterday', 422],
    ['from=2020-01-01', 422],
    ['colour=red', 422],
    ['type=ship&type=ship', 422],
    ['reference=%E0%A4%A', 400],
  ])('turns away ?%s', async (query, status) => {
    expect((await client.get(`/v1/movements?${query}`)).status).toBe(status);
  });

  it('ends before what has just happened, and shows it once it is settled', async () => {
    const sku = await planted(receipts(3));
    const fresh = await client.move({ type: 'receive', sku, location: 'A', quantity: 1 });
    expect(outcomeOf(fresh)).toBe('201');
    const path = `/v1/movements?sku=${sku}`;
    expect(ordinals(pageOf(await client.get(path)).items)).toEqual([3, 2, 1]);
    // The instant is set back past the time that settling takes, instead of waiting for it.
    const settled = new Date(Date.now() - 16_000);
    const { movements } = collectionsOf(database.db);
    await movements.updateOne({ _id: { sku: skuId(sku), ordinal: 4 } }, { $set: { at: settled } });
    expect(ordinals(pageOf(await client.get(path)).items)).toEqual([4, 3, 2, 1]);
  });

  it('enters first what a process left out of the ledger when it died', async () => {
    const sku = await planted(receipts(5));
    const { movements, skus: documents, marks } = collectionsOf(database.db);
    await movements.deleteMany({ _id: { $in: [4, 5].map((ordinal) => ({ sku: skuId(sku), ordinal })) } }); // prettier-ignore
    await documents.updateOne({ _id: skuId(sku) }, { $set: { ledgeredThrough: 3 } });
    await marks.updateOne({}, { $set: { through: new Date(0) } });
    expect(ordinals(pageOf(await client.get(`/v1/movements?sku=${sku}`)).items)).toEqual([
      5, 4, 3, 2, 1,
    ]);
  });
});

describe('41: a walk through pages while 200 movements arrive', () => {
  async function walked(path: string, sku: string): Promise<readonly Record<string, unknown>[]> {
    let arrived = 0;
    const arrive = () =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          if ((arrived += 1) > 200) return;
          const body = { type: 'receive', sku, location: 'A', quantity: 1 };
          expect(outcomeOf(await client.move(body))).toBe('201');
        }),
      );
    const items = await wholeList(path, 20, arrive);
    expect(arrived).toBeGreaterThanOrEqual(200);
    return items;
  }

  const newestFirst = (count: number) => Array.from({ length: count }, (_, index) => count - index);

  it('of a history gives each that was there once, and misses none', async () => {
    const sku = await planted(receipts(300));
    expect(ordinals(await walked(`/v1/skus/${sku}/movements`, sku))).toEqual(newestFirst(300));
    expect(await wholeList(`/v1/skus/${sku}/movements`, 200)).toHaveLength(500);
  });

  it('across SKUs gives each that was there once, and misses none', async () => {
    const reference = freshKey();
    const all = await Promise.all(
      Array.from({ length: 3 }, () => planted(receipts(100, { reference }))),
    );
    const items = await walked(`/v1/movements?reference=${reference}`, all[0] ?? '');
    expect(items).toHaveLength(300);
    for (const sku of all) {
      expect(ordinals(items.filter((item) => item['sku'] === sku))).toEqual(newestFirst(100));
    }
    const times = items.map(({ at }) => String(at));
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

describe('the export', () => {
  it('has everything that the list has, in its order', async () => {
    const reference = freshKey();
    const note = '=SUM(A1:A9), "quoted",\r\nsecond line';
    const at = (index: number) => new Date(Date.now() - 3_600_000 - (index % 700) * 1_000);
    const times = Array.from({ length: 1_500 }, (_, index) => at(1_500 - index));
    const sorted = times.toSorted((one, other) => one.getTime() - other.getTime());
    const sku = await planted(
      sorted.map((instant) => ({
        at: instant,
        type: 'receive',
        lines: [['A', 2]],
        reference,
        note,
      })),
    );
    const query = `reference=${reference}&warehouse=W`;
    const listed = await wholeList(`/v1/movements?${query}`, 200);
    expect(ordinals(listed)).toEqual(Array.from({ length: 1_500 }, (_, index) => 1_500 - index));
    const ndjson = await exported('application/x-ndjson', query);
    const lines = ndjson.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(listed);
    const csv = parse(await exported('text/csv', query), { columns: true }) as unknown;
    const rows = z.array(z.record(z.string(), z.string())).parse(csv);
    expect(rows).toHaveLength(1_500);
    expect(rows.map((row) => Number(row['ordinal']))).toEqual(ordinals(listed));
    expect(rows[0]).toEqual({
      actionId: plantedAction(sku, 1_500),
      sku,
      ordinal: '1500',
      type: 'receive',
      location: 'A',
      delta: '2',
      onHand: '3000',
      reason: '',
      reference,
      note: `'${note}`,
      reservation: '',
      reverses: '',
      actor: 'tester',
      at: listed[0]?.['at'],
    });
  });
});

describe('levels at an instant', () => {
  it('are those that the history led to, inclusive', async () => {
    const at = (second: number) => new Date(Date.UTC(2021, 5, 1, 12, 0, second));
    const sku = await planted([
      { at: at(1), type: 'receive', lines: [['A', 5]] },
      { at: at(3), type: 'receive', lines: [['A', 1], ['A', 2]] }, // prettier-ignore
      { at: at(3), type: 'transfer', lines: [['A', -6], ['B', 6]] }, // prettier-ignore
      { at: at(5), type: 'ship', lines: [['A', -2]] },
    ]);
    const levels = async (second: string) => {
      const { body } = await client.get(`/v1/skus/${sku}/levels?at=2021-06-01T12:00:${second}Z`);
      expect(body).toMatchObject({
        sku,
        at: new Date(`2021-06-01T12:00:${second}Z`).toISOString(),
      });
      return z.object({ levels: z.array(z.unknown()) }).parse(body).levels;
    };
    const standing = (A: number, B?: number) => [
      { location: 'A', onHand: A },
      ...(B === undefined ? [] : [{ location: 'B', onHand: B }]),
    ];
    expect(await levels('00.999')).toEqual([]);
    expect(await levels('01')).toEqual(standing(5));
    expect(await levels('02.999')).toEqual(standing(5));
    expect(await levels('03.000')).toEqual(standing(2, 6));
    expect(await levels('05')).toEqual(standing(0, 6));
    const moved = await client.move({ type: 'receive', sku, location: 'B', quantity: 4 });
    const { at: now } = z.object({ at: z.string() }).parse(moved.body);
    const { body } = await client.get(`/v1/skus/${sku}/levels?at=${now}`);
    expect(body).toMatchObject({ levels: standing(0, 10) });
  });

  it('need an instant, and a SKU that is known', async () => {
    const sku = await planted([]);
    const path = `/v1/skus/${sku}/levels`;
    for (const query of ['', '?at=', '?at=2021-06-01', '?at=now', '?at=2021-06-01T12:00:00']) {
      expect(outcomeOf(await client.get(path + query))).toBe('422 validation');
    }
    const unknown = '/v1/skus/never-seen/levels?at=2021-06-01T12:00:00Z';
    expect(outcomeOf(await client.get(unknown))).toBe('404 not-found');
  });
});

describe('every list of movements', () => {
  it('shows a movement as its own answer does', async () => {
    const sku = await planted([]);
    const sent = { reference: 'PO 1', note: '=1+1' };
    const moved = await client.move({ type: 'receive', sku, location: 'A', quantity: 4, ...sent });
    const { actionId } = z.object({ actionId: z.string() }).parse(moved.body);
    const path = `/v1/movements/${encodeURIComponent(actionId)}/reverse`;
    const undone = await client.send('POST', path, { key: freshKey(), body: { note: 'wrong' } });
    expect(undone).toMatchObject({ status: 201, body: { reverses: actionId, note: 'wrong' } });
    const bodies = (replies: readonly Reply[]) => replies.map(({ body }) => body);
    const { items } = pageOf(await client.get(`/v1/skus/${sku}/movements`));
    expect(items).toEqual(bodies([undone, moved]));
    const key = actionId.replace('admin/', '');
    expect((await client.get(`/v1/actions/${key}`)).body).toEqual(moved.body);
  });
});
