/**
 * `npm run screenshots`: every page of the console, on a phone and at a desk, into docs/console/.
 *
 * The pages stand on a small warehouse of their own, and are there to be looked at by a person.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { helped } from '../help.ts';
import { desk, phone } from './chromium.ts';
import type { Sample } from './sample.ts';
import { fillSample } from './sample.ts';
import type { ConsoleSite } from './site.ts';
import { onSite, visit } from './site.ts';

const folder = path.join(import.meta.dirname, '../../docs/console');
const usage = 'npm run screenshots: pictures of every page of the console, into docs/console/';
/** What is further down is no more than more of the same. */
const tallest = 1_500;
const quality = 60;

interface Shot {
  readonly name: string;
  readonly path: (sample: Sample) => string;
  readonly who: 'scanner' | 'office' | 'auditor' | 'admin';
  /** Waits until everything is there, and does what is to be seen. */
  readonly ready: (page: Page) => Promise<void>;
}

const shots: readonly Shot[] = [
  {
    name: 'scan',
    path: () => '/scan',
    who: 'scanner',
    ready: async (page) => {
      await page.getByLabel('Scan or type a code').fill('4006381333931');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'TEA-100' }).waitFor();
      await page.getByLabel('Location').selectOption('A-01');
    },
  },
  { name: 'skus', path: () => '/skus', who: 'office', ready: link('TEA-250') },
  { name: 'sku', path: () => '/skus/TEA-100', who: 'office', ready: heading('Change the SKU') },
  {
    name: 'history',
    path: () => '/skus/TEA-100/history',
    who: 'auditor',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('The levels follow from the history.').waitFor();
      await page.locator('canvas').waitFor();
    },
  },
  { name: 'new-sku', path: () => '/new-sku', who: 'office', ready: heading('New SKU') },
  { name: 'locations', path: () => '/locations', who: 'office', ready: cell('Q-N') },
  { name: 'orders', path: () => '/orders', who: 'office', ready: link('PO-1001') },
  {
    name: 'order',
    path: () => '/orders/PO-1001',
    who: 'office',
    ready: async (page) => {
      await page.getByText('60 × TEA-100 → IN-N').waitFor();
      await page.getByLabel('Received at').selectOption('IN-N');
      await page.getByRole('button', { name: 'All that remains' }).click();
    },
  },
  {
    name: 'new-order',
    path: () => '/new-order',
    who: 'office',
    ready: heading('New purchase order'),
  },
  { name: 'counts', path: () => '/counts', who: 'office', ready: cell('6 of 10 counted') },
  {
    name: 'count',
    path: ({ openCount }) => `/counts/${openCount}`,
    who: 'office',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Close: show the variances first' }).click();
      await heading('These adjustments will be posted')(page);
    },
  },
  {
    name: 'dock',
    path: () => '/dock',
    who: 'office',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Week after' }).click();
      await page.getByRole('button', { name: '3 of 3 free' }).first().click();
      await page.getByRole('button', { name: 'Hold', exact: true }).click();
      await page.getByText(/Held, 1 place, until/).waitFor();
    },
  },
  { name: 'low-stock', path: () => '/low-stock', who: 'office', ready: link('POT-GLS') },
  { name: 'keys', path: () => '/keys', who: 'admin', ready: cell('floor-3') },
  {
    name: 'movements',
    path: () => '/movements',
    who: 'auditor',
    ready: async (page) => {
      // The newest 15 seconds are never in this list.
      const held = page.getByText('10 promised at A-01');
      while (!(await held.isVisible())) {
        await page.waitForTimeout(1_000);
        await page.reload();
        await page.getByRole('table').waitFor();
      }
    },
  },
];

function heading(name: string): Shot['ready'] {
  return (page) => page.getByRole('heading', { name }).waitFor();
}

function link(name: string): Shot['ready'] {
  return (page) => page.getByRole('link', { name }).first().waitFor();
}

function cell(name: string): Shot['ready'] {
  return (page) => page.getByRole('cell', { name, exact: true }).waitFor();
}

const sizes: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', desk],
  ['phone', phone],
];

async function take(page: Page, name: string): Promise<void> {
  const { width } = page.viewportSize() ?? desk.viewport;
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width, height: Math.min(height, tallest) };
  const protocol = await page.context().newCDPSession(page);
  const { data } = await protocol.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    clip: { ...clip, scale: 1 },
    captureBeyondViewport: true,
  });
  await writeFile(path.join(folder, name), Buffer.from(data, 'base64'));
}

async function signInPictures({ browser, url }: ConsoleSite): Promise<void> {
  for (const [size, options] of sizes) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel('API key').waitFor();
    await take(page, `sign-in-${size}.webp`);
    await context.close();
  }
}

async function takeAll(site: ConsoleSite): Promise<void> {
  const sample = await fillSample(site.url, site.adminKey);
  const { scannerKey, officeKey, auditorKey } = sample;
  const keys = {
    scanner: scannerKey,
    office: officeKey,
    auditor: auditorKey,
    admin: site.adminKey,
  } as const;
  await signInPictures(site);
  for (const { name, path: at, who, ready } of shots) {
    for (const [size, options] of sizes) {
      const page = await visit(site, options, at(sample), keys[who]);
      await ready(page);
      await take(page, `${name}-${size}.webp`);
      await page.context().close();
      console.log(`${name}-${size}.webp`);
    }
  }
}

if (!helped(usage)) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await onSite(takeAll);
}
