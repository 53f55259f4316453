/** Every operation of the document, asked once as it is meant to be asked: its real answer. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Described } from '../support/described.ts';
import { describedBy, faultsOf } from '../support/described.ts';
import { freshKey } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const service = useService();
const { client } = service;
let described: Described;
const asked = new Set<string>();

beforeAll(async () => {
  described = describedBy((await client.get('/openapi.json')).body);
});

interface Ask {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** The example of the document where it is left out. */
  readonly body?: unknown;
  readonly key?: string;
}

/** The ids in an answer; an array has none. */
const made = z
  .looseObject({
    slot: z.string().optional(),
    id: z.string().optional(),
    actionId: z.string().optional(),
  })
  .or(
    z.array(z.unknown()).transform(() => ({ slot: undefined, id: undefined, actionId: undefined })),
  );

/** Asks, and holds the answer to the document. */
async function ask(operationId: string, { path = {}, query = '', body, key }: Ask = {}) {
  const operation =
    described.operations.find((one) => one.operationId === operationId) ??
    expect.fail(`${operationId} is not in the document`);
  const target = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? expect.fail(`${operationId} needs ${name}`)),
  );
  const example = operation.requestBody?.content['application/json'].example;
  const sent = body ?? example;
  const response = await fetch(client.url + target + query, {
    method: operation.method,
    headers: {
      Authorization: `Bearer ${service.secret}`,
      'Idempotency-Key': key ?? freshKey(),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  });
  const headers = Object.fromEntries(response.headers);
  const text = await response.text();
  asked.add(operationId);
  const { status } = response;
  expect([operationId, ...faultsOf(described, operation, { status, headers, text })]).toEqual([
    operationId,
  ]);
  expect([operationId, status < 300 || text]).toEqual([operationId, true]);
  return headers['content-type'] === 'application/json' ? made.parse(JSON.parse(text)) : {};
}

const sku = { path: { sku: 'TEA-100' } };
const location = { path: { location: 'A-01' } };

async function askService(): Promise<void> {
  for (const id of ['isAlive', 'isReady', 'getMetrics', 'getDocument', 'showDocument']) {
    await ask(id);
  }
  await ask('getSession');
}

async function askStock(): Promise<void> {
  for (const id of ['A-01', 'B-01', 'C-01']) {
    await ask('putLocation', { path: { location: id } });
  }
  await ask('retireLocation', { path: { location: 'C-01' } });
  await ask('putSku', sku);
  await ask('getSkuByBarcode', { path: { code: '19006900014855' } });
  await ask('postMovement', { key: 'r1' });
  await ask('postMovement', { key: 'r1' });
  const shipped = await ask('postMovement', {
    body: { type: 'ship', sku: 'TEA-100', location: 'A-01', quantity: 1 },
  });
  await ask('reverseMovement', { path: { actionId: shipped.actionId ?? '' } });
  await ask('postMovements');
  await ask('getAction', { path: { key: 'r1' } });
  await ask('getSku', sku);
  await ask('listSkus', { query: '?q=tea&limit=1' });
  await ask('getLocation', location);
  await ask('listLocations');
  await ask('listStockAtLocation', location);
}

async function askReservations(): Promise<void> {
  for (const end of ['commitReservation', 'releaseReservation']) {
    const { id = '' } = await ask('reserve', sku);
    const path = { ...sku.path, id };
    await ask('changeReservation', { path });
    await ask(end, { path });
    await ask('getReservation', { path });
  }
  await ask('listReservations', { query: '?reference=order%204711' });
}

async function askOrders(): Promise<void> {
  const order = { number: 'PO-7' };
  await ask('createPurchaseOrder');
  await ask('changePurchaseOrder', { path: order });
  const { id = '' } = await ask('receivePurchaseOrder', { path: order });
  await ask('getReceipt', { path: { ...order, id } });
  await ask('reverseReceipt', { path: { ...order, id } });
  await ask('listReceipts', { path: order });
  await ask('getPurchaseOrder', { path: order });
  await ask('listPurchaseOrders');
  await ask('closePurchaseOrder', { path: order });
  const lines = [{ line: 1, sku: 'TEA-100', ordered: 5 }];
  await ask('createPurchaseOrder', { body: { number: 'PO-8', supplier: 'S', lines } });
  await ask('cancelPurchaseOrder', { path: { number: 'PO-8' } });
  await ask('createPurchaseOrder', { body: { number: 'PO-9', supplier: 'S', lines } });
}

async function askCounts(): Promise<void> {
  for (const end of ['closeStockCount', 'cancelStockCount']) {
    const { id = '' } = await ask('openStockCount', { body: { locations: ['A-01'] } });
    const counted = { sku: 'TEA-100', location: 'A-01', counted: 3 };
    await ask('putStockCountLine', { path: { id }, body: counted });
    await ask(end, { path: { id } });
    await ask('getStockCount', { path: { id } });
  }
  await ask('openStockCount');
  await ask('listStockCounts');
}

async function askApiKeys(): Promise<void> {
  const { id = '' } = await ask('makeApiKey');
  await ask('rotateApiKey', { path: { id } });
  await ask('getApiKey', { path: { id } });
  await ask('listApiKeys');
  await ask('revokeApiKey', { path: { id } });
}

async function askHistory(): Promise<void> {
  await ask('listMovementsOfSku', sku);
  await ask('searchMovements', { query: '?sku=TEA-100' });
  await ask('getLevelsAt', { ...sku, query: '?at=2030-01-31T12:00:00Z' });
  await ask('verifySku', sku);
}

async function askReminders(): Promise<void> {
  const path = { actor: 'nightly', name: 'reorder' };
  await ask('putReminder', { path });
  await ask('getReminder', { path });
  await ask('listReminders');
  await ask('resumeReminder', { path });
  await ask('removeReminder', { path });
  await ask('removeReminders', { path: { actor: 'nightly' } });
}

async function askCycleCounts(): Promise<void> {
  const path = { name: 'weekly' };
  const body = { locations: ['A-01'], every: '0 6 * * 1', timeZone: 'Europe/Vienna' };
  await ask('putCycleCount', { path, body });
  await ask('getCycleCount', { path });
  await ask('listCycleCounts');
  await ask('removeCycleCount', { path });
}

async function askDock(): Promise<void> {
  const { slot = '' } = await ask('openDockSlot');
  for (const end of ['confirmDockHold', 'cancelDockHold']) {
    const { id = '' } = await ask('holdDockSlot', { path: { slot } });
    await ask(end, { path: { id } });
    await ask('getDockHold', { path: { id } });
  }
  await ask('holdDockSlot', { path: { slot }, body: { purchaseOrder: 'PO-9' } });
  await ask('listDockSlots', { query: '?warehouse=W1' });
  await ask('getDockAvailability');
}

describe('every operation', () => {
  it('answers as the document says, when it is asked as it is meant to be', async () => {
    await askService();
    await askStock();
    await askReservations();
    await askOrders();
    await askCounts();
    await askCycleCounts();
    await askDock();
    await askHistory();
    await askApiKeys();
    await askReminders();
    const all = described.operations.map(({ operationId }) => operationId);
    expect(all.filter((id) => !asked.has(id))).toEqual([]);
  });
});
