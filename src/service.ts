/** The whole service in one process, started and stopped. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Settings } from './config.ts';
import { SettingsError, isLoopback } from './config.ts';
import { cycleCountActor, holdsActor, reconcileActor, sagaActor } from './domain/ids.ts';
import { isServiceActor, reminderNameOf } from './domain/reminder.ts';
import type { AppParts } from './http/app.ts';
import { createApp } from './http/app.ts';
import { adminName, authentication } from './http/auth.ts';
import { consoleFiles } from './http/console.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { EdgeServices } from './http/routes.ts';
import { endpoints } from './http/routes.ts';
import { createTableWithin } from './http/table-within.ts';
import type { Certificate, RunningHttp } from './http/server.ts';
import { startHttp } from './http/server.ts';
import type { UnderWay } from './http/under-way.ts';
import { createUnderWay } from './http/under-way.ts';
import { closedUntil } from './http/until-prepared.ts';
import type { ApiKeyPorts } from './inventory/api-keys.ts';
import { createApiKeys } from './inventory/api-keys.ts';
import type { RunningInventory } from './inventory/create-inventory.ts';
import { createInventory } from './inventory/create-inventory.ts';
import type { CycleCounts } from './inventory/cycle-counts.ts';
import { createCycleCounts } from './inventory/cycle-counts.ts';
import { createAppointments } from './inventory/appointments.ts';
import { createDock } from './inventory/dock.ts';
import type { Dock } from './inventory/dock-ports.ts';
import type { Readiness } from './inventory/inventory.ts';
import type { Deliver } from './inventory/reminder-delivery.ts';
import type { Report, ReminderEvent } from './inventory/reminder-events.ts';
import type { LapsedHolds } from './inventory/lapsed-holds.ts';
import { createLapsedHolds } from './inventory/lapsed-holds.ts';
import type { Recorded } from './inventory/ports.ts';
import type { Reconciler } from './inventory/reconcile.ts';
import { createReconciler } from './inventory/reconcile.ts';
import type { ReminderLoop } from './inventory/reminder-loop.ts';
import { createReminderLoop } from './inventory/reminder-loop.ts';
import type { Receiver } from './inventory/reminder-ports.ts';
import type { Reminders } from './inventory/reminders.ts';
import { createReminders } from './inventory/reminders.ts';
import { processTimer } from './inventory/timer.ts';
import { webhookDeliverer } from './inventory/webhook.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { SagaService } from './saga-service.ts';
import { createSagaService } from './saga-service.ts';
import type { Store } from './store/open-store.ts';
import { openStore } from './store/open-store.ts';
import { readTlsFiles } from './tls-files.ts';

export interface Service {
  readonly url: string;
  /** Resolves once collections and indexes are there; never, while the database stays away. */
  readonly prepared: Promise<void>;
  /** Finishes what is under way, then lets go of the database. */
  readonly stop: () => Promise<void>;
}

const prepareAgainMs = 500;
const armAgainMs = 5_000;

/**
 * Listens at once, whether the database is there or not: until it is, requests are answered 503.
 * @throws when the address cannot be listened on, or the files for HTTPS cannot be used.
 */
export async function startService(settings: Settings, logger: Logger): Promise<Service> {
  const tls = await readTlsFiles(settings.tls);
  const store = storeOf(settings, logger);
  await refuseOpenDoor(settings, store);
  const ports = { ...store.ports, reminders: store.reminders, timer: processTimer };
  const underWay = createUnderWay();
  const metrics = createMetrics({
    load: () => inventory.load(),
    pool: store.poolUse,
    underWay: underWay.count,
    readBacklog: store.readBacklog,
    timer: processTimer,
  });
  const inventory = createInventory(ports, settings.requestDeadlineMs, metrics.observe);
  const report = reminderLog(logger);
  const reminders = createReminders(ports, report, settings.requestDeadlineMs);
  const dock = dockOn(store, settings);
  const parts = { store, inventory, dock, reminders };
  const sagas = createSagaService({
    ...parts,
    deadlineMilliseconds: settings.requestDeadlineMs,
    report: sagaLog(logger),
  });
  const cycleCounts = cycleCountsOn(store, reminders, sagas, report);
  const reconciler = reconcilerOn(store, reminders, sagas, inventory);
  const lapsedHolds = lapsedHoldsOn(store, reminders, inventory, settings.webhook);
  const deliverers = deliverersFor(settings, { sagas, cycleCounts, reconciler, lapsedHolds });
  const loop = createReminderLoop({ ports, deliverers, report });
  const stopping = new AbortController();
  let isPrepared = false;
  const open = (table: readonly Endpoint[]) => closedUntil(() => isPrepared, table);
  const services: EdgeServices = {
    apiKeys: createApiKeys(apiKeyPorts(store), adminName),
    inventory,
    reminders,
    purchaseOrders: sagas.purchaseOrders,
    receiving: sagas.receiving,
    stockCounts: sagas.stockCounts,
    cycleCounts,
    dock,
    readiness: readinessOf(store, stopping.signal, () => isPrepared),
    metrics: metrics.text,
    requestDeadlineMs: settings.requestDeadlineMs,
  };
  const http = await listen(settings, logger, {
    table: open(endpoints(services)),
    tableWithin: createTableWithin(services, inventory.places, open),
    authenticate: authentication(settings.adminApiKey, services.apiKeys),
    files: consoleFiles(builtConsole()),
    underWay,
    metrics,
    tls,
  });
  const preparing = prepare(store, logger, stopping.signal).then((done) => {
    isPrepared = done;
    if (!done) return;
    loop.start();
    sagas.start();
    armOwn([reconciler.arm, lapsedHolds?.arm], logger, stopping.signal);
  });
  return {
    url: urlOf(http, tls !== undefined),
    prepared: preparing,
    stop: () => {
      stopping.abort();
      return stopAll({ http, loop, sagas, inventory, preparing, store });
    },
  };
}

function storeOf({ mongodbUri, mongodbDatabase }: Settings, logger: Logger): Store {
  return openStore(mongodbUri, mongodbDatabase, (cause) => {
    logger.error({ cause }, 'the connection to the database is made anew');
  });
}

/**
 * Without a key nobody could do anything, but a port on a network is an invitation.
 * @throws where others than this machine could call and there is no key.
 */
async function refuseOpenDoor({ host, adminApiKey }: Settings, store: Store): Promise<void> {
  if (isLoopback(host) || adminApiKey !== undefined) return;
  const asked = await store.apiKeys.isAnyValid();
  if (asked.kind === 'found' && asked.value) return;
  await store.close();
  const why =
    asked.kind === 'unknown' ? 'the database cannot be asked for keys' : 'there is no API key';
  throw new SettingsError(
    `HOST is ${host}, which others than this machine can reach, and ${why}. ` +
      'Set ADMIN_API_KEY, or HOST to 127.0.0.1.',
  );
}

function cycleCountsOn(
  { ports: { locations }, counts }: Store,
  reminders: Reminders,
  { stockCounts: { open } }: SagaService,
  report: Report,
): CycleCounts {
  return createCycleCounts({ ports: { locations, counts }, reminders, open, report });
}

function dockOn({ ports, slots, bookings, orders }: Store, settings: Settings): Dock {
  const appointments = createAppointments({ orders, slots, bookings });
  const { dockHoldSeconds: holdSeconds, requestDeadlineMs: deadlineMilliseconds } = settings;
  const { availabilityCacheSeconds: availabilitySeconds } = settings;
  const parts = { ...ports, slots, bookings, appointments, timer: processTimer };
  return createDock(parts, { holdSeconds, availabilitySeconds, deadlineMilliseconds });
}

function reconcilerOn(
  store: Store,
  reminders: Reminders,
  { resumeAbandoned }: SagaService,
  { settleSome }: RunningInventory,
): Reconciler {
  return createReconciler({ reminders, store: store.reminders, settleSome, resumeAbandoned });
}

/** Nobody is to be told where there is no webhook. */
function lapsedHoldsOn(
  { reminders: store, readLapsedHolds: readStanding, ports: { ledger } }: Store,
  reminders: Reminders,
  { settledThrough }: RunningInventory,
  webhook: Settings['webhook'],
): LapsedHolds | undefined {
  if (webhook === undefined) return undefined;
  const tell = webhookDeliverer(webhook);
  const parts = { reminders, store, readStanding, ledger, settledThrough };
  return createLapsedHolds({ ...parts, webhook: tell });
}

/** A stop says first that nothing more should be sent here. */
function readinessOf(store: Store, stopping: AbortSignal, isPrepared: () => boolean): Readiness {
  return {
    ready: async () => {
      if (stopping.aborted) return { kind: 'not-ready', cause: 'the service is stopping' };
      return isPrepared()
        ? store.ready()
        : { kind: 'not-ready', cause: 'the database is not prepared yet' };
    },
  };
}

async function listen(
  settings: Settings,
  logger: Logger,
  parts: Pick<AppParts, 'table' | 'tableWithin' | 'authenticate' | 'files'> & {
    readonly underWay: UnderWay;
    readonly metrics: Metrics;
    readonly tls: Certificate | undefined;
  },
): Promise<RunningHttp> {
  const { underWay, metrics, tls, ...edge } = parts;
  const { host, port, drainMs, trustProxy } = settings;
  const { rateLimitPerKey: perKey, rateLimitPerAddress: perAddress } = settings;
  const app = createApp({
    ...edge,
    limits: { perKey, perAddress, underWay },
    trustProxy,
    logger,
    onAnswered: ({ record: { route }, method, status, ms }) => {
      metrics.request({ method, route, status, seconds: ms / 1_000 });
    },
  });
  return startHttp({ app, host, port, tls, drainMs });
}

/** Who is told when a reminder is due. What is due for anybody else stays due. */
function deliverersFor(
  { webhook }: Settings,
  {
    sagas,
    cycleCounts,
    reconciler,
    lapsedHolds,
  }: {
    readonly sagas: SagaService;
    readonly cycleCounts: CycleCounts;
    readonly reconciler: Reconciler;
    readonly lapsedHolds: LapsedHolds | undefined;
  },
): ReadonlyMap<Receiver, Deliver> {
  const deliverers = new Map<Receiver, Deliver>([
    [sagaActor, sagas.deliver],
    [cycleCountActor, cycleCounts.deliver],
    [reconcileActor, reconciler.deliver],
  ]);
  if (lapsedHolds !== undefined) deliverers.set(holdsActor, lapsedHolds.deliver);
  if (webhook !== undefined) deliverers.set('webhook', webhookDeliverer(webhook));
  return deliverers;
}

const reminderLevels: Readonly<Record<ReminderEvent['kind'], 'info' | 'warn' | 'error'>> = {
  'reminder-replaced': 'info',
  'reminder-failed': 'warn',
  'reminder-suspended': 'error',
  'cycle-count-skipped': 'warn',
  'reminders-stalled': 'warn',
  'reminders-defect': 'error',
};

function sagaLog(logger: Logger): (defect: unknown) => void {
  return (err) => {
    logger.error({ err }, 'a saga failed');
  };
}

function reminderLog(logger: Logger): Report {
  return (reported) => {
    const { kind, ...event } = reported;
    // The service moves its own alarms with every step that it takes.
    const isUsual =
      reported.kind === 'reminder-replaced' &&
      isServiceActor(reminderNameOf(reported.reminder).actor);
    logger[isUsual ? 'debug' : reminderLevels[kind]](event, kind);
  };
}

/** The project's `dist/console`, whether this runs from the sources or from `dist`. */
function builtConsole(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json'))) {
    const above = path.dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return path.join(folder, 'dist', 'console');
}

/** Sets the service's own alarms; where the database cannot be asked now, again a little later. */
function armOwn(
  alarms: readonly ((() => Promise<Recorded>) | undefined)[],
  logger: Logger,
  stopping: AbortSignal,
): void {
  for (const arm of alarms) {
    const attempt = async (): Promise<void> => {
      while (arm !== undefined && !stopping.aborted && (await arm()).kind === 'unknown') {
        await pause(armAgainMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    };
    attempt().catch((err: unknown) => {
      logger.error({ err }, 'an alarm of the service could not be set');
    });
  }
}

async function stopAll({
  http,
  loop,
  sagas,
  inventory,
  preparing,
  store,
}: {
  readonly http: RunningHttp;
  readonly loop: ReminderLoop;
  readonly sagas: SagaService;
  readonly inventory: RunningInventory;
  readonly preparing: Promise<void>;
  readonly store: Store;
}): Promise<void> {
  await Promise.all([http.stop(), loop.stop()]);
  await sagas.stop();
  await inventory.idle();
  await preparing;
  await store.close();
}

function apiKeyPorts({ apiKeys, ports: { mark } }: Store): ApiKeyPorts {
  return { apiKeys, mark };
}

function urlOf({ address: { address, port } }: RunningHttp, isSecure: boolean): string {
  return `${isSecure ? 'https' : 'http'}://${hostInUrl(address)}:${port}`;
}

function hostInUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** @returns whether the schema is there; false only when the service stops before. */
async function prepare(store: Store, logger: Logger, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    try {
      await store.prepare();
      return true;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      logger.warn({ cause }, 'the database is not prepared yet');
      await pause(prepareAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return false;
}
