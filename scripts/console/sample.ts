/** A small warehouse for pictures, made through the API by the people who would. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** One request; the key of an action is made from what it asks. */
export type Caller = (method: string, path: string, body?: unknown) => Promise<unknown>;

export interface Sample {
  readonly scannerKey: string;
  readonly officeKey: string;
  readonly auditorKey: string;
  readonly openCount: string;
}

/** @throws where the service refuses: a picture of half a warehouse would mislead. */
function callerOf(url: string, key: string): Caller {
  let actions = 0;
  return async (method, path, body) => {
    actions += 1;
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Idempotency-Key': `sample-${actions}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
}

export async function fillSample(url: string, adminKey: string): Promise<Sample> {
  const admin = callerOf(url, adminKey);
  const madeKey = z.object({ key: z.string() });
  const keyOf = async (name: string, role: string): Promise<string> =>
    madeKey.parse(await admin('POST', '/api-keys', { name, role })).key;
  const scannerKey = await keyOf('floor-3', 'scanner');
  const officeKey = await keyOf('office', 'back_office');
  const auditorKey = await keyOf('audit', 'auditor');
  const office = callerOf(url, officeKey);
  await definePlacesAndGoods(office);
  await move(callerOf(url, scannerKey));
  await order(office);
  await bookDock(office);
  return { scannerKey, officeKey, auditorKey, openCount: await count(office) };
}

const places = [
  ['A-01', 'NORTH', 'storage', 'Aisle A, bay 1'],
  ['A-02', 'NORTH', 'storage', 'Aisle A, bay 2'],
  ['IN-N', 'NORTH', 'receiving', 'Goods in'],
  ['Q-N', 'NORTH', 'quarantine', 'Held for quality'],
  ['B-01', 'SOUTH', 'storage', 'Aisle B, bay 1'],
  ['B-02', 'SOUTH', 'storage', 'Aisle B, bay 2'],
] as const;

const goods = [
  ['TEA-100', 'Black tea, 100 g', 12, '4006381333931', 60],
  ['TEA-250', 'Green tea, 250 g', 6, '4006381333948', 80],
  ['COF-500', 'Coffee beans, 500 g', 8, '4006381333955', 100],
  ['COF-GRD', 'Ground coffee, 250 g', 12, '4006381333962', 50],
  ['SUG-1K', 'Cane sugar, 1 kg', 10, '4006381333979', 30],
  ['MUG-WHT', 'Mug, white, 300 ml', 36, '4006381333986', 100],
  ['MUG-BLK', 'Mug, black, 300 ml', 36, '4006381333993', 100],
  ['POT-GLS', 'Glass teapot, 1.2 l', 4, '4006381334006', 40],
  ['FIL-102', 'Filter papers 102, 80 pieces', 24, '4006381334013', 48],
  ['SPN-STL', 'Teaspoon, stainless steel', 48, '4006381334020', 96],
] as const;

async function definePlacesAndGoods(office: Caller): Promise<void> {
  for (const [location, warehouse, kind, name] of places) {
    await office('PUT', `/locations/${location}`, { warehouse, kind, name });
  }
  for (const [sku, description, contains, code, reorderPoint] of goods) {
    await office('PUT', `/skus/${sku}`, {
      description,
      packs: [{ unit: 'case', contains }],
      barcodes: [{ code }],
      reorderPoint,
    });
  }
}

async function move(floor: Caller): Promise<void> {
  for (const [index, [sku]] of goods.entries()) {
    const cases = 9 - (index % 5);
    const received = { type: 'receive', sku, location: 'A-01', quantity: cases, unit: 'case' };
    await floor('POST', '/movements', { ...received, reference: 'DN-4711' });
    await floor('POST', '/movements', {
      type: 'transfer',
      sku,
      from: 'A-01',
      to: 'B-01',
      quantity: 1 + (index % 3),
      unit: 'case',
    });
    await floor('POST', '/movements', { type: 'ship', sku, location: 'A-01', quantity: 5 + index });
  }
  for (let turn = 1; turn <= 12; turn += 1) {
    const quantity = 1 + (turn % 4);
    await floor('POST', '/movements', { type: 'ship', sku: 'TEA-100', location: 'A-01', quantity });
    // Apart on the axis of time.
    await pause(150);
  }
  const broken = { type: 'adjust', sku: 'TEA-100', location: 'A-01', delta: -2, reason: 'damaged' };
  await floor('POST', '/movements', { ...broken, note: 'Box crushed' });
  const hold = { location: 'A-01', quantity: 10, ttlSeconds: 86_400, reference: 'web-2041' };
  await floor('POST', '/skus/TEA-100/reservations', hold);
}

async function order(office: Caller): Promise<void> {
  const made = [
    ['PO-1001', 'Acme Trading', ['TEA-100', 'TEA-250', 'MUG-WHT']],
    ['PO-1002', 'Northern Roasters', ['COF-500', 'COF-GRD']],
    ['PO-1003', 'Glass & Co', ['POT-GLS']],
  ] as const;
  for (const [number, supplier, skus] of made) {
    const lines = skus.map((sku, index) => ({ line: index + 1, sku, ordered: 5, unit: 'case' }));
    await office('POST', '/purchase-orders', { number, supplier, lines });
  }
  await office('POST', '/purchase-orders/PO-1001/receipts', {
    lines: [
      { line: 1, location: 'IN-N', quantity: 5, unit: 'case' },
      { line: 2, location: 'IN-N', quantity: 2, unit: 'case' },
    ],
    reference: 'DN-4802',
  });
}

/** @returns the count that stays open, with one line that differs. */
async function count(office: Caller): Promise<string> {
  const opened = await office('POST', '/stock-counts', { locations: ['A-01'] });
  const { id, lines } = z
    .object({ id: z.string(), lines: z.array(z.object({ sku: z.string(), expected: z.number() })) })
    .parse(opened);
  for (const [index, { sku, expected }] of lines.slice(0, 6).entries()) {
    const counted = index === 2 ? expected - 3 : expected;
    await office('PUT', `/stock-counts/${id}/lines`, { sku, location: 'A-01', counted });
  }
  return id;
}

const slotMade = z.object({ slot: z.string() });

async function bookDock(office: Caller): Promise<void> {
  const now = new Date();
  const monday = now.getDate() - ((now.getDay() + 6) % 7) + 7;
  const at = (day: number, hour: number): string =>
    new Date(now.getFullYear(), now.getMonth(), monday + day, hour).toISOString();
  for (const day of [0, 1, 2, 3, 4]) {
    for (const hour of [8, 10, 13]) {
      const [startsAt, endsAt] = [at(day, hour), at(day, hour + 2)];
      const body = { warehouse: 'NORTH', startsAt, endsAt, capacity: 3 };
      const { slot } = slotMade.parse(await office('POST', '/dock/slots', body));
      const seats = (day + hour) % 4;
      if (seats > 0) await office('POST', `/dock/slots/${slot}/holds`, { seats });
    }
  }
}
