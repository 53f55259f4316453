/** The console on a service of its own: engine, a database that goes in the end, and Chromium. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { readSettings } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { buildConsole } from '../build-console.ts';
import { startEngine } from '../local-engine/engine.ts';
import { chromiumPath, hasChromium, launchChromium } from './chromium.ts';

export interface ConsoleSite {
  readonly url: string;
  readonly adminKey: string;
  readonly db: Db;
  readonly browser: Browser;
}

/** Apart from the data of whoever runs this; on the same kind of disk. */
const dataDirectory = '.data/console';

/** @throws where there is no Chromium. */
export async function onSite<T>(work: (site: ConsoleSite) => Promise<T>): Promise<T> {
  if (!hasChromium) {
    throw new Error(`There is no Chromium at ${chromiumPath}: install it, or name it in CHROMIUM.`);
  }
  await using engine = await startEngine({ dataDirectory });
  await buildConsole();
  const adminKey = randomUUID();
  const name = `console_${randomUUID().replaceAll('-', '')}`;
  const settings = readSettings({
    MONGODB_URI: engine.uri,
    MONGODB_DATABASE: name,
    ADMIN_API_KEY: adminKey,
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  const client = new MongoClient(engine.uri);
  const service = await startService(settings, pino({ level: settings.logLevel }));
  const browser = await launchChromium(['--disable-lcd-text']);
  try {
    await service.prepared;
    return await work({ url: service.url, adminKey, db: client.db(name), browser });
  } finally {
    await browser.close();
    await service.stop();
    await client.db(name).dropDatabase();
    await client.close();
  }
}

/** Signs in by the form; the page then stands at the path. */
export async function visit(
  { browser, url }: ConsoleSite,
  options: BrowserContextOptions,
  path: string,
  key: string,
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  await page.goto(url + path);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
  return page;
}
