/** The whole service in this process, on the real engine and a database of its own. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import type { Settings } from '../../src/config.ts';
import type { Service } from '../../src/service.ts';
import { startService } from '../../src/service.ts';
import type { TestDatabase } from './database.ts';
import { useDatabase } from './database.ts';
import type { Client } from './http-client.ts';
import { clientOf } from './http-client.ts';

export interface TestService {
  /** Calls with the admin key; it can be used once the service runs. */
  readonly client: Client;
  readonly secret: string;
  readonly database: TestDatabase;
}

/** Loopback, a free port, no limits, no key. */
export function testSettings({ uri, name }: Pick<TestDatabase, 'uri' | 'name'>): Settings {
  return {
    mongodbUri: uri,
    mongodbDatabase: name,
    host: '127.0.0.1',
    port: 0,
    requestDeadlineMs: 8_000,
    dockHoldSeconds: 300,
    // A copy is too old by the next request: tests see what is so.
    availabilityCacheSeconds: 0.001,
    rateLimitPerKey: 0,
    rateLimitPerAddress: 0,
    trustProxy: 0,
    tls: undefined,
    drainMs: 0,
    adminApiKey: undefined,
    webhook: undefined,
    logLevel: 'silent',
  };
}

/** Starts the service before a file's tests and stops it after them. */
export function useService(overrides: Partial<Settings> = {}): TestService {
  const database = useDatabase();
  const secret = randomUUID();
  let service: Service | undefined;
  beforeAll(async () => {
    const settings = { ...testSettings(database), adminApiKey: secret, ...overrides };
    service = await startService(settings, pino({ level: settings.logLevel }));
    await service.prepared;
  });
  afterAll(() => service?.stop());
  const url = (): string => {
    if (service === undefined) throw new Error('the service starts before the tests, not earlier');
    return service.url;
  };
  return { client: clientOf(url, secret), secret, database };
}
