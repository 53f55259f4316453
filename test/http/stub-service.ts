/** The edge over HTTP with use cases that a test scripts: what is judged before anything is decided. */
import { pino } from 'pino';
import type { ApiKeys } from '../../src/inventory/api-key-ports.ts';
import type { StockCounts } from '../../src/inventory/count-ports.ts';
import type { CycleCounts } from '../../src/inventory/cycle-counts.ts';
import type { Dock } from '../../src/inventory/dock-ports.ts';
import type { Inventory, Readiness } from '../../src/inventory/inventory.ts';
import type { PurchaseOrders, Receiving } from '../../src/inventory/order-ports.ts';
import type { Reminders } from '../../src/inventory/reminders.ts';
import { createApp } from '../../src/http/app.ts';
import type { AppParts } from '../../src/http/app.ts';
import { authentication } from '../../src/http/auth.ts';
import type { Limits } from '../../src/http/gate.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { maskOf } from '../../src/http/masking.ts';
import { loggerOptions } from '../../src/http/request-log.ts';
import { endpoints } from '../../src/http/routes.ts';
import type { HttpOptions, RunningHttp } from '../../src/http/server.ts';
import { startHttp } from '../../src/http/server.ts';
import { createUnderWay } from '../../src/http/under-way.ts';
import type { Client } from '../support/http-client.ts';
import { clientOf } from '../support/http-client.ts';

export const secret = 'a-secret-for-tests-only';

export interface StubService {
  readonly http: RunningHttp;
  readonly client: Client;
  /** The lines that were logged so far. */
  readonly logged: readonly string[];
}

export interface Script {
  readonly inventory?: Partial<Inventory>;
  readonly receiving?: Partial<Receiving>;
  readonly readiness?: Readiness;
  readonly requestDeadlineMs?: number;
  readonly stopWithinMs?: number;
  readonly drainMs?: number;
  readonly timeLimits?: HttpOptions['timeLimits'];
  readonly limits?: Partial<Limits>;
  readonly trustProxy?: AppParts['trustProxy'];
  readonly metrics?: () => Promise<string>;
}

/** What an app is told of limits where none is at stake. */
export function unlimited(): Pick<
  AppParts,
  'limits' | 'trustProxy' | 'onAnswered' | 'tableWithin'
> {
  return {
    limits: { perKey: 0, perAddress: 0, underWay: createUnderWay() },
    trustProxy: 0,
    onAnswered: () => undefined,
    // Nobody comes with warehouses of their own.
    tableWithin: unscripted,
  };
}

function unscripted(): never {
  throw new Error('this use case is not scripted');
}

const nothingScripted: Inventory = {
  post: unscripted,
  reverse: unscripted,
  reservation: unscripted,
  reservationsUnder: unscripted,
  levelsAt: unscripted,
  movements: unscripted,
  exportMovements: unscripted,
  verification: unscripted,
  putLocation: unscripted,
  retireLocation: unscripted,
  sku: unscripted,
  skuByBarcode: unscripted,
  skus: unscripted,
  history: unscripted,
  movementOf: unscripted,
  location: unscripted,
  locations: unscripted,
  stockAt: unscripted,
};

export const noReminders: Reminders = {
  arm: unscripted,
  disarm: unscripted,
  set: unscripted,
  remove: unscripted,
  removeAll: unscripted,
  resume: unscripted,
  reminder: unscripted,
  reminders: unscripted,
  countSuspended: unscripted,
};

export const noOrders: PurchaseOrders = {
  create: unscripted,
  change: unscripted,
  end: unscripted,
  order: unscripted,
  orders: unscripted,
};

export const noReceiving: Receiving = {
  receive: unscripted,
  reverse: unscripted,
  receipt: unscripted,
  receipts: unscripted,
};

export const noCounts: StockCounts = {
  open: unscripted,
  putLine: unscripted,
  close: unscripted,
  cancel: unscripted,
  count: unscripted,
  counts: unscripted,
  progressAt: unscripted,
};

export const noCycleCounts: CycleCounts = {
  set: unscripted,
  remove: unscripted,
  cycleCount: unscripted,
  cycleCounts: unscripted,
  deliver: unscripted,
};

export const noDock: Dock = {
  openSlot: unscripted,
  slot: unscripted,
  slots: unscripted,
  availability: unscripted,
  hold: unscripted,
  confirm: unscripted,
  cancel: unscripted,
  holdOf: unscripted,
};

export const noKeys: ApiKeys = {
  make: unscripted,
  rotate: unscripted,
  revoke: unscripted,
  key: unscripted,
  keys: unscripted,
  holder: () => Promise.resolve({ kind: 'missing' }),
};

export function stubTable(script: Script = {}): readonly Endpoint[] {
  return endpoints({
    apiKeys: noKeys,
    inventory: { ...nothingScripted, ...script.inventory },
    reminders: noReminders,
    purchaseOrders: noOrders,
    receiving: { ...noReceiving, ...script.receiving },
    stockCounts: noCounts,
    cycleCounts: noCycleCounts,
    dock: noDock,
    readiness: script.readiness ?? { ready: () => Promise.resolve({ kind: 'ready' }) },
    metrics: script.metrics ?? unscripted,
    requestDeadlineMs: script.requestDeadlineMs ?? 8_000,
  });
}

export async function startStub(script: Script = {}): Promise<StubService> {
  const logged: string[] = [];
  const logger = pino(loggerOptions('info', maskOf([])), {
    write: (line: string) => logged.push(line),
  });
  const table = stubTable(script);
  const { limits, ...usual } = unlimited();
  const app = createApp({
    table,
    authenticate: authentication(secret, noKeys),
    ...usual,
    limits: { ...limits, ...script.limits },
    trustProxy: script.trustProxy ?? usual.trustProxy,
    logger,
  });
  const { stopWithinMs = 1_000, drainMs = 0, timeLimits = {} } = script;
  const address = { host: '127.0.0.1', port: 0 };
  const http = await startHttp({ app, ...address, stopWithinMs, drainMs, timeLimits });
  const client = clientOf(() => `http://127.0.0.1:${http.address.port}`, secret);
  return { http, client, logged };
}
