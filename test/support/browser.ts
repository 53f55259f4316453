/** Debian's Chromium, driven for real. Where it is missing, CI fails and anywhere else it is told. */
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { z } from 'zod';
import { chromiumPath, desk, hasChromium, launchChromium } from '../../scripts/console/chromium.ts';

export { phone } from '../../scripts/console/chromium.ts';

export const hasBrowser = hasChromium;

if (!hasBrowser) {
  const missing = `NO BROWSER at ${chromiumPath}: the console's tests need Debian's chromium`;
  if (process.env['CI'] !== undefined) throw new Error(missing);
  console.warn(`\n*** ${missing}: SKIPPED ***\n`);
}

export interface TestBrowser {
  /** A browser of its own user; it goes after the test. */
  readonly context: (options?: BrowserContextOptions) => Promise<BrowserContext>;
}

export function useBrowser(extraFlags: readonly string[] = []): TestBrowser {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await launchChromium(extraFlags);
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(() => browser?.close());
  return {
    context: async (options = desk) => {
      if (browser === undefined) throw new Error('the browser starts before the tests');
      const context = await browser.newContext(options);
      contexts.push(context);
      return context;
    },
  };
}

/** A page of the console at a path, where the holder of the key has just signed in. */
export async function signedIn(
  context: BrowserContext,
  address: string,
  key: string,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
  return page;
}

/**
 * A scanner that types: keys 5 ms apart by their own time stamps, however busy the machine is.
 */
export async function wedge(page: Page, code: string): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  const begun = Date.now() / 1_000;
  const keys = [...Array.from(code, (key) => ({ key, text: key })), { key: 'Enter', text: '\r' }];
  await Promise.all(
    keys.map(({ key, text }, index) =>
      protocol.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        key,
        text,
        timestamp: begun + index * 0.005,
      }),
    ),
  );
  await protocol.detach();
}

/** What axe finds serious or worse on a page, as `rule: where`. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  // The page's own policy lets no script in that it doesn't serve; the protocol of the browser does.
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate('axe.run()');
  return findings
    .parse(found)
    .violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

const findings = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullable(),
      nodes: z.array(z.object({ target: z.array(z.string()) })),
    }),
  ),
});
