import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freshKey, outcomeOf } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { client, database } = useService();

async function scrape(): Promise<string> {
  const answer = await fetch(`${client.url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return answer.text();
}

/** The value of one line; 0 where it is not there yet. */
function valueOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}) {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split('\n')
    .find(
      (candidate) =>
        new RegExp(`^${name}[ {]`).test(candidate) &&
        wanted.every((label) => candidate.includes(label)),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

const movement = (quantity: number, type = 'receive') => ({
  type,
  sku: 'COUNTED',
  location: 'A1',
  quantity,
});

interface Planted {
  readonly _id: string;
  readonly [field: string]: unknown;
}

/** What waits in the database: for nobody who runs here, or under somebody's lease. */
async function plantBacklog(): Promise<void> {
  const [past, future] = [new Date(0), new Date(Date.now() + 3_600_000)];
  const reminder = {
    ...{ armedBy: 'x', receiver: 'webhook', missed: 'latest', attempts: 0 },
    ...{ firstDueAt: past, dueAt: past },
  };
  await database.db.collection<Planted>('reminders').insertMany([
    { _id: 'a/due', ...reminder, state: 'armed', nextAt: past },
    { _id: 'a/due-too', ...reminder, state: 'armed', nextAt: past },
    { _id: 'a/later', ...reminder, state: 'armed', nextAt: future },
    { _id: 'a/stuck', ...reminder, state: 'suspended' },
  ]);
  const count = { locations: [], lines: [], openedAt: past, version: 1 };
  const lease = { holder: 'x', fence: 1 };
  await database.db.collection<Planted>('counts').insertMany([
    { _id: 'closing', ...count, status: 'closing', leasedAt: future, lease },
    { _id: 'closed', ...count, status: 'closed', leasedAt: past, lease },
  ]);
  const received = { number: 'PO', lines: [], onOrder: [], actor: 'a', at: past };
  const receipt = { ...received, attempt: 1, version: 1 };
  await database.db.collection<Planted>('receipts').insertMany([
    { _id: 'credited', ...receipt, state: 'credited', lease: { ...lease, until: future } },
    { _id: 'done', ...receipt, state: 'completed', lease },
  ]);
}

beforeAll(async () => {
  await plantBacklog();
  await client.put('/v1/locations/A1', { warehouse: 'W1' });
  await client.put('/v1/skus/COUNTED', { description: 'x' });
});

describe('/metrics', () => {
  it('tells movements by type and outcome, and what a write carried', async () => {
    const before = await scrape();
    const key = freshKey();
    await client.move(movement(5), key);
    await client.move(movement(5), key);
    expect(outcomeOf(await client.move(movement(50, 'ship')))).toBe('409 insufficient-stock');
    const after = await scrape();
    const grown = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      valueOf(after, name, labels) - valueOf(before, name, labels);
    const total = 'stockroom_movements_total';
    expect(grown(total, { type: 'receive', outcome: 'applied' })).toBe(1);
    expect(grown(total, { type: 'receive', outcome: 'replayed' })).toBe(1);
    expect(grown(total, { type: 'ship', outcome: 'refused' })).toBe(1);
    expect(grown('stockroom_batch_requests_sum')).toBe(1);
  });

  it('tells the requests by the route that served them, never by what a caller wrote', async () => {
    await client.get('/v1/skus/SECRET-NAME');
    await client.get('/v1/no-such-thing');
    await expect
      .poll(scrape)
      .toMatch(/request_duration_seconds_count\{method="GET",route="none",status="404"\}/);
    const text = await scrape();
    const labels = { method: 'GET', route: '/v1/skus/{sku}', status: '404' };
    expect(valueOf(text, 'stockroom_http_request_duration_seconds_count', labels)).toBe(1);
    expect(text).not.toContain('SECRET-NAME');
    expect(text).not.toContain('no-such-thing');
  });

  it('tells what waits in the database, with reminders that are due or suspended', async () => {
    const text = await scrape();
    expect(valueOf(text, 'stockroom_reminders', { state: 'due' })).toBe(2);
    expect(valueOf(text, 'stockroom_reminders', { state: 'suspended' })).toBe(1);
    expect(valueOf(text, 'stockroom_sagas_unfinished', { saga: 'count' })).toBe(1);
    const credited = { saga: 'receipt', state: 'credited' };
    expect(valueOf(text, 'stockroom_sagas_unfinished', credited)).toBe(1);
    expect(valueOf(text, 'stockroom_pool_connections')).toBeGreaterThan(0);
    expect(valueOf(text, 'stockroom_pool_in_use_connections')).toBeGreaterThanOrEqual(0);
  });
});

const dashboardShape = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).min(1) })).min(8),
});

describe('the dashboard', () => {
  it('asks for nothing that /metrics does not have', async () => {
    const file = new URL('../../docs/grafana/stockroom.json', import.meta.url);
    const { panels } = dashboardShape.parse(JSON.parse(await readFile(file, 'utf8')));
    const asked = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(?:stockroom|nodejs|process)_\w+/g) ?? []),
    );
    const families = new Set(
      Array.from((await scrape()).matchAll(/^# TYPE (\S+)/gm), ([, name = '']) => name),
    );
    const familyOf = (name: string) =>
      families.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name) => !families.has(familyOf(name)))).toEqual([]);
    const shown = new Set(asked.map(familyOf));
    const ours = Array.from(families).filter((name) => name.startsWith('stockroom_'));
    expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  });
});
